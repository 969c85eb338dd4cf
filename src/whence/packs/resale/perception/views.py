"""Read a photograph with the edge-measuring reader in several renderings.

The reader is zxing-cpp.  Its second binarizer makes no difference for linear codes (measured), so a
different look always means different pixels: another scale, sharpening, or a rotation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .symbols import Symbology

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL.Image import Image

WORKING_SIDE = 1600
"""Longest side in pixels for most looks: larger ones cost time and read no better."""
LARGEST_SIDE = 4000
"""Longest side in pixels of the one look that keeps the detail of a large photograph."""
SMALL_SIDE = 1000
"""Photographs up to this longest side are also enlarged, since their bars may be a pixel wide."""
TURN_DEGREES = (9.0, -9.0)
"""The reader scans along rows and columns; a code held askew crosses too few of them."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Sighting:
    """A code read in one look, with the ends of its middle line and its bars' height (pixels)."""

    symbology: Symbology
    digits: str
    look: str
    start: Point
    end: Point
    height: float

    @property
    def centre(self) -> Point:
        return (self.start[0] + self.end[0]) / 2, (self.start[1] + self.end[1]) / 2

    @property
    def length(self) -> float:
        return math.dist(self.start, self.end)

    def overlaps(self, other: Sighting) -> bool:
        """Whether both are at the same place on the photograph."""
        reach = max(self.length, other.length) / 2 + min(self.height, other.height) / 4
        return math.dist(self.centre, other.centre) < reach


def looks(gray: Image) -> Iterator[list[Sighting]]:
    """The readings of each look, cheapest and most productive first; stop when satisfied."""
    for name, view, back in _views(gray):
        yield [
            Sighting(
                symbology=seen.symbology,
                digits=seen.digits,
                look=name,
                start=back(seen.start),
                end=back(seen.end),
                height=math.dist(back((0.0, 0.0)), back((0.0, seen.height))),
            )
            for seen in scan(view, name)
        ]


def _views(gray: Image) -> Iterator[tuple[str, Image, Callable[[Point], Point]]]:
    from PIL import Image, ImageFilter

    longest = max(gray.size)
    base = _scaled(gray, min(1.0, WORKING_SIDE / longest))
    ratio = base.width / gray.width
    yield "plain", base, _scaler(ratio)
    yield "sharpened", base.filter(ImageFilter.UnsharpMask(2, 200, 0)), _scaler(ratio)
    if longest <= SMALL_SIDE:
        larger = _scaled(gray, 2.0)
        yield "enlarged", larger, _scaler(2.0)
        yield "enlarged and sharpened", _sharp(larger), _scaler(2.0)
    elif longest > WORKING_SIDE:
        full = _scaled(gray, min(1.0, LARGEST_SIDE / longest))
        yield "full size", full, _scaler(full.width / gray.width)
    for share in (0.72, 0.5):
        if longest * ratio * share >= 200:
            yield "reduced", _scaled(base, share), _scaler(ratio * share)
    yield "smoothed", base.filter(ImageFilter.GaussianBlur(1)), _scaler(ratio)
    if longest <= SMALL_SIDE:
        yield "enlarged more", _scaled(gray, 3.0), _scaler(3.0)
    for degrees in TURN_DEGREES:
        turned = base.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=255)
        yield "turned", turned, _unturner(base.size, degrees, ratio)


def _scaled(picture: Image, ratio: float) -> Image:
    from PIL import Image

    if ratio == 1.0:
        return picture
    size = max(1, round(picture.width * ratio)), max(1, round(picture.height * ratio))
    method = Image.Resampling.BICUBIC if ratio > 1 else Image.Resampling.LANCZOS
    return picture.resize(size, method)


def _sharp(picture: Image) -> Image:
    from PIL import ImageFilter

    return picture.filter(ImageFilter.UnsharpMask(4, 250, 0))


def _scaler(ratio: float) -> Callable[[Point], Point]:
    return lambda point: (point[0] / ratio, point[1] / ratio)


def _unturner(size: tuple[int, int], degrees: float, ratio: float) -> Callable[[Point], Point]:
    middle_x, middle_y = size[0] / 2, size[1] / 2
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def back(point: Point) -> Point:
        x, y = point[0] - middle_x, point[1] - middle_y
        return (
            (cosine * x - sine * y + middle_x) / ratio,
            (sine * x + cosine * y + middle_y) / ratio,
        )

    return back


def scan(view: Image | npt.NDArray[np.uint8], look: str) -> list[Sighting]:
    """The retail codes that zxing-cpp reads in a grey picture."""
    import zxingcpp

    kinds = zxingcpp.BarcodeFormat
    formats = zxingcpp.BarcodeFormats(
        [kinds.EAN13, kinds.UPCA, kinds.EAN8, kinds.UPCE, kinds.ITF14]
    )
    sightings: list[Sighting] = []
    for code in zxingcpp.read_barcodes(view, formats=formats):
        place = code.position
        corners = [
            (float(corner.x), float(corner.y))
            for corner in (
                place.top_left,
                place.top_right,
                place.bottom_right,
                place.bottom_left,
            )
        ]
        start, end = _middle(corners[0], corners[3]), _middle(corners[1], corners[2])
        named = _named(str(code.format), code.text, code.extra)
        if named is not None and math.dist(start, end) > 0:
            height = max(math.dist(corners[0], corners[3]), math.dist(corners[1], corners[2]))
            sightings.append(Sighting(named[0], named[1], look, start, end, height))
    return sightings


def _named(kind: str, text: str, extra: object) -> tuple[Symbology, str] | None:
    match kind, len(text):
        case "EAN-13" | "UPC-A", 12 | 13:
            return Symbology.EAN_13, text.zfill(13)
        case "EAN-8", 8:
            return Symbology.EAN_8, text
        case "ITF" | "ITF-14", 14:
            return Symbology.ITF_14, text
        case "UPC-E", _:
            short = extra.get("UPCE") if isinstance(extra, dict) else None
            return (Symbology.UPC_E, str(short)) if short else None
        case _:
            return None


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
