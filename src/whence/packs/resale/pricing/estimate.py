"""The price figures: a pure function of comp values and parameters, so they can be recomputed.

Prices scatter around a level on the log scale with variance t2 (one price). A further one is then
predicted from evidence of total weight W with variance t2 * (1 + w0 / W), where w0 is the weight of
one comp of the kind on which t2 was measured: inverse-variance weighting, so that a single price of
unknown age predicts the next one exactly as well as measured, and a fresh sale better. t2 itself is
the measured prior, shrunk towards the comps' own scatter as they become many. Listings that found
no buyer are no prices: they bound the prediction from above (`prediction.Prediction.bounded`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from whence.packs.resale.records import ListingStatus

from .comps import Comp
from .params import (
    LEAST_WEIGHT,
    NEAR,
    NO_SALE_CONFIDENCE,
    PRIOR_COMPS,
    REFERENCE_WEIGHT,
    TRIM_LEAST,
    UNSOLD_CONFIDENCE,
    BandParams,
)
from .prediction import Bound, Kernel, Prediction
from .weighing import LeftOut, Weighed, split, weigh
from .weighted import effective_size, robust_spread, weighted_mean, weighted_median

TOO_WEAK = "too old or too uncertain for a price"


@dataclass(frozen=True, slots=True)
class Estimate:
    """Prices in the currency of the parameters."""

    floor: float
    target: float
    ceiling: float
    confidence: float
    """Probability, 0 to 1, that a further sale is within a factor `NEAR` of `target`."""
    confidence_is_limited: bool
    """Whether it was held down because no sale is known."""
    tail_confidence: float
    """The same for floor and ceiling, whose quantiles are estimated less precisely."""
    half_width: float
    """The middle half of further prices lies within this factor of their middle (log)."""
    weight: float
    """Sum of the weights: 1 is one exact comp sold today in the item's condition."""
    effective_size: float
    """Kish's effective number of comps."""
    prices: tuple[Weighed, ...]
    bounds: tuple[Weighed, ...]
    """Listings that found no buyer at their price."""
    trimmed: tuple[Weighed, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def used(self) -> tuple[Weighed, ...]:
        """All comps behind the figures."""
        return (*self.prices, *self.bounds)

    @property
    def has_sale(self) -> bool:
        """Whether one of the prices was paid."""
        return any(each.comp.status is ListingStatus.SOLD for each in self.prices)


def recompute_band(comps: Sequence[Comp], params: BandParams) -> dict[str, float]:
    """Floor, target, ceiling and confidence from evidence values and parameters alone.

    Empty if the evidence is not enough.  The engine calls this before it saves a price claim.
    """
    estimate = estimate_price(comps, params)
    if estimate is None:
        return {}
    return {
        "floor": estimate.floor,
        "target": estimate.target,
        "ceiling": estimate.ceiling,
        "confidence": estimate.confidence,
    }


def estimate_price(comps: Sequence[Comp], params: BandParams) -> Estimate | None:
    """Weigh, trim, predict and read the quantiles; None if the evidence is not enough.

    Repeats with the comps that count until none is dropped, so that they alone give the figures:
    without a trimmed sale, a listing of unknown status may be a price instead of a bound.
    """
    weighed, left_out = weigh(comps, params)
    trimmed: list[Weighed] = []
    while (estimate := _estimate(weighed, params)) is not None:
        trimmed += estimate.trimmed
        left_out += estimate.left_out
        if len(estimate.used) == len(weighed):
            return replace(estimate, trimmed=tuple(trimmed), left_out=tuple(left_out))
        weighed = [each for each in weighed if each in estimate.used]
    return None


def _estimate(weighed: Sequence[Weighed], params: BandParams) -> Estimate | None:
    candidates, unsold = split(weighed)
    prices, trimmed = trim(candidates, params)
    bounds, low = _without_low(unsold, prices, params)
    left_out: list[LeftOut] = []
    if _weight(prices) < LEAST_WEIGHT:
        left_out += [LeftOut(each.comp.evidence_id, TOO_WEAK) for each in (*prices, *trimmed, *low)]
        prices, trimmed, bounds, low = [], [], unsold, []
    behind = prices or bounds
    total = _weight(behind)
    if total < LEAST_WEIGHT:
        return None
    offer = offer_variance(prices, params)
    level = offer * REFERENCE_WEIGHT / total
    prediction = _prediction(prices, bounds, offer, level, params)
    target = prediction.quantile(0.5)
    near, most = prediction.within(target, math.log(NEAR)), _most_confidence(prices)
    confidence = min(near, most)
    return Estimate(
        floor=math.exp(prediction.quantile(params.floor_quantile)),
        target=math.exp(target),
        ceiling=math.exp(prediction.quantile(params.ceiling_quantile)),
        confidence=confidence,
        confidence_is_limited=near > most,
        tail_confidence=confidence * _tail_share(offer, level, _mean_doubt(behind), params),
        half_width=prediction.half_width(),
        weight=total,
        effective_size=effective_size([comp.weight for comp in behind]),
        prices=tuple(prices),
        bounds=tuple(bounds),
        trimmed=(*trimmed, *low),
        left_out=tuple(left_out),
    )


def _prediction(
    prices: Sequence[Weighed],
    bounds: Sequence[Weighed],
    offer: float,
    level: float,
    params: BandParams,
) -> Prediction:
    if not prices:
        refusals = [Bound(each.value, each.weight, _scale(offer, each.doubt)) for each in bounds]
        return Prediction.under(refusals, params.unsold_gap).bounded(refusals)
    predicted = Prediction.of_prices(_kernels(prices, offer + level, level))
    return predicted.shifted(_lowering(prices, bounds, offer)) if bounds else predicted


def _lowering(prices: Sequence[Weighed], bounds: Sequence[Weighed], offer: float) -> float:
    """How far the bounds lower the level of the prices (log); never above 0.

    A bound tells of the level alone, so many prices are moved less than one.
    """
    kernels = [
        Kernel(each.value, each.weight / REFERENCE_WEIGHT, _scale(offer, each.doubt))
        for each in prices
    ]
    refusals = [
        Bound(each.value, each.weight / REFERENCE_WEIGHT, _scale(offer, each.doubt))
        for each in bounds
    ]
    level = Prediction.of_level(kernels)
    return level.bounded(refusals).quantile(0.5) - level.quantile(0.5)


def _most_confidence(prices: Sequence[Weighed]) -> float:
    """A price that nobody is known to have paid is never a sure one."""
    if not prices:
        return UNSOLD_CONFIDENCE
    is_paid = any(each.comp.status is ListingStatus.SOLD for each in prices)
    return 1.0 if is_paid else NO_SALE_CONFIDENCE


def _tail_share(offer: float, level: float, doubt: float, params: BandParams) -> float:
    """How much less probable it is that an edge is near, as its quantile is less precise."""
    wider = offer + level * _tail_factor(params.floor_quantile)
    tail, middle = (_scale(variance, doubt) for variance in (wider, offer + level))
    return near_probability(tail) / near_probability(middle)


def _weight(weighed: Sequence[Weighed]) -> float:
    return math.fsum(each.weight for each in weighed)


def _without_low(
    bounds: Sequence[Weighed], prices: Sequence[Weighed], params: BandParams
) -> tuple[list[Weighed], list[Weighed]]:
    """Separate unsold listings so far below the prices that something must be wrong with them."""
    if len(prices) + 1 < TRIM_LEAST:
        return list(bounds), []
    centre, deviation = _middle(prices, params)
    least = centre - params.trim_cut * deviation
    low = [each for each in bounds if each.value < least]
    return [each for each in bounds if each not in low], low


def trim(weighed: Sequence[Weighed], params: BandParams) -> tuple[list[Weighed], list[Weighed]]:
    """Separate comps that are more than `trim_cut` robust deviations from the weighted median.

    The deviation is at least the market's spread: three equal prices do not make a fourth, ten per
    cent higher, an outlier.  Repeats until no comp is dropped, so that the remaining comps alone
    reproduce the figures.
    """
    remaining, trimmed = list(weighed), list[Weighed]()
    while len(remaining) >= TRIM_LEAST:
        far = _outliers(remaining, params)
        if not far:
            break
        trimmed += far
        remaining = [comp for comp in remaining if comp not in far]
    return remaining, trimmed


def _outliers(weighed: Sequence[Weighed], params: BandParams) -> list[Weighed]:
    centre, deviation = _middle(weighed, params)
    return [comp for comp in weighed if abs(comp.value - centre) > params.trim_cut * deviation]


def _middle(weighed: Sequence[Weighed], params: BandParams) -> tuple[float, float]:
    """The weighted median, and the robust deviation from it."""
    values = [comp.value for comp in weighed]
    weights = [comp.weight for comp in weighed]
    centre = weighted_median(values, weights)
    return centre, max(robust_spread(values, weights, centre), params.market_spread)


def offer_variance(used: Sequence[Weighed], params: BandParams) -> float:
    """Variance of one offer (log): the prior, which counts as `PRIOR_COMPS`, and the scatter.

    A ratio of two offers has Laplace scale b and so variance 2 b^2; one offer has half of it.
    """
    shares = [min(1.0, comp.weight / REFERENCE_WEIGHT) for comp in used]
    values = [comp.value for comp in used]
    centre = weighted_mean(values, shares) if values else 0.0
    scatter = math.fsum(s * (v - centre) ** 2 for v, s in zip(values, shares, strict=True))
    freedom = max(0.0, math.fsum(shares) - 1)
    return (PRIOR_COMPS * params.market_spread**2 + scatter) / (PRIOR_COMPS + freedom)


def near_probability(scale: float) -> float:
    """Chance that a Laplace error of this scale stays within a factor `NEAR`."""
    return 1 - math.exp(-math.log(NEAR) / scale)


def _kernels(used: Sequence[Weighed], predicted: float, level: float) -> list[Kernel]:
    """Kernels wide enough for the predicted variance of the mixture, and at least the level's."""
    weights = [comp.weight for comp in used]
    values = [comp.value for comp in used]
    centre = weighted_mean(values, weights)
    scatter = weighted_mean([(value - centre) ** 2 for value in values], weights)
    width = max(predicted - scatter, level)
    return [Kernel(comp.value, comp.weight, _scale(width, comp.doubt)) for comp in used]


def _mean_doubt(used: Sequence[Weighed]) -> float:
    """The comps' doubt, averaged by weight: unknown shipping does not average out."""
    return weighted_mean([comp.doubt for comp in used], [comp.weight for comp in used])


def _scale(variance: float, doubt: float) -> float:
    """Laplace scale of a variance (2 b^2), with an independent doubt of its own scale added."""
    return math.hypot(math.sqrt(variance / 2), doubt)


def _tail_factor(level: float) -> float:
    """Sampling variance of a quantile relative to the median's, for a Laplace distribution.

    Var(q) = q (1 - q) / (n f(q)^2), and f(q) / f(1/2) = 2 q below the median.
    """
    return (level * (1 - level) / (2 * level) ** 2) / 0.25
