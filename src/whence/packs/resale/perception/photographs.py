"""Read the photographs of an item: barcodes and printed text, photograph by photograph."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .images import READING_SIDE, UnreadableImage, open_image
from .text import OcrUnavailable, TextLine, read_text, read_texts

if TYPE_CHECKING:
    from .barcodes import Barcode, BarcodeReading

MAX_IMAGES = 4
"""Photographs read per item; more cost time and rarely show more."""


@dataclass(frozen=True)
class PhotographReading:
    """What one photograph shows.  `index` is its position in the sequence given."""

    index: int
    width: int
    height: int
    """Pixels, upright; 0 if the file could not be opened."""
    barcodes: BarcodeReading
    lines: tuple[TextLine, ...]
    problems: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Perception:
    """What all photographs show, in their order; `skipped` counts those beyond `MAX_IMAGES`."""

    images: tuple[PhotographReading, ...]
    skipped: int
    seconds: float

    @property
    def barcodes(self) -> tuple[Barcode, ...]:
        """Every code, each GTIN once, in order of the photographs."""
        barcodes: dict[str, Barcode] = {}
        for image in self.images:
            for barcode in image.barcodes.barcodes:
                barcodes.setdefault(barcode.gtin14, barcode)
        return tuple(barcodes.values())

    @property
    def gtin14(self) -> str | None:
        """The item's GTIN-14 if the photographs agree on exactly one, else None."""
        gtins = {barcode.gtin14 for barcode in self.barcodes}
        return gtins.pop() if len(gtins) == 1 else None

    @property
    def lines(self) -> tuple[TextLine, ...]:
        """Every printed line, in order of the photographs, unsure ones included."""
        return tuple(line for image in self.images for line in image.lines)

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read, each with the photograph's number, from 1."""
        return tuple(
            f"Photograph {image.index + 1}: {problem}"
            for image in self.images
            for problem in image.problems
        )


def read_photographs(images: Sequence[bytes | Path]) -> Perception:
    """What at most `MAX_IMAGES` photographs show.

    A photograph that cannot be opened is recorded as a problem; the others are still read. Occupies
    a core for about 0.3 s per photograph: on an event loop, use `read_photographs_async`.
    """

    began = time.perf_counter()
    seen = tuple(_see(index, source) for index, source in enumerate(images[:MAX_IMAGES]))
    return Perception(seen, max(0, len(images) - MAX_IMAGES), round(time.perf_counter() - began, 3))


async def read_photographs_async(images: Sequence[bytes | Path]) -> Perception:
    """`read_photographs` in a thread, so that the event loop continues."""
    import asyncio

    return await asyncio.to_thread(read_photographs, images)


def _see(index: int, source: bytes | Path) -> PhotographReading:
    from .barcodes import BarcodeReading, read_barcodes  # loads NumPy, which only workers need

    began = time.perf_counter()
    try:
        image = open_image(source, READING_SIDE)
    except UnreadableImage as error:
        nothing = BarcodeReading((), "the photograph could not be opened")
        seconds = round(time.perf_counter() - began, 3)
        return PhotographReading(index, 0, 0, nothing, (), (error.message,), seconds)
    problems: list[str] = []
    lines: tuple[TextLine, ...] = ()
    try:
        lines = read_text(image)
    except OcrUnavailable as error:
        problems.append(error.message)
    barcodes = read_barcodes(image, None if problems else read_texts)
    seconds = round(time.perf_counter() - began, 3)
    return PhotographReading(
        index, image.width, image.height, barcodes, lines, tuple(problems), seconds
    )
