"""Describe an estimate with its figures or, if there is none, what would help to get one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from whence.packs.resale.records import Condition, ListingStatus

from .comps import Comp
from .estimate import Estimate
from .params import UNKNOWN_AGE_WEIGHT, BandParams
from .weighing import Weighed, why_left_out

_STATUS_WORDS = {
    ListingStatus.SOLD: "sold",
    ListingStatus.ENDED: "ended unsold",
    ListingStatus.ACTIVE: "asking",
    ListingStatus.UNKNOWN: "of unknown status",
}


IDENTITY_HELPS = "The item's barcode (GTIN), or brand and exact model number, to find matches"
"""What would help if no listing is certainly the product."""


def money(amount: float, currency: str) -> str:
    """An amount for display: with cents below ten thousand."""
    digits = 0 if amount >= 10_000 else 2
    return f"{currency} {amount:,.{digits}f}"


def target_words(estimate: Estimate, params: BandParams) -> str:
    """How the target was computed, and how reliable it is."""
    parts = [_basis(estimate, params), *_without_sale(estimate), *_caveats(estimate, params)]
    return " ".join([*parts, _further(estimate)])


def _further(estimate: Estimate) -> str:
    """What to expect of future sales; a confidence that was held down is no such share."""
    half = f"Half of future sales should be within {_spread(estimate):.0%} of it"
    if not estimate.prices:
        return f"{half}, if that assumption holds."
    if estimate.confidence_is_limited:
        return f"{half}."
    return f"{half}, and {estimate.confidence:.0%} within a quarter of it."


def _basis(estimate: Estimate, params: BandParams) -> str:
    bounds = estimate.bounds
    cheapest = min((each.amount for each in bounds), default=0.0)
    if not estimate.prices:
        gap = 1 - math.exp(-params.unsold_gap)
        return (
            f"{_comps(bounds, estimate, params)} found no buyer, so the price is below the "
            f"cheapest of them, {money(cheapest, params.currency)}. How far below is an "
            f"assumption (about {gap:.0%})."
        )
    basis = f"Weighted median of {_comps(estimate.prices, estimate, params)}."
    if not bounds:
        return basis
    verb = "bounds" if len(bounds) == 1 else "bound"
    at = money(cheapest, params.currency)
    if any(each.amount > cheapest for each in bounds):
        at = f"{at} or more"
    return f"{basis} {_kinds(bounds)} at {at} {verb} it from above and cannot raise it."


def _without_sale(estimate: Estimate) -> list[str]:
    if estimate.has_sale:
        return []
    limited = f"held at {estimate.confidence:.0%}" if estimate.confidence_is_limited else "low"
    return [f"No sale is known, so the confidence is {limited}."]


def edge_words(estimate: Estimate, params: BandParams, *, floor: bool) -> str:
    """What floor or ceiling means."""
    level = params.floor_quantile if floor else params.ceiling_quantile
    side, share, who = (
        ("below", level, "a price for a quick sale")
        if floor
        else ("above", 1 - level, "a price for a sale that can wait")
    )
    return (
        f"{who.capitalize()}: an estimated {share:.0%} of sales lie {side} it. "
        f"{_spread_words(estimate, params)}"
    )


def trimmed_words(comp: Weighed, estimate: Estimate) -> str:
    """Why a comp was treated as an outlier."""
    factor = comp.amount / estimate.target
    return (
        f"Outlier: {factor:.2g} times the target, more than the spread of the other comps explains."
    )


def shortage(comps: Sequence[Comp], params: BandParams) -> tuple[str, tuple[str, ...]]:
    """Why there is no price, and what would help."""
    floor = params.least_relevance
    reasons = [why_left_out(comp, params) for comp in comps]
    usable = sum(reason is None for reason in reasons)
    if not comps:
        why = "No comparable listing was found."
    elif usable:
        remain = "listing remains" if usable == 1 else "listings remain"
        why = f"{usable} comparable {remain}, but too old or too uncertain for a price."
    else:
        relevant = [c for c in comps if c.relevance >= floor]
        why = (
            f"None of {len(comps)} listings is certainly the same product "
            f"(best relevance {max(c.relevance for c in comps):.2f}, needed {floor:g})."
            if not relevant
            else f"{_are(len(relevant))} the same product, but none is usable: "
            f"{_commonest([why_left_out(c, params) or '' for c in relevant])}."
        )
    settle = ["One recent sale of exactly this product, with price, shipping, condition and date"]
    if any(c.relevance >= floor and c.currency != params.currency for c in comps):
        settle.append(f"A listing priced in {params.currency}")
    if any(c.relevance >= floor and c.price is None for c in comps):
        settle.append("Prices for the matching listings that state none")
    if not any(c.relevance >= floor for c in comps):
        settle.append(IDENTITY_HELPS)
    return why, tuple(settle)


def _comps(comps: Sequence[Weighed], estimate: Estimate, params: BandParams) -> str:
    n = len(comps)
    low, high = min(c.amount for c in comps), max(c.amount for c in comps)
    span = money(low, params.currency)
    if high > low:
        span = f"{span} to {money(high, params.currency)}"
    noun = "comp" if n == 1 else "comps"
    size = f"effective sample size {estimate.effective_size:.1f}"
    return f"{n} {noun} ({_kinds(comps)}) at {span}, {size}"


def _kinds(comps: Sequence[Weighed]) -> str:
    counts = Counter(each.comp.status for each in comps)
    return ", ".join(f"{n} {_STATUS_WORDS[status]}" for status, n in sorted(counts.items()))


def _caveats(estimate: Estimate, params: BandParams) -> list[str]:
    used = estimate.used
    caveats: list[str] = []
    unknown = sum(c.comp.shipping is None for c in used)
    if unknown:
        typical = params.shipping_typical
        if typical is None:
            added = "nothing was added, but the range is wider by up to a tenth of the price"
        else:
            amount = money(typical, params.currency)
            added = f"the typical {amount} was added, and the range is wider by as much"
        caveats.append(f"Shipping is unknown for {unknown} of {len(used)}: {added}.")
    ages = sorted(age for c in used if (age := c.comp.calendar_days(params.now)) is not None)
    if ages:
        span = f"{ages[-1]}" if ages[0] == ages[-1] else f"{ages[0]} to {ages[-1]}"
        days = "day" if span == "1" else "days"
        caveats.append(f"They are {span} {days} old.")
    if undated := len(used) - len(ages):
        counts = "counts" if undated == 1 else "count"
        caveats.append(f"{undated} without a date {counts} {UNKNOWN_AGE_WEIGHT:g} of a new one.")
    if params.condition is None:
        caveats.append("The item's condition is unknown, so prices were not adjusted for it.")
    elif bare := sum(c.comp.condition is None for c in used):
        state = "states no condition and was" if bare == 1 else "state no condition and were"
        caveats.append(f"{bare} {state} treated as {_words(params.condition)}.")
    changed = sum(c.comp.condition not in (None, params.condition) for c in used)
    if changed and params.condition is not None:
        were = "was" if changed == 1 else "were"
        caveats.append(
            f"{changed} {were} adjusted from another condition to {_words(params.condition)}."
        )
    if estimate.trimmed:
        outliers = len(estimate.trimmed)
        were = "outlier was" if outliers == 1 else "outliers were"
        caveats.append(f"{outliers} {were} excluded.")
    return caveats


def _words(condition: Condition) -> str:
    """`like new`."""
    return condition.value.replace("_", " ")


def _spread_words(estimate: Estimate, params: BandParams) -> str:
    n = len(estimate.prices)
    usual = f"usual for {params.market}" if params.market else "usual between shops"
    match n:
        case 0:
            source = "an assumption, as no sale is known"
        case 1:
            source = f"{usual}, as one comp has no spread of its own"
        case _:
            source = f"{usual}, corrected by that of the {n} comps"
    return f"Half of sales are within {_spread(estimate):.0%} of the target ({source})."


def _spread(estimate: Estimate) -> float:
    return math.exp(estimate.half_width) - 1


def _are(listings: int) -> str:
    return "1 listing is" if listings == 1 else f"{listings} listings are"


def _commonest(reasons: Sequence[str]) -> str:
    return Counter(reasons).most_common(1)[0][0]
