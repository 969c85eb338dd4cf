"""The predicted distribution of a further sale, on a grid of log prices, and how bounds lower it.

The prediction from prices alone is a mixture of Laplace kernels. An unsold listing is an
observation censored from above (Tobin 1958, "Estimation of relationships for limited dependent
variables", Econometrica 26): all it tells is that no buyer came at its price. Its likelihood is
the probability F((bound - x) / scale) that a buyer whose price scatters around the level x stays
below the bound, and it multiplies the likelihood of the level. F falls as x rises, so a bound
lowers the level or leaves it where it is, and one far above the prices changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    Values = np.ndarray[tuple[int], np.dtype[np.float64]]

_CELLS = 4000
_REACH = 14
"""Scales on either side of the outermost values: less than a millionth of the mass lies beyond."""

_LEVEL_CELLS = 8000
_LEVEL_REACH = 30
"""Wider, as bounds may lie far below the prices."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """One price in the mixture: its log price, its weight, and its Laplace scale."""

    value: float
    weight: float
    scale: float


@dataclass(frozen=True, slots=True)
class Bound:
    """An unsold listing: its log price, its weight as an observation, and its Laplace scale."""

    value: float
    weight: float
    scale: float


class Prediction:
    """Probabilities of log prices; `edges` rise, `below` is the probability below each edge."""

    def __init__(self, edges: Values, below: Values) -> None:
        self._edges = edges
        self._below = below / below[-1]

    @classmethod
    def of_prices(cls, kernels: Sequence[Kernel]) -> Prediction:
        """The mixture of kernels around observed prices."""
        import numpy as np

        reach = _REACH * max(kernel.scale for kernel in kernels)
        low, high = min(k.value for k in kernels) - reach, max(k.value for k in kernels) + reach
        edges = np.linspace(low, high, _CELLS + 1)
        kernels = sorted(kernels, key=lambda k: (k.value, k.weight, k.scale))
        parts = [k.weight * laplace((edges - k.value) / k.scale) for k in kernels]
        below = np.sum(parts, axis=0)
        return cls(edges, below - below[0])

    @classmethod
    def of_level(cls, kernels: Sequence[Kernel]) -> Prediction:
        """What the level around which these prices scatter may be: the product of the kernels."""
        import numpy as np

        reach = _LEVEL_REACH * max(kernel.scale for kernel in kernels)
        low, high = min(k.value for k in kernels) - reach, max(k.value for k in kernels) + reach
        edges = np.linspace(low, high, _LEVEL_CELLS + 1)
        middles = (edges[1:] + edges[:-1]) / 2
        ordered = sorted(kernels, key=lambda k: (k.value, k.weight, k.scale))
        logs = [-k.weight * np.abs(middles - k.value) / k.scale for k in ordered]
        log_likelihood = np.sum(logs, axis=0)
        mass = np.exp(log_likelihood - log_likelihood.max())
        return cls(edges, np.concatenate([[0.0], np.cumsum(mass)]))

    def shifted(self, distance: float) -> Prediction:
        """The same distribution, moved."""
        return Prediction(self._edges + distance, self._below)

    @classmethod
    def under(cls, bounds: Sequence[Bound], gap: float) -> Prediction:
        """Below the lowest bound, if nothing else is known: the log gap is exponential with mean
        `gap`."""
        import numpy as np

        bound = min(each.value for each in bounds)
        edges = np.linspace(bound - _REACH * gap, bound, _CELLS + 1)
        below = np.exp((edges - bound) / gap)
        return cls(edges, below - below[0])

    def bounded(self, bounds: Sequence[Bound]) -> Prediction:
        """The prediction given that none of these listings found a buyer at its price."""
        import numpy as np

        if not bounds:
            return self
        middles = (self._edges[1:] + self._edges[:-1]) / 2
        ordered = sorted(bounds, key=lambda b: (b.value, b.weight, b.scale))
        logs = [b.weight * log_laplace((b.value - middles) / b.scale) for b in ordered]
        log_likelihood = np.sum(logs, axis=0)
        mass = np.diff(self._below) * np.exp(log_likelihood - log_likelihood.max())
        return Prediction(self._edges, np.concatenate([[0.0], np.cumsum(mass)]))

    def quantile(self, level: float) -> float:
        """The log price with this probability below it."""
        import numpy as np

        return float(np.interp(level, self._below, self._edges))

    def within(self, centre: float, distance: float) -> float:
        """The probability of a log price at most `distance` from `centre`."""
        import numpy as np

        low, high = np.interp([centre - distance, centre + distance], self._edges, self._below)
        return float(high - low)

    def half_width(self) -> float:
        """Half of the log range that holds the middle half of the probability."""
        return (self.quantile(0.75) - self.quantile(0.25)) / 2


def laplace(z: Values) -> Values:
    """Distribution function of the standard Laplace distribution."""
    import numpy as np

    tail = 0.5 * np.exp(-np.abs(z))
    return np.where(z < 0, tail, 1 - tail)


def log_laplace(z: Values) -> Values:
    """The logarithm of `laplace`, exact far below the middle, too."""
    import numpy as np

    tail = 0.5 * np.exp(-np.abs(z))
    return np.where(z < 0, math.log(0.5) - np.abs(z), np.log1p(-tail))
