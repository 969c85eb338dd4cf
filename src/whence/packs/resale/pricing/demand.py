"""Demand: sell-through, days to sell, competition, each with its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from whence.packs.resale.records import ListingStatus
from whence.packs.resale.thresholds import KEPT_RELEVANCE

from .comps import Comp
from .survival import Spell, median_days

PERIOD_DAYS = 90
"""Period for sales and unsold ends, in days: marketplaces show sold listings for this long."""

LEAST_OUTCOMES = 5
"""Minimum listings with a known outcome for a rate: with four, one more sale moves it by 20 points.
"""

LEAST_SALES = 3
"""Minimum sales with both dates for a median time."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A demand figure; `value` is None if the evidence is not enough."""

    name: str
    value: float | None
    unit: str
    period_days: int | None
    """The period of the figure, in days before `now`; None for a current count."""
    source: str
    """The names of its listings' sources."""
    n: int
    """Number of listings behind it."""
    words: str


@dataclass(frozen=True, slots=True)
class Demand:
    """The three signals of one item."""

    sell_through: Signal
    days_to_sell: Signal
    active_competition: Signal

    def signals(self) -> tuple[Signal, ...]:
        """The signals in display order."""
        return (self.sell_through, self.days_to_sell, self.active_competition)


def demand(comps: Sequence[Comp], now: datetime, *, active_searched: bool = False) -> Demand:
    """Demand signals from the comps that are kept (relevance `KEPT_RELEVANCE` and more).

    `active_searched`: a source was asked for active listings, so none means 0, not unknown.
    """
    relevant = [comp for comp in comps if comp.relevance >= KEPT_RELEVANCE]
    return Demand(
        sell_through=sell_through(relevant, now),
        days_to_sell=days_to_sell(relevant, now),
        active_competition=active_competition(relevant, searched=active_searched),
    )


def sell_through(comps: Sequence[Comp], now: datetime) -> Signal:
    """Sold, as a share (0 to 1) of sold, ended unsold and still active, over `PERIOD_DAYS`."""
    active = [comp for comp in comps if comp.status is ListingStatus.ACTIVE]
    closed = [comp for comp in comps if _closed_recently(comp, now)]
    sold = sum(comp.status is ListingStatus.SOLD for comp in closed)
    outcomes = [*closed, *active]
    n = len(outcomes)
    if n < LEAST_OUTCOMES or n == sold:
        reason = (
            f"{n} listings with a known outcome in {PERIOD_DAYS} days; {LEAST_OUTCOMES} are needed"
            if n < LEAST_OUTCOMES
            else f"only sales are known ({n}), and no unsold or active listings to compare with"
        )
        return _unknown("sell_through", "share", outcomes, reason, PERIOD_DAYS)
    words = (
        f"{sold} of {n} sold in {PERIOD_DAYS} days; {n - sold - len(active)} ended unsold, "
        f"{len(active)} still active."
    )
    return Signal("sell_through", sold / n, "share", PERIOD_DAYS, _sources(outcomes), n, words)


def days_to_sell(comps: Sequence[Comp], now: datetime) -> Signal:
    """Median days from listing to sale; unsold and active listings count as censored."""
    dated = [(comp, spell) for comp in comps if (spell := _spell(comp, now)) is not None]
    spells = [spell for _, spell in dated]
    behind = [comp for comp, _ in dated]
    sales = sum(spell.sold for spell in spells)
    if sales < LEAST_SALES:
        reason = (
            f"{LEAST_SALES} sales with both listing and sale date are needed; there are {sales}"
        )
        return _unknown("days_to_sell", "days", behind, reason, None)
    unsold = len(spells) - sales
    value = median_days(spells)
    if value is None:
        longest = max(spell.days for spell in spells)
        reason = f"fewer than half of {len(spells)} sold within {longest:.0f} days"
        return _unknown("days_to_sell", "days", behind, reason, None)
    words = f"Half sell within {value:.0f} days ({sales} sales; {unsold} unsold count as waiting)."
    return Signal("days_to_sell", value, "days", None, _sources(behind), len(spells), words)


def active_competition(comps: Sequence[Comp], *, searched: bool) -> Signal:
    """The number of listings on offer now."""
    active = [comp for comp in comps if comp.status is ListingStatus.ACTIVE]
    if not active and not searched:
        reason = "no source of active listings was searched, and none was imported"
        return _unknown("active_competition", "listings", active, reason, None)
    silent = [comp for comp in comps if comp.status is ListingStatus.UNKNOWN]
    if not active and silent:
        some = "1 listing does" if len(silent) == 1 else f"{len(silent)} listings do"
        reason = f"{some} not say whether the item is still for sale, and no others were found"
        return _unknown("active_competition", "listings", silent, reason, None)
    prices = sorted(comp.total for comp in active if comp.total is not None)
    words = f"{len(active)} for sale now"
    if prices and len({comp.currency for comp in active}) == 1:
        words += f", from {active[0].currency} {prices[0]:,.2f}"
    return Signal(
        "active_competition",
        len(active),
        "listings",
        None,
        _sources(active),
        len(active),
        f"{words}.",
    )


def _closed_recently(comp: Comp, now: datetime) -> bool:
    if comp.status not in (ListingStatus.SOLD, ListingStatus.ENDED) or comp.closed_at is None:
        return False
    age = comp.age_days(now)
    return age is not None and age <= PERIOD_DAYS


def _spell(comp: Comp, now: datetime) -> Spell | None:
    """Days on offer, if the dates are known; None if the end is before the listing."""
    age = comp.listed_days(now)
    if age is None or comp.status is ListingStatus.UNKNOWN:
        return None
    if comp.status is ListingStatus.ACTIVE:
        return Spell(age, sold=False)
    closed = comp.age_days(now)
    if comp.closed_at is None or closed is None or closed > age:
        return None
    return Spell(age - closed, sold=comp.status is ListingStatus.SOLD)


def _unknown(
    name: str, unit: str, behind: Sequence[Comp], reason: str, period: int | None
) -> Signal:
    words = f"Not enough evidence: {reason}."
    return Signal(name, None, unit, period, _sources(behind), len(behind), words)


def _sources(comps: Sequence[Comp]) -> str:
    return ", ".join(sorted({comp.source for comp in comps})) or "none"
