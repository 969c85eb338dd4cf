"""Planted cases of resale.pricing: evidence whose answer follows from what it is.

Real offers carry no sales, so no labelled set can show what unsold listings do to a price. These
cases can; `planted_prices.toml` says what each expects, and was written before the model.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from whence.packs.resale.pricing.bands import PriceBands, price_bands
from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.records import Condition, ListingStatus
from whence.sdk.values import Wire

CASES = Path(__file__).with_name("planted_prices.toml")
NOW = datetime(2025, 6, 1, tzinfo=UTC)
AGE = timedelta(days=10)


class PlantedCase(Wire):
    """Prices of listings by status, and what must hold of the bands."""

    sold: tuple[float, ...] = ()
    ended: tuple[float, ...] = ()
    active: tuple[float, ...] = ()
    unknown: tuple[float, ...] = ()
    target: tuple[float, float]
    ceiling_below: float | None = None
    confidence_at_most: float = 1.0
    not_above_sales: bool = False

    def problems(self) -> list[str]:
        """What does not hold; empty if the case is right."""
        bands = _bands(list(self._comps()))
        if bands is None:
            return ["no price"]
        target, low, high = bands.target.amount, *self.target
        wrong: list[str] = []
        if not low <= target <= high:
            wrong.append(f"target {target:.2f} is not from {low:g} to {high:g}")
        if self.ceiling_below is not None and bands.ceiling.amount >= self.ceiling_below:
            wrong.append(f"ceiling {bands.ceiling.amount:.2f} is not below {self.ceiling_below:g}")
        if bands.confidence > self.confidence_at_most:
            wrong.append(f"confidence {bands.confidence:.2f} > {self.confidence_at_most:g}")
        sales = _bands(list(_listed(ListingStatus.SOLD, self.sold)))
        if self.not_above_sales and sales is not None and target > sales.target.amount:
            wrong.append(f"target {target:.2f} is above that of the sales alone")
        return wrong

    def _comps(self) -> Iterator[Comp]:
        yield from _listed(ListingStatus.SOLD, self.sold)
        yield from _listed(ListingStatus.ENDED, self.ended)
        yield from _listed(ListingStatus.ACTIVE, self.active)
        yield from _listed(ListingStatus.UNKNOWN, self.unknown)


def planted_problems() -> dict[str, list[str]]:
    """What does not hold, by the name of the case."""
    table = tomllib.loads(CASES.read_text(encoding="utf-8"))
    return {name: PlantedCase.model_validate(case).problems() for name, case in table.items()}


def _listed(status: ListingStatus, prices: tuple[float, ...]) -> Iterator[Comp]:
    has_ended = status in (ListingStatus.SOLD, ListingStatus.ENDED)
    for at, price in enumerate(prices):
        yield Comp(
            evidence_id=f"{status.value} {at}",
            price=price,
            shipping=0.0,
            condition=Condition.GOOD,
            status=status,
            listed_at=NOW - AGE,
            closed_at=NOW - AGE if has_ended else None,
        )


def _bands(comps: list[Comp]) -> PriceBands | None:
    bands = price_bands(comps, Condition.GOOD, NOW)
    return bands if isinstance(bands, PriceBands) else None
