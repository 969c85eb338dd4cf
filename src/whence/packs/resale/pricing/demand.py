"""Demand: sell-through, days to sell, competition, each with its source."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from whence.packs.resale.records import ListingStatus
from whence.packs.resale.thresholds import KEPT_RELEVANCE, PRICED_RELEVANCE

from .comps import Comp
from .market import ACTIVE, SOLD, Coverage, Extent, extent
from .season import CHANCE, by_chance, months_of, peak
from .season import LEAST_SALES as SEASON_SALES
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
    low: float | None = None
    high: float | None = None
    """The range of the figure where only a sample of the market was fetched; None elsewhere."""


@dataclass(frozen=True, slots=True)
class Demand:
    """The signals of one item."""

    sell_through: Signal
    days_to_sell: Signal
    active_competition: Signal
    season: Signal

    def signals(self) -> tuple[Signal, ...]:
        """The signals in display order."""
        return (self.sell_through, self.days_to_sell, self.active_competition, self.season)


def demand(
    comps: Sequence[Comp],
    now: datetime,
    *,
    coverage: Sequence[Coverage] = (),
    active_searched: bool = False,
    least_relevance: float = PRICED_RELEVANCE,
) -> Demand:
    """Demand signals from the comps that may set a price: the same product, for sure.

    `coverage`: what the sources hold beside what was fetched; without it, everything was fetched.
    `active_searched`: a source was asked for active listings, so none means 0, not unknown.
    """
    relevant = [comp for comp in comps if comp.relevance >= least_relevance]
    unsure = [comp for comp in comps if KEPT_RELEVANCE <= comp.relevance < least_relevance]
    if unsure and not relevant:
        return _of_others(unsure)
    offers = sum(comp.status is ListingStatus.ACTIVE for comp in unsure)
    return Demand(
        sell_through=sell_through(relevant, now, coverage),
        days_to_sell=days_to_sell(relevant, now, coverage),
        active_competition=active_competition(
            relevant, coverage, searched=active_searched, unsure=offers
        ),
        season=season(relevant, now),
    )


def _of_others(comps: Sequence[Comp]) -> Demand:
    """No signal: the listings may be of other products."""
    those = "the listing is not" if len(comps) == 1 else f"none of {len(comps)} listings is"
    reason = f"{those} certainly the same product"
    return Demand(
        sell_through=_unknown("sell_through", "share", (), reason, PERIOD_DAYS),
        days_to_sell=_unknown("days_to_sell", "days", (), reason, None),
        active_competition=_unknown("active_competition", "listings", (), reason, None),
        season=_unknown("season", "share", (), reason, None),
    )


def sell_through(comps: Sequence[Comp], now: datetime, coverage: Sequence[Coverage] = ()) -> Signal:
    """Sold, as a share (0 to 1) of sold, ended unsold and still active, over `PERIOD_DAYS`.

    Where a page was full, its share of the product is applied to the source's total; a source
    without a total leaves a range.
    """
    active = [comp for comp in comps if comp.status is ListingStatus.ACTIVE]
    closed = [comp for comp in comps if _closed_recently(comp, now)]
    sold = [comp for comp in closed if comp.status is ListingStatus.SOLD]
    outcomes = [*closed, *active]
    n = len(outcomes)
    if n < LEAST_OUTCOMES or n == len(sold):
        reason = (
            f"{_listings(n)} with a known outcome in {PERIOD_DAYS} days{_undated(comps)}; "
            f"{LEAST_OUTCOMES} are needed"
            if n < LEAST_OUTCOMES
            else f"only sales are known ({n}), and no unsold or active listings to compare with"
        )
        return _unknown("sell_through", "share", outcomes, reason, PERIOD_DAYS)
    ended = [comp for comp in closed if comp.status is ListingStatus.ENDED]
    sales, offers = extent(sold, SOLD, coverage), extent(active, ACTIVE, coverage)
    unsold = extent(ended, SOLD, coverage) + offers
    signal = partial(
        Signal,
        "sell_through",
        unit="share",
        period_days=PERIOD_DAYS,
        source=_sources(outcomes),
        n=n,
    )
    counted = (
        f"{len(sold)} of {n} sold in {PERIOD_DAYS} days; {len(ended)} ended unsold, "
        f"{len(active)} still active."
    )
    if sales.is_known and unsold.is_known:
        return signal(value=len(sold) / n, words=counted)
    low = sales.low / (sales.low + unsold.high)
    high = 1.0 if math.isinf(sales.high) else sales.high / (sales.high + unsold.low)
    between = f"between {low:.0%} and {high:.0%}"
    if sales.estimate is None or unsold.estimate is None:
        words = (
            f"Not enough evidence: only a sample was fetched, and a source does not say how many "
            f"listings it has; the share is {between}. In the sample: {counted}"
        )
        return signal(value=None, words=words, low=low, high=high)
    share = sales.estimate / (sales.estimate + unsold.estimate)
    words = (
        f"About {sales.estimate:.0f} sold in {PERIOD_DAYS} days and {unsold.estimate:.0f} "
        f"not, by the sources' totals and the share of this product in a sample; {between}. "
        f"In the sample: {counted}"
    )
    return signal(value=share, words=words, low=low, high=high)


def days_to_sell(comps: Sequence[Comp], now: datetime, coverage: Sequence[Coverage] = ()) -> Signal:
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
    sample = " From a sample of the market." if any(each.is_full for each in coverage) else ""
    words = (
        f"Half sell within {value:.0f} days ({sales} sales; {unsold} unsold count as waiting)."
        f"{sample}"
    )
    return Signal("days_to_sell", value, "days", None, _sources(behind), len(spells), words)


def active_competition(
    comps: Sequence[Comp], coverage: Sequence[Coverage] = (), *, searched: bool, unsure: int = 0
) -> Signal:
    """The number of listings on offer now; at least those that were fetched.

    `unsure`: further active listings, which may be of other products.
    """
    active = [comp for comp in comps if comp.status is ListingStatus.ACTIVE]
    if not active and not searched:
        reason = "only imported listings are known, and none of them is for sale now"
        return _unknown("active_competition", "listings", active, reason, None)
    if not active and unsure:
        reason = f"{_listings(unsure)} for sale may be of another product, and no others were found"
        return _unknown("active_competition", "listings", active, reason, None)
    silent = [comp for comp in comps if comp.status is ListingStatus.UNKNOWN]
    if not active and silent:
        some = "1 listing does" if len(silent) == 1 else f"{len(silent)} listings do"
        reason = f"{some} not say whether the item is still for sale, and no others were found"
        return _unknown("active_competition", "listings", silent, reason, None)
    prices = sorted(comp.total for comp in active if comp.total is not None)
    offers = extent(active, ACTIVE, coverage)
    words = f"{_counted(offers)} for sale now"
    if prices and len({comp.currency for comp in active}) == 1:
        words += f", from {active[0].currency} {prices[0]:,.2f}"
    value = float(len(active)) if offers.estimate is None else round(offers.estimate)
    signal = Signal(
        "active_competition", value, "listings", None, _sources(active), len(active), f"{words}."
    )
    if offers.is_known:
        return signal
    return replace(signal, low=offers.low, high=None if math.isinf(offers.high) else offers.high)


def _counted(offers: Extent) -> str:
    if offers.is_known:
        return f"{offers.seen}"
    if offers.estimate is None:
        return f"At least {offers.seen}"
    return f"About {offers.estimate:.0f} ({offers.low:.0f} to {offers.high:.0f})"


def season(comps: Sequence[Comp], now: datetime) -> Signal:
    """The share of sales in the three months with most of them, if that is more than chance."""
    behind = [c for c in comps if c.status is ListingStatus.SOLD and c.closed_at is not None]
    first, hits, n, years = peak(behind, now)
    if years == 0 or n < SEASON_SALES:
        reason = f"sales of a whole year are needed, at least {SEASON_SALES}; there are {n}"
        return _unknown("season", "share", behind, reason, None)
    if by_chance(hits, n) > CHANCE:
        reason = f"{n} sales show no season that chance would not explain"
        return _unknown("season", "share", behind, reason, None)
    span = "1 year" if years == 1 else f"{years} years"
    words = f"{hits / n:.0%} of {n} sales in {span} were in {months_of(first)}."
    return Signal("season", hits / n, "share", None, _sources(behind), n, words)


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


def _listings(n: int) -> str:
    return "1 listing" if n == 1 else f"{n} listings"


def _undated(comps: Sequence[Comp]) -> str:
    """The sales that cannot be placed in the period, as an aside."""
    n = sum(comp.status is ListingStatus.SOLD and comp.closed_at is None for comp in comps)
    if not n:
        return ""
    return f" ({'1 sale has' if n == 1 else f'{n} sales have'} no date)"


def _sources(comps: Sequence[Comp]) -> str:
    return ", ".join(sorted({comp.source for comp in comps})) or "none"
