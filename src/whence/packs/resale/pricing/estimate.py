"""The price figures: a pure function of comp values and parameters, so they can be recomputed.

Offers scatter around a level on the log scale with variance t2 (one offer). A further offer is then
predicted from evidence of total weight W with variance t2 * (1 + w0 / W), where w0 is the weight of
one comp of the kind on which t2 was measured: inverse-variance weighting, so that a single asking
price of unknown age predicts the next one exactly as well as measured, and a fresh sale better.
t2 itself is the measured prior, shrunk towards the comps' own scatter as they become many.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .comps import Comp
from .mixture import Kernel, effective_size, quantile, robust_spread, weighted_mean, weighted_median
from .params import LEAST_WEIGHT, NEAR, PRIOR_COMPS, REFERENCE_WEIGHT, TRIM_LEAST, BandParams
from .weighing import LeftOut, Weighed, weigh

WRONG_MATCH_COST = 0.7
"""Share of the probability of being near that is lost if no comp is the right product; the price of
a similar product is sometimes near."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Prices in the currency of the parameters; `spread` and `doubt` are Laplace scales (log)."""

    floor: float
    target: float
    ceiling: float
    confidence: float
    """Probability, 0 to 1, that a further offer is within a quarter of `target`."""
    tail_confidence: float
    """The same for floor and ceiling, whose quantiles are estimated less precisely."""
    spread: float
    """Predicted scale of the ratio between the target and a further offer (log)."""
    weight: float
    """Sum of the weights: 1 is one exact comp sold today in the item's condition."""
    effective_size: float
    """Kish's effective number of comps."""
    used: tuple[Weighed, ...]
    trimmed: tuple[Weighed, ...]
    left_out: tuple[LeftOut, ...]


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
    """Weigh, trim, and read the quantiles; None if the evidence is not enough."""
    weighed, left_out = weigh(comps, params)
    used, trimmed = trim(weighed, params)
    total = math.fsum(comp.weight for comp in used)
    if total < LEAST_WEIGHT:
        return None
    offer = offer_variance(used, params)
    predicted = offer * (1 + REFERENCE_WEIGHT / total)
    level = offer * REFERENCE_WEIGHT / total
    kernels = _kernels(used, predicted, level)
    doubt = _mean_doubt(used)
    risk = math.prod(1 - min(comp.comp.relevance, 1.0) for comp in used)
    return Estimate(
        floor=math.exp(quantile(kernels, params.floor_quantile)),
        target=math.exp(quantile(kernels, 0.5)),
        ceiling=math.exp(quantile(kernels, params.ceiling_quantile)),
        confidence=near_probability(_scale(predicted, doubt), risk),
        tail_confidence=near_probability(
            _scale(predicted + level * (_tail_factor(params.floor_quantile) - 1), doubt), risk
        ),
        spread=_scale(predicted, doubt),
        weight=total,
        effective_size=effective_size([comp.weight for comp in used]),
        used=tuple(used),
        trimmed=tuple(trimmed),
        left_out=tuple(left_out),
    )


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
    values = [comp.value for comp in weighed]
    weights = [comp.weight for comp in weighed]
    centre = weighted_median(values, weights)
    deviation = max(robust_spread(values, weights, centre), params.market_spread)
    return [comp for comp in weighed if abs(comp.value - centre) > params.trim_cut * deviation]


def offer_variance(used: Sequence[Weighed], params: BandParams) -> float:
    """Variance of one offer (log): the prior, which counts as `PRIOR_COMPS`, and the scatter.

    A ratio of two offers has Laplace scale b and so variance 2 b^2; one offer has half of it.
    """
    shares = [min(1.0, comp.weight / REFERENCE_WEIGHT) for comp in used]
    values = [comp.value for comp in used]
    centre = weighted_mean(values, shares)
    scatter = math.fsum(s * (v - centre) ** 2 for v, s in zip(values, shares, strict=True))
    freedom = max(0.0, math.fsum(shares) - 1)
    return (PRIOR_COMPS * params.market_spread**2 + scatter) / (PRIOR_COMPS + freedom)


def near_probability(scale: float, risk: float) -> float:
    """Chance that a Laplace error of this scale stays within a factor `NEAR`, less the match risk.

    `risk` is the chance that no comp is the right product.
    """
    return (1 - math.exp(-math.log(NEAR) / scale)) * (1 - WRONG_MATCH_COST * risk)


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
