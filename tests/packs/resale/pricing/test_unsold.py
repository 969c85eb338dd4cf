"""Unsold listings bound a price from above: they never raise it, and alone they decide little."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.packs.resale.evals.planted import planted_problems
from whence.packs.resale.pricing.bands import PriceBands, price_bands
from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.pricing.estimate import estimate_price
from whence.packs.resale.pricing.params import UNSOLD_CONFIDENCE
from whence.packs.resale.records import Condition, ListingStatus
from whence.packs.resale.thresholds import CONFIDENT

from .test_band_laws import PARAMS, comps, law

Sold = Callable[..., Comp]
UNSOLD = (ListingStatus.ENDED, ListingStatus.ACTIVE)


def priced(comps: list[Comp], now: datetime) -> PriceBands:
    bands = price_bands(comps, Condition.GOOD, now)
    assert isinstance(bands, PriceBands)
    return bands


@pytest.mark.parametrize("status", [*UNSOLD, ListingStatus.UNKNOWN])
def test_one_sale_at_150_and_six_unsold_at_220_give_a_target_near_150(
    sold: Sold, now: datetime, status: ListingStatus
) -> None:
    bands = priced([sold(150), *(sold(220, status=status) for _ in range(6))], now)
    assert 142 <= bands.target.amount <= 150
    assert bands.ceiling.amount < 220
    assert "6" in bands.target.reasoning
    assert "bound" in bands.target.reasoning


@pytest.mark.parametrize("status", UNSOLD)
def test_six_unsold_alone_bound_the_price_and_say_that_no_sale_is_known(
    sold: Sold, now: datetime, status: ListingStatus
) -> None:
    bands = priced([sold(220, status=status) for _ in range(6)], now)
    assert bands.target.amount < bands.ceiling.amount < 220
    assert bands.target.confidence <= UNSOLD_CONFIDENCE < 0.5
    assert "No sale is known, so the confidence is held at 40%" in bands.target.reasoning
    assert "within a quarter" not in bands.target.reasoning
    assert "220.00" in bands.target.reasoning


def test_more_unsold_listings_at_a_price_do_not_make_it_likelier(sold: Sold, now: datetime) -> None:
    one, six = (
        priced([sold(220, status=ListingStatus.ENDED) for _ in range(count)], now)
        for count in (1, 6)
    )
    assert six.target.amount <= one.target.amount
    assert six.target.confidence <= UNSOLD_CONFIDENCE


def test_a_price_without_a_known_sale_is_never_confident(sold: Sold, now: datetime) -> None:
    offers = [sold(100 + n, status=ListingStatus.UNKNOWN, days=1) for n in range(12)]
    bands = priced(offers, now)
    assert bands.target.confidence < CONFIDENT
    assert "No sale is known" in bands.target.reasoning
    assert "No sale is known" not in priced([sold(100)], now).target.reasoning


def test_a_listing_that_ended_unsold_below_the_sales_lowers_the_price(
    sold: Sold, now: datetime
) -> None:
    refused = sold(120, status=ListingStatus.ENDED)
    assert priced([sold(150), refused], now).target.amount < 147


def test_many_sales_move_less_than_one(sold: Sold, now: datetime) -> None:
    asking = [sold(152, status=ListingStatus.ACTIVE) for _ in range(6)]
    one, many = ([sold(150) for _ in range(count)] for count in (1, 20))
    moved = [
        priced(s, now).target.amount - priced([*s, *asking], now).target.amount for s in (one, many)
    ]
    assert moved[0] > 3 * moved[1] >= 0


def test_an_unsold_listing_far_above_changes_nothing(sold: Sold, now: datetime) -> None:
    sales = [sold(148), sold(150), sold(155)]
    with_dear = [*sales, sold(600, status=ListingStatus.ENDED)]
    dear, alone = priced(with_dear, now), priced(sales, now)
    assert dear.target.amount == pytest.approx(alone.target.amount, rel=0.005)
    assert dear.ceiling.amount == pytest.approx(alone.ceiling.amount, rel=0.02)


def test_the_cheapest_unsold_listing_is_the_bound(sold: Sold, now: datetime) -> None:
    dear, cheap = (sold(price, status=ListingStatus.ACTIVE) for price in (220, 180))
    bands = priced([dear, cheap], now)
    assert bands.ceiling.amount < 180
    assert "180.00" in bands.target.reasoning


@law
@given(st.lists(comps(least=0.7), max_size=8), comps(least=0.7), st.sampled_from(UNSOLD))
def test_one_more_unsold_listing_never_raises_a_figure(
    evidence: list[Comp], more: Comp, status: ListingStatus
) -> None:
    before = estimate_price(evidence, PARAMS)
    after = estimate_price([*evidence, replace(more, status=status)], PARAMS)
    if before is None or after is None:
        return
    for name in ("floor", "target", "ceiling"):
        assert getattr(after, name) <= getattr(before, name) * (1 + 1e-9)


def test_every_planted_case_comes_out_as_it_must() -> None:
    assert {name: wrong for name, wrong in planted_problems().items() if wrong} == {}
