"""What particular evidence says about the price."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest

from whence.packs.resale.pricing.assumptions import shipped_assumptions
from whence.packs.resale.pricing.bands import NotEnough, PriceBands, price_bands
from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.records import Condition, ListingStatus
from whence.packs.resale.thresholds import CONFIDENT

Sold = Callable[..., Comp]


def priced(comps: list[Comp], now: datetime, **more: object) -> PriceBands:
    bands = price_bands(comps, Condition.GOOD, now, **more)  # type: ignore[arg-type]
    assert isinstance(bands, PriceBands)
    return bands


def test_one_comp_gives_its_own_price_with_the_usual_spread_of_the_market(
    sold: Sold, now: datetime
) -> None:
    bands = priced([sold(100)], now)
    assert bands.target.amount == pytest.approx(100)
    assert bands.floor.amount == pytest.approx(100**2 / bands.ceiling.amount)
    assert 0.2 < bands.width < 0.7
    assert "one comp has no spread of its own" in bands.floor.reasoning


def test_a_kind_of_thing_whose_prices_scatter_gets_a_wider_band_and_less_confidence(
    sold: Sold, now: datetime
) -> None:
    device = priced([sold(100)], now, category="digital cameras")
    supply = priced([sold(100)], now, category="stationery & office machinery")
    assert supply.width > 1.5 * device.width
    assert supply.confidence < device.confidence
    assert "usual for supplies" in supply.floor.reasoning


def test_a_fresh_sale_is_worth_more_than_an_asking_price_of_unknown_age(
    sold: Sold, now: datetime
) -> None:
    asking = replace(sold(100), status=ListingStatus.UNKNOWN, closed_at=None)
    assert priced([sold(100, days=0)], now).confidence > priced([asking], now).confidence


def test_a_handful_of_recent_sales_that_agree_is_enough_to_stop_searching(
    sold: Sold, now: datetime
) -> None:
    bands = priced([sold(price, days=20) for price in (98, 100, 101, 103)], now)
    assert bands.confidence >= CONFIDENT
    assert bands.width < 0.3


def test_shipping_paid_by_the_buyer_is_part_of_the_price(sold: Sold, now: datetime) -> None:
    assert priced([sold(90, shipping=10.0)], now).target.amount == pytest.approx(100)


def test_unknown_shipping_adds_the_typical_amount_and_widens_most_for_cheap_things(
    sold: Sold, now: datetime
) -> None:
    typical = shipped_assumptions().typical_shipping["USD"]
    for price in (10, 1000):
        bands = priced([sold(price, shipping=None)], now)
        assert bands.target.amount == pytest.approx(price + typical)
        assert "Shipping is unknown for 1 of 1: the typical USD 3.00" in bands.target.reasoning
    cheap, dear = (priced([sold(p, shipping=None)], now).width for p in (10, 1000))
    assert cheap > 1.3 * dear


def test_without_a_typical_amount_unknown_shipping_only_widens(sold: Sold, now: datetime) -> None:
    comp = sold(100, shipping=None, currency="SEK")
    bands = priced([comp], now, currency="SEK")
    assert bands.target.amount == pytest.approx(100)
    assert "nothing was added" in bands.target.reasoning


def test_a_comp_in_another_condition_is_brought_to_the_items(sold: Sold, now: datetime) -> None:
    bands = priced([sold(100, condition=Condition.NEW)], now)
    assert bands.target.amount == pytest.approx(70)
    assert "adjusted from another condition to good" in bands.target.reasoning
    assert bands.width > priced([sold(70)], now).width


def test_a_comp_one_half_life_old_weighs_half_of_a_fresh_one(sold: Sold, now: datetime) -> None:
    bands = priced([sold(100, days=0), sold(101, days=90)], now)
    fresh, old = bands.used
    assert fresh.weight == pytest.approx(2 * old.weight)


def test_a_price_far_from_the_others_is_trimmed_and_said_so(sold: Sold, now: datetime) -> None:
    wrong = sold(900)
    bands = priced([sold(99), sold(100), sold(104), wrong], now)
    assert [entry.evidence_id for entry in bands.trimmed] == [wrong.evidence_id]
    assert "Outlier" in bands.trimmed[0].reason
    assert bands.ceiling.amount < 150
    assert "1 outlier was excluded" in bands.target.reasoning


def test_two_prices_that_disagree_widen_the_band_between_and_beyond_them(
    sold: Sold, now: datetime
) -> None:
    bands = priced([sold(80), sold(160)], now)
    assert bands.floor.amount < 85
    assert bands.ceiling.amount > 150
    assert bands.confidence < priced([sold(110), sold(116)], now).confidence


def test_no_listing_at_all_is_not_enough_and_says_what_would_settle_it(now: datetime) -> None:
    nothing = price_bands([], None, now)
    assert isinstance(nothing, NotEnough)
    assert "No comparable listing" in nothing.reason
    assert any("barcode" in settle for settle in nothing.would_settle)


def test_listings_that_are_hardly_the_same_product_give_no_price(sold: Sold, now: datetime) -> None:
    answer = price_bands([sold(100, relevance=0.65)], None, now)
    assert isinstance(answer, NotEnough)
    assert "best relevance 0.65, needed 0.7" in answer.reason
    assert "below 0.7" in answer.left_out[0].reason


def test_a_foreign_price_is_not_converted_but_left_out_with_the_reason(
    sold: Sold, now: datetime
) -> None:
    answer = price_bands([sold(100, currency="EUR")], None, now, currency="USD")
    assert isinstance(answer, NotEnough)
    assert "no exchange rate is assumed" in answer.reason
    assert "A listing priced in USD" in answer.would_settle


def test_a_sale_of_ten_years_ago_is_too_old_to_carry_a_price(sold: Sold, now: datetime) -> None:
    answer = price_bands([sold(100, days=3650)], Condition.GOOD, now)
    assert isinstance(answer, NotEnough)
    assert "too old" in answer.reason


@pytest.mark.parametrize("price", [0.0, -5.0, math.nan, math.inf, 1e9])
def test_what_is_not_a_price_is_left_out(price: float, sold: Sold, now: datetime) -> None:
    bands = priced([sold(100), sold(price)], now)
    assert bands.target.amount == pytest.approx(100)
    assert len(bands.left_out) == 1


def test_a_date_without_a_zone_and_one_in_the_future_are_read_as_today_at_the_latest(
    sold: Sold, now: datetime
) -> None:
    naive = replace(sold(100), closed_at=datetime(2025, 5, 31))  # noqa: DTZ001
    future = replace(sold(100), closed_at=now.replace(year=2030))
    ages = [used.age_days for used in priced([naive, future], now).used]
    assert sorted(age for age in ages if age is not None) == [0.0, 1.0]


def test_a_likely_match_gives_more_confidence_than_a_doubtful_one(
    sold: Sold, now: datetime
) -> None:
    sure, doubtful = (priced([sold(100, relevance=relevance)], now) for relevance in (0.95, 0.75))
    assert doubtful.confidence < sure.confidence - 0.02
    assert doubtful.width > sure.width
