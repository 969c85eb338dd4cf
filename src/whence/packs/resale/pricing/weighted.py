"""Weighted statistics of log prices. Pure arithmetic.

All values here are natural logs of prices; weights are positive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

NORMAL_MAD = 1.4826
"""Median absolute deviation to standard deviation, for a normal distribution."""


def weighted_median(values: Sequence[float], weights: Sequence[float]) -> float:
    """The value with half the weight on either side (the midpoint if it falls between two)."""
    order = sorted(zip(values, weights, strict=True))
    half = math.fsum(weights) / 2
    below = 0.0
    for place, (value, weight) in enumerate(order):
        below += weight
        if math.isclose(below, half, rel_tol=1e-12) and place + 1 < len(order):
            return (value + order[place + 1][0]) / 2
        if below > half:
            return value
    return order[-1][0]


def robust_spread(values: Sequence[float], weights: Sequence[float], centre: float) -> float:
    """Weighted median absolute deviation from `centre`, scaled to a standard deviation."""
    return NORMAL_MAD * weighted_median([abs(value - centre) for value in values], weights)


def effective_size(weights: Sequence[float]) -> float:
    """Kish's effective sample size: (sum w)^2 / sum w^2; n for equal weights, 0 for none."""
    squares = math.fsum(weight * weight for weight in weights)
    return math.fsum(weights) ** 2 / squares if squares > 0 else 0.0


def weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """Mean of the values; the weights must not all be 0."""
    return math.fsum(v * w for v, w in zip(values, weights, strict=True)) / math.fsum(weights)
