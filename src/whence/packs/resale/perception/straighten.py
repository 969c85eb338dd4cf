"""Read the codes that zxing-cpp missed: find the bars, match their drawing, then straighten them.

A code found by the drawing matcher is one look.  For a second one, the bars are averaged along
their length into a clean flat picture, which zxing-cpp can often read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .agreement import MIN_FIT, MIN_MARGIN
from .bars import Profile, profiles_across, read_profile
from .spots import Spot, find_spots
from .symbols import Symbology
from .views import Point, Sighting, scan

if TYPE_CHECKING:
    from PIL.Image import Image

MATCHED = "found by its drawing"
"""Not counted as a look: the comparison with the drawing is counted when the code is weighed."""
STRAIGHTENED = "straightened"

SPOT_SIDES = (1000, 500)
"""Longest sides in pixels at which bars are searched: fine ones, then blurred ones."""
SHARES = (1.0, 0.82, 1.2)
"""Length of the code as a share of the spot's: neighbours join a spot, faint ends leave it."""
ROUGH_FIT = 0.8
"""Minimum correlation of one roughly drawn line; below it the spot is not read."""
ROUGH_BLUR = 0.6
"""Blur of that drawing, in modules: between a sharp and a soft photograph."""
MARGIN = 12.0
"""Modules read beyond each end of a spot."""
SPOT_LINES = 5
MODULES = 95
"""Modules of an EAN-13 or UPC-A; other codes are not tried here."""
LEVEL_LENGTH = 560
"""Length of the code, in pixels, in the picture for reading its digits, which are then 40 high."""
LEVEL_SIZE = (800, 640)
"""Size of that picture, with room for digits beside and under the bars and a line above them."""
FLAT_LINES = 24
"""Scan lines averaged, five at a time, into the flat picture."""


def straightened(picture: Image) -> Iterator[list[Sighting]]:
    """Codes found without zxing-cpp, spot by spot, each with its readings of the flat picture."""
    for side in SPOT_SIDES:
        ratio = min(1.0, side / max(picture.size))
        size = max(1, round(picture.width * ratio)), max(1, round(picture.height * ratio))
        small = np.asarray(picture.resize(size), dtype=np.float32)
        for spot in find_spots(small):
            place = _matched(small, spot)
            if place is not None:
                flat = _scan_flat(small, place)
                yield [_grown(sighting, ratio) for sighting in (place, *flat)]


def _matched(gray: npt.NDArray[np.float32], spot: Spot) -> Sighting | None:
    """The first good line of the best-fitting direction and length."""
    tries = sorted(
        (
            (_rough_fit(gray, spot, turned=turned, share=share), turned, share)
            for turned in (False, True)
            for share in SHARES
        ),
        reverse=True,
    )
    fit, turned, share = tries[0]
    if fit < ROUGH_FIT:
        return None
    for profile in _profiles(gray, spot, turned=turned, share=share, lines=SPOT_LINES):
        line = read_profile(profile, Symbology.EAN_13)
        if line.digits and line.fit >= MIN_FIT and line.margin >= MIN_MARGIN:
            start, end = (spot.end, spot.start) if turned else (spot.start, spot.end)
            beyond = MARGIN / round(MODULES * share)
            first, last = (
                _between(start, end, at * (1 + 2 * beyond) - beyond)
                for at in (line.start, line.end)
            )
            return Sighting(Symbology.EAN_13, line.digits, MATCHED, first, last, spot.height)
    return None


def _rough_fit(gray: npt.NDArray[np.float32], spot: Spot, *, turned: bool, share: float) -> float:
    (profile,) = _profiles(gray, spot, turned=turned, share=share, lines=1)
    return read_profile(profile, Symbology.EAN_13, blurs=(ROUGH_BLUR,)).fit


def _profiles(
    gray: npt.NDArray[np.float32], spot: Spot, *, turned: bool, share: float, lines: int
) -> list[Profile]:
    start, end = (spot.end, spot.start) if turned else (spot.start, spot.end)
    modules = round(MODULES * share)
    return profiles_across(
        gray, start, end, spot.height, modules=modules, lines=lines, margin=MARGIN
    )


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _scan_flat(gray: npt.NDArray[np.float32], place: Sighting) -> list[Sighting]:
    from PIL import Image, ImageFilter

    rows = np.array(
        profiles_across(
            gray,
            place.start,
            place.end,
            place.height,
            modules=MODULES,
            lines=FLAT_LINES,
            margin=MARGIN,
        )
    )
    five = np.lib.stride_tricks.sliding_window_view(rows, 5, axis=0).mean(axis=-1)
    low, high = float(np.percentile(five, 1)), float(np.percentile(five, 99))
    stretched = np.clip((five - low) * (255.0 / max(high - low, 1.0)), 0, 255).astype(np.uint8)
    flat = Image.fromarray(np.repeat(stretched, 4, axis=0))
    for radius in (2, 4, 6):
        crisp = flat.filter(ImageFilter.UnsharpMask(radius, 400, 0))
        seen = [code for code in scan(crisp, STRAIGHTENED) if code.symbology is place.symbology]
        if seen:
            return [
                Sighting(
                    code.symbology, code.digits, code.look, place.start, place.end, place.height
                )
                for code in seen
            ]
    return []


def levelled(picture: Image, place: Sighting) -> Image:
    """The code and its surroundings, rotated level and scaled to a fixed size, for reading its
    digits."""
    from PIL import Image

    (ax, ay), (bx, by) = place.start, place.end
    middle_x, middle_y = place.centre
    # Pixels of the photograph per pixel of the result, along and down.
    along_x, along_y = (bx - ax) / LEVEL_LENGTH, (by - ay) / LEVEL_LENGTH
    width, height = LEVEL_SIZE
    left = middle_x - along_x * width / 2 + along_y * height / 2
    top = middle_y - along_y * width / 2 - along_x * height / 2
    return picture.transform(
        LEVEL_SIZE,
        Image.Transform.AFFINE,
        (along_x, -along_y, left, along_y, along_x, top),
        Image.Resampling.BICUBIC,
    )


def _grown(sighting: Sighting, ratio: float) -> Sighting:
    (ax, ay), (bx, by) = sighting.start, sighting.end
    return Sighting(
        sighting.symbology,
        sighting.digits,
        sighting.look,
        (ax / ratio, ay / ratio),
        (bx / ratio, by / ratio),
        sighting.height / ratio,
    )
