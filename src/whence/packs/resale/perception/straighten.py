"""Read the codes that zxing-cpp missed: find the bars, match their drawing, then straighten them.

A code found by the drawing matcher is one look; for a second one the bars are averaged along
their length into a clean flat picture, which zxing-cpp may read after all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .agreement import MIN_FIT, MIN_MARGIN
from .bars import profiles_across, read_profile
from .spots import Spot, find_spots
from .symbols import Symbology
from .views import Point, Sighting, scan

if TYPE_CHECKING:
    from PIL.Image import Image

MATCHED = "found by its drawing"
"""Not a look of its own: the comparison with the drawing is counted where the code is weighed."""
STRAIGHTENED = "straightened"

SPOT_SIDES = (1000, 500)
"""Longest sides in pixels at which bars are searched: fine ones, then blurred ones."""
SHARES = (1.0, 0.82, 1.2)
"""Length of the code as a share of the spot's: neighbours join a spot, faint ends leave it."""
SPOT_LINES = 3
MODULES = 95
"""Modules of an EAN-13 or UPC-A, the only codes worth this effort."""
FLAT_LINES = 24
"""Scan lines averaged, five at a time, into the flat picture."""


def straightened(picture: Image) -> Iterator[list[Sighting]]:
    """Codes found without zxing-cpp, spot by spot, each with what it sees on the flat picture."""
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
    for start, end in ((spot.start, spot.end), (spot.end, spot.start)):
        for share in SHARES:
            reach = MODULES * share
            margin = 12.0
            profiles = profiles_across(
                gray, start, end, spot.height, modules=round(reach), lines=SPOT_LINES, margin=margin
            )
            for profile in profiles:
                line = read_profile(profile, Symbology.EAN_13)
                if line.digits and line.fit >= MIN_FIT and line.margin >= MIN_MARGIN:
                    beyond = margin / round(reach)
                    first = line.start * (1 + 2 * beyond) - beyond
                    last = line.end * (1 + 2 * beyond) - beyond
                    return Sighting(
                        Symbology.EAN_13,
                        line.digits,
                        MATCHED,
                        _between(start, end, first),
                        _between(start, end, last),
                        spot.height,
                    )
    return None


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
            margin=12.0,
        )
    )
    five = np.lib.stride_tricks.sliding_window_view(rows, 5, axis=0).mean(axis=-1)
    low, high = float(np.percentile(five, 1)), float(np.percentile(five, 99))
    stretched = np.clip((five - low) * (255.0 / max(high - low, 1.0)), 0, 255).astype(np.uint8)
    flat = Image.fromarray(np.repeat(stretched, 4, axis=0))
    for radius in (2, 4):
        crisp = flat.filter(ImageFilter.UnsharpMask(radius, 250, 0))
        seen = [code for code in scan(crisp, STRAIGHTENED) if code.symbology is place.symbology]
        if seen:
            return [
                Sighting(
                    code.symbology, code.digits, code.look, place.start, place.end, place.height
                )
                for code in seen
            ]
    return []


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
