"""Look for the ISBN of a Japanese book above its price line.

Such books carry two codes of one size, one above the other: the ISBN, and under it the price line
(see `symbols.is_price_line`).  A price line that was read shows where the ISBN must be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from .straighten import LEVEL_LENGTH, LEVEL_SIZE
from .views import Point, Sighting, scan

if TYPE_CHECKING:
    from PIL.Image import Image

RISE = 0.6
"""Distance from the middle of the price line to the middle of the picture above it, in lengths of
the code: the ISBN's middle is 0.35 to 0.9 above, and the picture is 1.1 high."""


def above(picture: Image, price_line: Sighting) -> Iterator[list[Sighting]]:
    """The codes above a price line, in each of several renderings of that part."""
    from PIL import Image, ImageFilter

    (ax, ay), (bx, by) = price_line.start, price_line.end
    middle_x, middle_y = price_line.centre
    # Pixels of the photograph per pixel of the result, along and down.
    along_x, along_y = (bx - ax) / LEVEL_LENGTH, (by - ay) / LEVEL_LENGTH
    width, height = LEVEL_SIZE
    middle_x, middle_y = middle_x + (by - ay) * RISE, middle_y - (bx - ax) * RISE
    left = middle_x - along_x * width / 2 + along_y * height / 2
    top = middle_y - along_y * width / 2 - along_x * height / 2
    part = picture.transform(
        LEVEL_SIZE,
        Image.Transform.AFFINE,
        (along_x, -along_y, left, along_y, along_x, top),
        Image.Resampling.BICUBIC,
    )

    def back(point: Point) -> Point:
        x, y = point
        return along_x * x - along_y * y + left, along_y * x + along_x * y + top

    scale = math.hypot(along_x, along_y)
    for name, view in (
        ("above the price line", part),
        ("above, sharpened", part.filter(ImageFilter.UnsharpMask(4, 250, 0))),
        ("above, sharpened more", part.filter(ImageFilter.UnsharpMask(8, 300, 0))),
        ("above, smoothed", part.filter(ImageFilter.GaussianBlur(2))),
    ):
        yield [
            replace(
                seen,
                start=back(seen.start),
                end=back(seen.end),
                height=seen.height * scale,
            )
            for seen in scan(view, name)
        ]
