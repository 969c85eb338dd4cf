"""How many listings the market holds, from what a source fetched of it and from its totals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from whence.packs.resale.records import ListingStatus

from .comps import Comp

SOLD, ACTIVE = "sold", "active"
_Z = 1.645
"""Standard normal quantile of a range that holds nine of ten."""

OFFERED = {
    ListingStatus.SOLD: SOLD,
    ListingStatus.ENDED: SOLD,
    ListingStatus.ACTIVE: ACTIVE,
    ListingStatus.UNKNOWN: ACTIVE,
}
"""The kind of search that finds a listing of this status."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was fetched of one source's sold or active listings."""

    source: str
    offer: str
    found: int
    """Listings that were fetched, of any product."""
    is_full: bool
    """Whether a page was full, so that the source holds more than was fetched."""
    total: int | None = None
    """How many the source says it has for the query, if a page was full and it says so."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How many listings of the product there are: the best estimate, and a range."""

    seen: int
    estimate: float | None
    """None if the source holds more than was fetched and does not say how many."""
    low: float
    high: float
    """Infinite where nothing bounds it."""

    @property
    def is_known(self) -> bool:
        """Whether everything was fetched."""
        return self.low == self.high

    def __add__(self, other: Extent) -> Extent:
        known = self.estimate is not None and other.estimate is not None
        return Extent(
            self.seen + other.seen,
            (self.estimate or 0) + (other.estimate or 0) if known else None,
            self.low + other.low,
            self.high + other.high,
        )


NONE = Extent(0, 0.0, 0.0, 0.0)


def extent(comps: Sequence[Comp], offer: str, coverage: Sequence[Coverage]) -> Extent:
    """The extent of these comps' market; what no coverage speaks of was fetched as a whole."""
    covered = {each.source: each for each in coverage if each.offer == offer}
    total = NONE
    for source in sorted({comp.source for comp in comps} | covered.keys()):
        seen = sum(comp.source == source for comp in comps)
        total += _of_source(seen, covered.get(source))
    return total


def _of_source(seen: int, coverage: Coverage | None) -> Extent:
    if coverage is None or not coverage.is_full or seen == 0:
        # Sources rank what fits best first: a full page without the product has none behind it.
        return Extent(seen, float(seen), float(seen), float(seen))
    if coverage.total is None:
        return Extent(seen, None, float(seen), math.inf)
    low, high = wilson(min(seen, coverage.found), coverage.found)
    estimate = coverage.total * min(1.0, seen / coverage.found)
    return Extent(
        seen,
        max(float(seen), estimate),
        max(float(seen), coverage.total * low),
        max(float(seen), coverage.total * high),
    )


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The range of a share seen `hits` times in `n` (Wilson 1927), which holds nine of ten."""
    share, z2 = hits / n, _Z * _Z
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return max(0.0, centre - half), min(1.0, centre + half)
