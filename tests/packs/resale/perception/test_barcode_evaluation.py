from __future__ import annotations

from pathlib import Path

import pytest

from whence.packs.resale.evals.barcodes import barcodes
from whence.sdk.errors import Invalid


@pytest.mark.long
def test_the_photographs_are_read_right_or_left_unread(barcode_photos: Path) -> None:
    report = barcodes(barcode_photos)
    assert report.n == 40
    assert report.wrong == 0, report.wrong_files
    assert report.right >= 38, report.unread_files


def test_any_folder_of_that_shape_is_counted(draw_code, tmp_path: Path) -> None:
    draw_code("2000000070001").save(tmp_path / "a.png")
    draw_code("01234565", "UPCE").save(tmp_path / "b.png")
    draw_code("4006381333931").save(tmp_path / "c.png")
    draw_code("4006381333931").crop((0, 0, 60, 60)).save(tmp_path / "d.png")
    (tmp_path / "truth.csv").write_text(
        "file,symbology,digits\na.png,ean13,2000000070001\nb.png,upce,01234565\n"
        "c.png,ean13,9780345348036\nd.png,ean13,4006381333931\n"
    )
    figures = barcodes(tmp_path).figures()
    assert {name: figures[name] for name in ("right", "wrong", "unread", "n")} == {
        "right": 2,
        "wrong": 1,
        "unread": 1,
        "n": 4,
    }


@pytest.mark.parametrize(
    ("truth", "complaint"),
    [
        (None, r"truth\.csv cannot be read"),
        ("file,symbology,digits\n", "names no photograph"),
        ("file,symbology,digits\ngone.png,ean13,2000000070001\n", r"gone\.png"),
        ("file,symbology,digits\n../a.png,ean13,2000000070001\n", "not the name of a file"),
        (
            "file,symbology,digits\na.png,ean13,2000000070002\n",
            "line 2: 2000000070002 is not a GTIN",
        ),
        ("name,code\na.png,1\n", "fill in the columns"),
    ],
)
def test_what_is_missing_or_wrong_is_named(
    truth: str | None, complaint: str, tmp_path: Path
) -> None:
    if truth is not None:
        (tmp_path / "truth.csv").write_text(truth)
    with pytest.raises(Invalid, match=complaint):
        barcodes(tmp_path)
