"""A price for a product that may be the wrong one is no surer than the product is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from whence.packs.resale.pricing.bands import PriceBands, price_bands
from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.records import Condition

Sold = Callable[..., Comp]


@pytest.fixture
def bands(sold: Sold, now: datetime) -> PriceBands:
    comps = [sold(each) for each in (98, 99, 100, 100, 101, 102, 103, 99, 100)]
    result = price_bands(comps, Condition.GOOD, now)
    assert isinstance(result, PriceBands)
    assert result.confidence > 0.6
    return result


def test_no_figure_is_surer_than_the_identity_and_no_amount_changes(bands: PriceBands) -> None:
    limited = bands.limited_by(0.45)
    for name in ("floor", "target", "ceiling"):
        before, after = getattr(bands, name), getattr(limited, name)
        assert after.confidence == min(before.confidence, 0.45)
        assert after.amount == before.amount
    assert "which product it is has a confidence of 45%" in limited.target.reasoning
    assert limited.evidence_confidence == bands.confidence


def test_a_sure_identity_limits_nothing(bands: PriceBands) -> None:
    assert bands.limited_by(1.0) == bands
