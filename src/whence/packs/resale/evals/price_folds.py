"""Nested cross-validation of the constants behind a price: the spread and the unstated shipping.

Each outer fold is priced with constants that maximise the likelihood of the other folds alone, so
that no item is judged by constants that its own price helped to choose.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from whence.packs.resale.pricing.params import CEILING_QUANTILE, FLOOR_QUANTILE, NEAR

from .price_spread import Offers, SpreadReport, measured_spread
from .priced_items import price_error

FOLDS = 5


@dataclass(frozen=True)
class FoldsReport:
    """What the outer folds say; rates are 0 to 1."""

    median_ape: float
    above_ceiling: float
    """Share of prices above the ceiling; `1 - CEILING_QUANTILE` is meant."""
    below_floor: float
    """Share of prices below the floor; `FLOOR_QUANTILE` is meant."""
    near_rate: float
    mean_confidence: float
    chosen: tuple[SpreadReport, ...]
    """The constants of each fold, chosen on the other folds."""


def nested_folds(offers: Sequence[Offers], folds: int = FOLDS) -> FoldsReport:
    """Price each offer's item from its listing, with constants from the other folds.

    All offers of an item are in one fold.
    """
    fold_of = {item: at % folds for at, item in enumerate(sorted({o.item for o in offers}))}
    chosen: list[SpreadReport] = []
    cases: list[_Case] = []
    for fold in range(folds):
        constants = measured_spread([o for o in offers if fold_of[o.item] != fold])
        chosen.append(constants)
        cases += [_Case.of(o, constants) for o in offers if fold_of[o.item] == fold]
    floor, ceiling = laplace_quantile(FLOOR_QUANTILE), laplace_quantile(CEILING_QUANTILE)
    return FoldsReport(
        median_ape=median(price_error(math.exp(-case.ratio), 1.0) for case in cases),
        above_ceiling=_share([case.ratio / case.scale > ceiling for case in cases]),
        below_floor=_share([case.ratio / case.scale < floor for case in cases]),
        near_rate=_share([abs(case.ratio) <= math.log(NEAR) for case in cases]),
        mean_confidence=sum(case.confidence for case in cases) / len(cases),
        chosen=tuple(chosen),
    )


@dataclass(frozen=True)
class _Case:
    """The log ratio of the price to the target, and the scale predicted for it."""

    ratio: float
    scale: float

    @classmethod
    def of(cls, offer: Offers, constants: SpreadReport) -> _Case:
        total = offer.price + constants.shipping
        scale = math.hypot(constants.spread, math.log1p(constants.shipping / total))
        return cls(math.log(offer.other / total), scale)

    @property
    def confidence(self) -> float:
        return 1 - math.exp(-math.log(NEAR) / self.scale)


def laplace_quantile(level: float) -> float:
    """Quantile of the standard Laplace distribution."""
    return math.log(2 * level) if level < 0.5 else -math.log(2 * (1 - level))


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values)
