"""Weighted order statistics and the smooth mixture from which the bands are read. Pure arithmetic.

All values here are natural logs of prices; weights are positive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

NORMAL_MAD = 1.4826
"""Median absolute deviation to standard deviation, for a normal distribution."""

_BISECTIONS = 60
"""Halvings of the search interval: below a billionth of a billionth of its width."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """One comp in the mixture: its log price, its weight, and its Laplace scale."""

    value: float
    weight: float
    scale: float


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


def quantile(kernels: Sequence[Kernel], level: float) -> float:
    """Quantile of the weighted mixture of Laplace kernels (bisection on its distribution).

    With one comp, the comp's price spread by the prior; with many narrow kernels, the weighted
    sample quantile.  Monotone in `level`, so floor <= target <= ceiling always.
    """
    kernels = sorted(kernels, key=lambda k: (k.value, k.weight, k.scale))
    reach = 40 * max(kernel.scale for kernel in kernels)
    low, high = kernels[0].value - reach, kernels[-1].value + reach
    total = math.fsum(kernel.weight for kernel in kernels)
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if _below(kernels, middle) < level * total:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _below(kernels: Sequence[Kernel], x: float) -> float:
    return math.fsum(k.weight * laplace((x - k.value) / k.scale) for k in kernels)


def laplace(z: float) -> float:
    """Distribution function of the standard Laplace distribution."""
    return 0.5 * math.exp(z) if z < 0 else 1 - 0.5 * math.exp(-z)
