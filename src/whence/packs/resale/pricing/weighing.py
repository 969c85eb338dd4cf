"""Turn comps into weighed log prices; comps that do not count are left out with a reason."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from whence.packs.resale.records import MAX_AMOUNT, Condition, ListingStatus

from .comps import Comp
from .params import (
    LEAST_WEIGHT,
    SHIPPING_SHARE_UNKNOWN,
    STATUS_WEIGHT,
    UNKNOWN_AGE_WEIGHT,
    UNKNOWN_CONDITION_WEIGHT,
    BandParams,
)

CONDITION_DOUBT = 0.3
"""Share of a condition adjustment (log scale) by which the comp's kernel is widened: the factors
are rules of thumb."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A comp that may count: its adjusted price (log), weight 0 to 1, and additional scale."""

    comp: Comp
    value: float
    weight: float
    doubt: float
    """Laplace scale added for unknown shipping or an adjusted condition."""

    @property
    def amount(self) -> float:
        """The adjusted price in the currency of the estimate."""
        return math.exp(self.value)


UNSOLD = (ListingStatus.ENDED, ListingStatus.ACTIVE)


def split(weighed: Sequence[Weighed]) -> tuple[list[Weighed], list[Weighed]]:
    """Prices, and bounds: listings that found no buyer at their price.

    A listing of unknown status is an asking price beside a known sale, and so a bound; without one
    it is the best there is, and counts as a price.
    """
    sales = [each.weight for each in weighed if each.comp.status is ListingStatus.SOLD]
    has_sale = math.fsum(sales) >= LEAST_WEIGHT
    unsold = (*UNSOLD, ListingStatus.UNKNOWN) if has_sale else UNSOLD
    bounds = [each for each in weighed if each.comp.status in unsold]
    return [each for each in weighed if each.comp.status not in unsold], bounds


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A comp that does not count, and the reason."""

    evidence_id: UUID | str
    reason: str


def weigh(comps: Sequence[Comp], params: BandParams) -> tuple[list[Weighed], list[LeftOut]]:
    """Split comps into weighed ones that count and those that do not, with the reason."""
    weighed: list[Weighed] = []
    left_out: list[LeftOut] = []
    for comp in comps:
        reason = why_left_out(comp, params)
        if reason is None:
            weighed.append(_weighed(comp, params))
        else:
            left_out.append(LeftOut(comp.evidence_id, reason))
    weighed.sort(key=lambda w: (w.value, w.weight, str(w.comp.evidence_id)))
    return weighed, left_out


def why_left_out(comp: Comp, params: BandParams) -> str | None:
    """The reason a comp may not move the price, or None."""
    if not comp.relevance >= params.least_relevance:
        return f"relevance {comp.relevance:.2f} is below {params.least_relevance:g}"
    if comp.price is None or comp.total is None:
        return "it states no price"
    if comp.currency != params.currency:
        return f"priced in {comp.currency}, not {params.currency}; no exchange rate is assumed"
    if not (math.isfinite(comp.total) and comp.price > 0 and comp.total < MAX_AMOUNT):
        return f"{comp.price:g} is not a price"
    return None


def recency(age_days: float | None, half_life_days: float) -> float:
    """Weight for age: 1 today, halved with each half-life, 0.5 if unknown."""
    return UNKNOWN_AGE_WEIGHT if age_days is None else 2 ** (-age_days / half_life_days)


def buyers_total(comp: Comp, params: BandParams) -> float:
    """What the buyer pays; a listing that states no shipping is assumed to add the typical amount.

    Without it, prices came out too low at every price level but the highest (`evals.price_spread`).
    """
    unstated = (params.shipping_typical or 0.0) if comp.shipping is None else 0.0
    return (comp.total or 0.0) + unstated


def _recency(comp: Comp, params: BandParams) -> float:
    """A listing on offer is refused today, however long ago it was listed."""
    if comp.status is ListingStatus.ACTIVE:
        return 1.0
    return recency(comp.age_days(params.now), params.half_life_days)


def _weighed(comp: Comp, params: BandParams) -> Weighed:
    total = buyers_total(comp, params)
    adjustment = _condition_adjustment(comp.condition, params)
    weight = (
        STATUS_WEIGHT[comp.status]
        * _recency(comp, params)
        * max(0.0, 2 * min(comp.relevance, 1.0) - 1)
        * (UNKNOWN_CONDITION_WEIGHT if _one_side_known(comp.condition, params) else 1.0)
    )
    shipping = 0.0
    if comp.shipping is None:
        typical = params.shipping_typical
        share = SHIPPING_SHARE_UNKNOWN if typical is None else typical / total
        shipping = math.log1p(share)
    return Weighed(
        comp=comp,
        value=math.log(total) + adjustment,
        weight=weight,
        doubt=math.hypot(shipping, CONDITION_DOUBT * adjustment),
    )


def _condition_adjustment(condition: Condition | None, params: BandParams) -> float:
    if condition is None or params.condition is None:
        return 0.0
    factors = params.condition_factors
    return math.log(factors[params.condition] / factors[condition])


def _one_side_known(condition: Condition | None, params: BandParams) -> bool:
    return (condition is None) != (params.condition is None)
