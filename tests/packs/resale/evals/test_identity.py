"""resale.identity: the own set holds, and its figures count what they say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whence.packs.resale.evals.identity import identity
from whence.packs.resale.pack import FOLDER
from whence.sdk.errors import Invalid

SHARED = Path(__file__).resolve().parents[5] / "shared" / "data" / "resale"


def test_no_model_and_no_brand_is_invented_on_the_own_set() -> None:
    report = identity(FOLDER / "sample")
    assert report.n == 40
    assert (report.model.wrong, report.brand.wrong) == (0, 0), report.figures()
    assert report.model.right >= 0.92
    assert (report.brand.right, report.title_kept) == (1, 1)


def test_right_wrong_and_none_are_told_apart(tmp_path: Path) -> None:
    rows = [
        {"title": "Pellworm PW-2210 scanner", "expect": {"model": "pw2210"}},
        {"title": "Pellworm PW-2210 scanner", "expect": {"model": "PW-3000"}},
        {"title": "Pellworm PW-2210 scanner", "expect": {}},
        {"title": "A scanner", "expect": {"model": "PW-2210"}},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "identity.jsonl").write_text(text, "utf-8")
    figures = identity(tmp_path).model
    assert (figures.right, figures.wrong, figures.known) == (1 / 3, 0.5, 3)
    assert len(figures.misses) == 3


def test_a_line_without_what_to_expect_is_refused(tmp_path: Path) -> None:
    (tmp_path / "identity.jsonl").write_text('{"title": "A scanner"}\n', "utf-8")
    with pytest.raises(Invalid, match="line 1"):
        identity(tmp_path)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared labelled data is not here")
def test_a_labelled_folder_is_read_by_its_titles() -> None:
    report = identity(SHARED / "walmart_amazon")
    assert report.n == report.model.known == 429
    assert report.model.right >= 0.75
    assert report.model.wrong <= 0.1
