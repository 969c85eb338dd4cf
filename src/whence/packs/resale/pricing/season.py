"""Whether sales keep to a season: three neighbouring months with more than chance explains."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from whence.packs.resale.records import ListingStatus

from .comps import Comp

YEAR_DAYS = 365
LEAST_SALES = 24
"""Sales below which not even a strong season can be told from chance with confidence."""
WINDOW = 3
"""Months of a season."""
CHANCE = 0.01
"""A season is named if chance would show one as strong at most this often."""
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def peak(comps: Sequence[Comp], now: datetime) -> tuple[int, int, int, int]:
    """The first month (0 is January) of the strongest window, its sales, all sales, and years.

    Counts whole years before `now` alone, so that every month was as often possible.  Years are 0
    if the sales do not reach back that far.
    """
    ages = [
        (age, comp.closed_at.month - 1)
        for comp in comps
        if comp.status is ListingStatus.SOLD
        and comp.closed_at is not None
        and (age := comp.age_days(now)) is not None
    ]
    # A year counts once its oldest month has been reached.
    years = int((max((age for age, _ in ages), default=0) + YEAR_DAYS / 12) // YEAR_DAYS)
    months = Counter(month for age, month in ages if age < years * YEAR_DAYS)
    windows = [sum(months[(first + step) % 12] for step in range(WINDOW)) for first in range(12)]
    best = max(range(12), key=lambda first: (windows[first], -first))
    return best, windows[best], months.total(), years


def by_chance(hits: int, n: int) -> float:
    """How probable it is that some window has at least `hits` of `n` sales without any season.

    A binomial tail, times the twelve windows that were looked at (Bonferroni).
    """
    share = WINDOW / 12
    tail = math.fsum(
        math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(hits, n + 1)
    )
    return min(1.0, 12 * tail)


def months_of(first: int) -> str:
    """The window's months, as in `November to January`."""
    return f"{MONTHS[first]} to {MONTHS[(first + WINDOW - 1) % 12]}"
