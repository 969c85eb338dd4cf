"""Find where barcodes may be: places where all edges run the same way.

The direction of edges is taken from the structure tensor over small cells; neighbouring cells with
the same direction form a spot.  Source: Bigun and Granlund, Optimal orientation detection of linear
symmetry (1987).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

CELL = 8
"""Side of a cell in pixels: several bars of a code at the working size, a few for small ones."""
MIN_COHERENCE = 0.55
"""From 0 (edges run every way) to 1 (all run one way): text stays below, bars go above."""
MIN_EDGE = 5.0
"""Minimum root-mean-square gradient in grey levels per pixel; below it there is only noise."""
MAX_TURN = 0.35
"""Largest difference in direction between neighbouring cells, in radians (20 degrees)."""
MIN_CELLS = 6
"""Fewest cells of a spot: a code of 95 modules at one pixel a module covers a dozen."""
MAX_SPOTS = 3
"""Spots read per image, the largest first."""

Grey = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Spot:
    """A possible barcode: the ends of its middle line across the bars, and the bars' height."""

    start: tuple[float, float]
    end: tuple[float, float]
    height: float


def find_spots(gray: Grey) -> list[Spot]:
    """At most `MAX_SPOTS` places, largest first, in pixels of the image given."""
    rows, columns = gray.shape[0] // CELL, gray.shape[1] // CELL
    if rows < 3 or columns < 3:
        return []
    trimmed = gray[: rows * CELL, : columns * CELL]
    down = np.gradient(trimmed, axis=0)
    right = np.gradient(trimmed, axis=1)
    xx, yy, xy = (
        _smooth(_cells(product, rows, columns))
        for product in (right * right, down * down, right * down)
    )
    energy = xx + yy
    coherence = np.hypot(xx - yy, 2 * xy) / (energy + 1e-6)
    direction = 0.5 * np.arctan2(2 * xy, xx - yy)
    marked = (coherence > MIN_COHERENCE) & (energy > MIN_EDGE**2)
    spots = [
        _outline(cells, direction)
        for cells in _regions(marked, direction)
        if len(cells) >= MIN_CELLS
    ]
    spots.sort(key=lambda spot: -spot.height * _length(spot))
    return spots[:MAX_SPOTS]


def _cells(values: npt.NDArray[np.floating], rows: int, columns: int) -> npt.NDArray[np.float64]:
    blocks = values.reshape(rows, CELL, columns, CELL).astype(np.float64)
    return blocks.mean(axis=(1, 3))


def _smooth(cells: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    padded = np.pad(cells, 1, mode="edge")
    rows, columns = cells.shape
    nine = [padded[i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    return np.mean(nine, axis=0)


def _regions(
    marked: npt.NDArray[np.bool_], direction: npt.NDArray[np.float64]
) -> list[list[tuple[int, int]]]:
    remaining = {(int(row), int(column)) for row, column in np.argwhere(marked)}
    regions: list[list[tuple[int, int]]] = []
    while remaining:
        seed = remaining.pop()
        region, edge = [seed], [seed]
        while edge:
            row, column = edge.pop()
            for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                near = (row + down, column + right)
                if near in remaining and _turn(direction[near], direction[row, column]) < MAX_TURN:
                    remaining.remove(near)
                    region.append(near)
                    edge.append(near)
        regions.append(region)
    return regions


def _turn(one: float, other: float) -> float:
    """Difference of two undirected angles, 0 to half of pi."""
    difference = abs(float(one) - float(other)) % np.pi
    return min(difference, np.pi - difference)


def _outline(cells: list[tuple[int, int]], direction: npt.NDArray[np.float64]) -> Spot:
    # Doubled angles average correctly, as a line has no direction.
    doubled = [2 * direction[cell] for cell in cells]
    angle = 0.5 * float(np.arctan2(np.mean(np.sin(doubled)), np.mean(np.cos(doubled))))
    centres = (np.array(cells, dtype=np.float64)[:, ::-1] + 0.5) * CELL
    across = np.array([np.cos(angle), np.sin(angle)])
    down = np.array([-across[1], across[0]])
    along, below = centres @ across, centres @ down
    middle = down * (below.min() + below.max()) / 2
    start = across * (along.min() - CELL / 2) + middle
    end = across * (along.max() + CELL / 2) + middle
    return Spot(
        start=(float(start[0]), float(start[1])),
        end=(float(end[0]), float(end[1])),
        height=float(np.ptp(below)) + CELL,
    )


def _length(spot: Spot) -> float:
    return float(np.hypot(spot.end[0] - spot.start[0], spot.end[1] - spot.start[1]))
