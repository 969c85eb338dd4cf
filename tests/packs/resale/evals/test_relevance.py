from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from whence.packs.resale.evals.labelled import read_folder, read_pairs
from whence.packs.resale.evals.relevance import Decision, decisions_of, relevance, report
from whence.sdk.errors import Invalid

SHARED = Path(__file__).resolve().parents[5] / "shared" / "data" / "resale"


def write(folder: Path, name: str, rows: list[dict[str, object]]) -> None:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    items = ["Canon BG-E11 battery grip", "Nikon D5300 camera", "GoPro Hero 4 camera"]
    offers = ["battery grip BG-E11 by Canon", "Nikon D5300 24 MP camera", "GoPro chest harness"]
    write(tmp_path, "items.jsonl", [{"id": f"i{k}", "title": t} for k, t in enumerate(items)])
    write(
        tmp_path,
        "listings.jsonl",
        [{"id": f"l{k}", "title": t, "price": None, "brand": None} for k, t in enumerate(offers)],
    )
    write(
        tmp_path,
        "pairs.test.jsonl",
        [
            {"item": "i0", "listing": "l0", "match": 1},
            {"item": "i0", "listing": "l2", "match": 0},
            {"item": "i1", "listing": "l1", "match": 1},
            {"item": "i2", "listing": "l2", "match": 0},
        ],
    )
    return tmp_path


def test_titles_alone_are_enough_to_be_evaluated(folder: Path) -> None:
    result = relevance(folder)
    assert result.n == 4
    assert result.threshold == 0.5
    assert 0 <= result.f1 <= 1


def test_labels_never_enter_a_score(folder: Path) -> None:
    read = read_folder(folder)
    pairs = read_pairs(folder, "test", read)
    flipped = [replace(pair, match=not pair.match) for pair in pairs]
    assert decisions_of(read, pairs) == decisions_of(read, flipped)


def decisions(*included: bool) -> list[Decision]:
    return [Decision(0.9 if each else 0.1, each) for each in included]


def test_precision_and_recall_count_right_and_wrong() -> None:
    result = report([True, True, False, False], decisions(True, False, True, False))
    assert (result.precision, result.recall, result.f1) == (0.5, 0.5, 0.5)


def test_a_pair_that_an_exclusion_leaves_out_is_no_match_whatever_its_score() -> None:
    result = report([True, False], [Decision(0.9, included=False), Decision(0.1, included=False)])
    assert (result.recall, result.f1) == (0.0, 0.0)
    assert result.f1_without_exclusions == 1.0


def test_exclusions_count_in_a_folder_too(folder: Path) -> None:
    path = folder / "listings.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("battery grip BG-E11", "lot of 5 battery grip BG-E11"))
    result = relevance(folder)
    assert result.recall < 1.0
    assert result.f1 < result.f1_without_exclusions


def test_the_calibration_error_is_the_distance_of_score_and_share_of_matches() -> None:
    certain = report([True, False], [Decision(1.0, True), Decision(0.0, False)])
    assert certain.calibration_error == 0.0
    wrong = report([False, False], [Decision(1.0, True), Decision(0.0, False)])
    assert wrong.calibration_error == 0.5


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("items.jsonl", "{not json", "items.jsonl line 4: not JSON"),
        ("items.jsonl", "[1]", "items.jsonl line 4: expected an object"),
        ("listings.jsonl", '{"title": "x"}', "listings.jsonl line 4: `id` is missing"),
        ("listings.jsonl", '{"id": "l9", "title": "x", "price": 1e999}', "out of range"),
        ("listings.jsonl", '{"id": "l9", "title": "x", "price": "free"}', "not a number"),
        ("pairs.test.jsonl", '{"item": "i0", "listing": "none", "match": 1}', "line 5: no such"),
        ("pairs.test.jsonl", '{"item": "i0", "listing": "l0", "match": "yes"}', "must be 0 or 1"),
    ],
)
def test_a_bad_line_is_named_with_its_file(folder: Path, name: str, line: str, words: str) -> None:
    path = folder / name
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(Invalid) as refused:
        relevance(folder)
    assert words in refused.value.message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(Invalid) as refused:
        read_folder(tmp_path)
    assert "items.jsonl" in refused.value.message


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data/resale is not here")
def test_matches_are_found_in_a_catalogue_whose_test_labels_were_never_seen() -> None:
    result = relevance(SHARED / "walmart_amazon")
    assert result.f1 >= 0.84
    assert result.calibration_error <= 0.05
