"""Each limit of a budget is a limit by itself."""

from __future__ import annotations

from decimal import Decimal

import pytest

from whence.llm.budget import Budget, Spend

BUDGET = Budget(calls=10, tokens=1_000, usd=Decimal(1), seconds=60)
NOTHING = Spend(usd=Decimal(0))


@pytest.mark.parametrize(
    ("limit", "most", "too_much"),
    [
        ("calls", Spend(calls=10, usd=Decimal(0)), Spend(calls=11, usd=Decimal(0))),
        ("tokens", Spend(tokens=1_000, usd=Decimal(0)), Spend(tokens=1_001, usd=Decimal(0))),
        ("usd", Spend(usd=Decimal(1)), Spend(usd=Decimal("1.01"))),
        ("seconds", Spend(usd=Decimal(0), seconds=60), Spend(usd=Decimal(0), seconds=60.5)),
    ],
)
def test_what_fits_exactly_is_taken_and_more_is_refused_by_name(
    limit: str, most: Spend, too_much: Spend
) -> None:
    assert BUDGET.refuses(NOTHING, most) is None
    assert BUDGET.refuses(NOTHING, too_much) == limit
