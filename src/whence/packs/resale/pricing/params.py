"""The parameters of a price estimate besides the comps, in one record stored with the claim.

The model behind it: offers for one product scatter around a common level on the log scale, with a
heavy-tailed (Laplace) error. Two offers of the same product differ by a Laplace variable of scale
`market_spread`, more where shipping is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from pydantic import Field

from whence.packs.resale.records import Condition, Currency, ListingStatus
from whence.packs.resale.thresholds import PRICED_RELEVANCE
from whence.sdk.values import Wire

from .assumptions import Assumptions, shipped_assumptions

MARKET_SPREAD = 0.23
"""Laplace scale of the log ratio of two shops' prices for the same product, if the assumptions lack
its market. Maximum likelihood over the matched and priced train pairs of walmart_amazon
(`evals.price_spread` measures it again)."""

HALF_LIFE_DAYS = 90.0
"""Age (days) at which a comp weighs half: about one season, in which used electronics lose a few
per cent, less than offers scatter anyway."""

UNKNOWN_AGE_WEIGHT = 0.5
"""A comp without a date weighs as if it were one half-life old: neither fresh nor worthless."""

UNKNOWN_CONDITION_WEIGHT = 0.8
"""If only one side states a condition, the comp's price is not adjusted and it weighs less."""

STATUS_WEIGHT: Mapping[ListingStatus, float] = {
    ListingStatus.SOLD: 1.0,
    ListingStatus.ENDED: 0.5,
    ListingStatus.ACTIVE: 0.5,
    ListingStatus.UNKNOWN: 0.5,
}
"""Weight as an observation. A sale is a price somebody paid. Anything else counts half: a listing
that ended unsold is often the same refusal as the one before it, one on offer may still sell, and
one of unknown status may be either. Judged, not measured."""

UNSOLD_GAP = 0.25
"""Mean of the log gap between the cheapest unsold listing and the price, if nothing else is known:
half of the time the price lies more than a sixth below it. Judged, not measured; it only counts
where no sale and no other offer is known."""

UNSOLD_CONFIDENCE = 0.4
"""Most confidence of a price that rests on unsold listings alone: the gap above is an assumption,
so the odds stay against it."""

NO_SALE_CONFIDENCE = 0.65
"""Most confidence of a price without a known sale, below `CONFIDENT`: research goes on, and nobody
is told that offers are sales."""

REFERENCE_WEIGHT = STATUS_WEIGHT[ListingStatus.UNKNOWN] * UNKNOWN_AGE_WEIGHT
"""Weight of the comps on which `MARKET_SPREAD` was measured: asking prices of unknown age."""

PRIOR_COMPS = 3.0
"""The prior spread counts as this many comps in the estimate of the spread: the scatter of two or
three comps is not reliable."""

TRIM_CUT = 3.5
"""Robust z-score beyond which a comp is an outlier (Iglewicz & Hoaglin 1993)."""

TRIM_LEAST = 3
"""Comps needed before one of them can be called an outlier."""

FLOOR_QUANTILE = 0.18
CEILING_QUANTILE = 0.82
"""Floor to ceiling covers 64 % of offers, so that it covers three in five on new data too."""

SHIPPING_SHARE_UNKNOWN = 0.1
"""Share of the price that unknown shipping may add if the table has no figure for the currency."""

LEAST_WEIGHT = 0.02
"""Total weight below which there is not enough evidence: one exact sold comp of about 500 days, or
one half-sure asking price of about a year."""

NEAR = 1.25
"""Confidence is the probability of being within this factor: a quarter more or a fifth less."""

Scale = Annotated[float, Field(gt=0, le=5)]


class BandParams(Wire):
    """Parameters of one estimate; with the comps' values they reproduce the figures exactly."""

    now: datetime
    currency: Currency = "USD"
    condition: Condition | None = None
    """Condition to which prices are adjusted; None means no adjustment."""
    condition_factors: dict[Condition, float]
    shipping_typical: float | None = None
    """Typical shipping if it is unknown, in `currency`."""
    least_relevance: float = PRICED_RELEVANCE
    market_spread: Scale = MARKET_SPREAD
    market: str | None = None
    """Name of the market of this spread; None for the mean over all markets."""
    half_life_days: Annotated[float, Field(gt=0)] = HALF_LIFE_DAYS
    floor_quantile: Annotated[float, Field(gt=0, lt=0.5)] = FLOOR_QUANTILE
    ceiling_quantile: Annotated[float, Field(gt=0.5, lt=1)] = CEILING_QUANTILE
    trim_cut: Annotated[float, Field(gt=0)] = TRIM_CUT
    unsold_gap: Scale = UNSOLD_GAP


def band_params(
    now: datetime,
    *,
    condition: Condition | None = None,
    currency: str = "USD",
    category: str | None = None,
    assumptions: Assumptions | None = None,
    least_relevance: float = PRICED_RELEVANCE,
) -> BandParams:
    """Parameters for an item (`category` in free words) from the shipped or the user's table."""
    table = assumptions or shipped_assumptions()
    market = table.market_of(category)
    return BandParams(
        now=now,
        currency=currency,
        condition=condition,
        condition_factors=dict(table.condition),
        least_relevance=least_relevance,
        shipping_typical=table.typical_shipping.get(currency),
        market_spread=MARKET_SPREAD if market is None else market[1].spread,
        market=None if market is None else market[0],
    )
