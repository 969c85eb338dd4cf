from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.records import Condition, ListingStatus

NOW = datetime(2025, 6, 1, tzinfo=UTC)


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def sold() -> Callable[..., Comp]:
    """A sale of the very product: `sold(100, days=10)`."""
    count = iter(range(10_000))

    def make(
        price: float,
        *,
        days: float = 10,
        listed: float | None = None,
        condition: Condition | None = Condition.GOOD,
        relevance: float = 0.95,
        status: ListingStatus = ListingStatus.SOLD,
        shipping: float | None = 0.0,
        currency: str = "USD",
    ) -> Comp:
        return Comp(
            evidence_id=f"e{next(count)}",
            price=price,
            shipping=shipping,
            currency=currency,
            condition=condition,
            status=status,
            closed_at=NOW - timedelta(days=days),
            listed_at=None if listed is None else NOW - timedelta(days=listed),
            relevance=relevance,
            source="ebay",
        )

    return make
