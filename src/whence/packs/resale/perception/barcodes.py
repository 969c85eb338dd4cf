"""Read the product code on a photograph, and believe it only when two independent looks agree.

One look is zxing-cpp, which measures edges, on one rendering of the photograph; another is the
drawing matcher of `bars`; a third is the digits printed under the bars, read by OCR.  The check
digit alone is no proof: one wrong code in ten has a right one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import books, straighten
from .agreement import (
    MIN_LINES,
    Doubt,
    believed,
    good_lines,
    how_printed,
    looks_agreeing,
    settled,
)
from .bars import CRUMPLED_FLEX, FLEX, read_place
from .symbols import SEGMENTS, Symbology, expand_upc_e, gtin14, is_price_line, why_not_a_product
from .views import Sighting, looks

if TYPE_CHECKING:
    from PIL.Image import Image

LINES = 7
"""Scan lines that the drawing matcher reads through a code."""

Grey = npt.NDArray[np.float32]
Printed = Callable[["Image"], Sequence[str]]
"""Reads the text on a picture, left to right; asked only where a code is still in doubt."""

MAX_PRINTED = 3
"""Places whose printed digits are read, per photograph; each takes an OCR run of some 0.2 s."""


@dataclass(frozen=True)
class Barcode:
    """A product code that at least two independent looks agree on.

    `digits` are those printed under the bars; `box` is left, top, right, bottom in pixels of the
    upright photograph; `looks` names the looks that agreed.
    """

    gtin14: str
    digits: str
    symbology: Symbology
    box: tuple[int, int, int, int]
    looks: tuple[str, ...]


@dataclass(frozen=True)
class BarcodeReading:
    """The codes on one photograph, the most believable first; or why there is none."""

    barcodes: tuple[Barcode, ...]
    unread: str | None
    """Why nothing was read; None when there is a barcode."""

    @property
    def best(self) -> Barcode | None:
        return self.barcodes[0] if self.barcodes else None


def read_barcodes(image: Image, printed: Printed | None = None) -> BarcodeReading:
    """The product codes on an upright photograph.  The work is bounded, whatever the picture."""
    picture = image.convert("L")
    gray = np.asarray(picture, dtype=np.float32)
    doubts: dict[str, Doubt] = {}
    for sightings in _all_looks(picture, doubts):
        for sighting in sightings:
            _weigh(doubts, sighting, gray)
        if settled(doubts):
            break
    if doubts and not settled(doubts) and printed is not None:
        _compare_with_print(doubts, picture, printed)
    return _reading(doubts)


def _all_looks(picture: Image, doubts: dict[str, Doubt]) -> Iterator[list[Sighting]]:
    yield from looks(picture)
    known = believed(doubts)
    if all(map(is_price_line, known)):
        for digits in known:
            yield from books.above(picture, doubts[digits].place)
        yield from straighten.straightened(picture)


def _weigh(doubts: dict[str, Doubt], sighting: Sighting, gray: Grey) -> None:
    """Add a sighting to what is known; a new code is compared with its drawing at once."""
    digits = sighting.digits
    if digits not in doubts:
        doubts[digits] = _compared(sighting, gray)
        for other, count in doubts[digits].lines.items():
            if other not in doubts and count >= MIN_LINES:
                doubts[other] = Doubt(sighting, lines=doubts[digits].lines)
    if sighting.look != straighten.MATCHED:
        doubts[digits].note(sighting.look)


def _compared(sighting: Sighting, gray: Grey) -> Doubt:
    if sighting.symbology not in SEGMENTS:
        return Doubt(sighting)
    lines: dict[str, int] = {}
    for flex in (FLEX, CRUMPLED_FLEX):
        readings = read_place(gray, sighting, lines=LINES, flex=flex)
        lines = good_lines(readings)
        if lines:
            quiet = any(line.quiet for line in readings if line.digits == sighting.digits)
            return Doubt(sighting, lines=lines, quiet=quiet)
    return Doubt(sighting)


def _compare_with_print(doubts: dict[str, Doubt], picture: Image, printed: Printed) -> None:
    known = believed(doubts)
    read: list[tuple[Sighting, Sequence[str]]] = []
    for digits, doubt in doubts.items():
        if digits in known:
            continue
        texts = next((texts for place, texts in read if place.overlaps(doubt.place)), None)
        if texts is None and len(read) < MAX_PRINTED:
            texts = printed(straighten.levelled(picture, doubt.place))
            read.append((doubt.place, texts))
        if texts:
            look = how_printed(digits, texts)
            if look is not None:
                doubt.note(look)


def _reading(doubts: dict[str, Doubt]) -> BarcodeReading:
    readings: list[tuple[int, float, Barcode]] = []
    asides: list[str] = []
    for digits, doubt in doubts.items():
        agreed = looks_agreeing(digits, doubts)
        whole = expand_upc_e(digits) if doubt.place.symbology is Symbology.UPC_E else digits
        gtin = gtin14(whole)
        if not agreed or gtin is None:
            continue
        reason = why_not_a_product(gtin)
        if reason is not None:
            asides.append(f"{digits} is no product code: {reason}")
            continue
        barcode = _barcode(digits, gtin, doubt.place, agreed)
        readings.append((doubt.lines.get(digits, 0), doubt.place.length, barcode))
    # More matching lines first, then the larger on the photograph.
    readings.sort(key=lambda entry: entry[:2], reverse=True)
    if readings:
        return BarcodeReading(tuple(entry[2] for entry in readings), None)
    if asides:
        return BarcodeReading((), "; ".join(asides))
    if doubts:
        return BarcodeReading(
            (), "bars were seen, but no two looks agree on the digits; photograph them closer"
        )
    return BarcodeReading((), "no barcode was seen")


def _barcode(digits: str, gtin: str, place: Sighting, agreed: tuple[str, ...]) -> Barcode:
    symbology = place.symbology
    if symbology is Symbology.EAN_13 and digits.startswith("0"):
        symbology, digits = Symbology.UPC_A, digits[1:]
    return Barcode(gtin, digits, symbology, _box(place), agreed)


def _box(place: Sighting) -> tuple[int, int, int, int]:
    (ax, ay), (bx, by) = place.start, place.end
    half = place.height / 2 / max(place.length, 1.0)
    rise_x, rise_y = -(by - ay) * half, (bx - ax) * half
    xs = [ax - rise_x, ax + rise_x, bx - rise_x, bx + rise_x]
    ys = [ay - rise_y, ay + rise_y, by - rise_y, by + rise_y]
    return round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))
