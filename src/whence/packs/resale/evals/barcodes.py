"""How many photographed barcodes are read correctly, wrongly, or not at all."""

from __future__ import annotations

import csv
import time
from dataclasses import dataclass
from pathlib import Path

from whence.packs.resale.perception.barcodes import read_barcodes
from whence.packs.resale.perception.images import UnreadableImage, open_image
from whence.packs.resale.perception.symbols import expand_upc_e, gtin14
from whence.packs.resale.perception.text import read_texts
from whence.sdk.errors import Invalid

TRUTH = "truth.csv"
COLUMNS = ("file", "symbology", "digits")


@dataclass(frozen=True)
class BarcodeReport:
    """Photographs by outcome; `right + wrong + unread = n`.  A wrong one costs a wrong price."""

    right: int
    wrong: int
    unread: int
    n: int
    seconds: float
    wrong_files: tuple[str, ...] = ()
    unread_files: tuple[str, ...] = ()

    def figures(self) -> dict[str, float]:
        """The flat figures of `whence eval resale.barcodes`."""
        return {
            "right": self.right,
            "wrong": self.wrong,
            "unread": self.unread,
            "n": self.n,
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class _Photograph:
    file: Path
    gtin14: str


def barcodes(data: Path) -> BarcodeReport:
    """Read every photograph named in `data/truth.csv` (columns file, symbology, digits).

    Right means that the first accepted code is the true one, both as GTIN-14. Raises `Invalid`,
    which names the file, if the truth or a photograph is missing or unreadable.
    """
    photographs = _truth(data)
    began = time.perf_counter()
    right = 0
    wrong: list[str] = []
    unread: list[str] = []
    for photograph in photographs:
        read = _read(photograph.file)
        if read is None:
            unread.append(photograph.file.name)
        elif read == photograph.gtin14:
            right += 1
        else:
            wrong.append(photograph.file.name)
    return BarcodeReport(
        right=right,
        wrong=len(wrong),
        unread=len(unread),
        n=len(photographs),
        seconds=round(time.perf_counter() - began, 3),
        wrong_files=tuple(wrong),
        unread_files=tuple(unread),
    )


def _read(file: Path) -> str | None:
    try:
        image = open_image(file)
    except UnreadableImage as error:
        raise Invalid(f"{file.name}: {error.message}") from error
    best = read_barcodes(image, read_texts).best
    return best.gtin14 if best else None


def _truth(data: Path) -> list[_Photograph]:
    path = data / TRUTH
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise Invalid(
            f"{path} cannot be read; --data names a folder with {TRUTH} and photographs."
        ) from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise Invalid(f"{TRUTH} is not a CSV file in UTF-8; save it as one.") from error
    if not rows:
        raise Invalid(f"{TRUTH} names no photograph; add rows with {', '.join(COLUMNS)}.")
    return [_photograph(data, number, row) for number, row in enumerate(rows, start=2)]


def _photograph(data: Path, number: int, row: dict[str, str | None]) -> _Photograph:
    name, digits = (row.get("file") or "").strip(), (row.get("digits") or "").strip()
    if not name or not digits:
        raise Invalid(f"{TRUTH}, line {number}: fill in the columns {', '.join(COLUMNS)}.")
    if Path(name).name != name:
        raise Invalid(f"{TRUTH}, line {number}: {name} is not the name of a file in the folder.")
    symbology = (row.get("symbology") or "").lower().replace("-", "").replace("_", "")
    short = symbology == "upce" and len(digits) == 8 and digits.isdecimal()
    code = gtin14(expand_upc_e(digits) if short else digits)
    if code is None:
        raise Invalid(f"{TRUTH}, line {number}: {digits} is not a GTIN with a valid check digit.")
    return _Photograph(data / name, code)
