"""Demand signals carry value, unit, period, source and count, or say why not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.pricing.demand import demand
from whence.packs.resale.pricing.survival import Spell, median_days
from whence.packs.resale.records import ListingStatus

Sold = Callable[..., Comp]


def active(comp: Comp) -> Comp:
    return replace(comp, status=ListingStatus.ACTIVE, closed_at=None)


def test_sell_through_is_sold_over_sold_unsold_and_active(sold: Sold, now: datetime) -> None:
    comps = [
        *[sold(100, days=30) for _ in range(3)],
        sold(120, days=40, status=ListingStatus.ENDED),
        active(sold(130, listed=20)),
        sold(90, days=200),
    ]
    signal = demand(comps, now).sell_through
    assert signal.value == pytest.approx(3 / 5)
    assert (signal.unit, signal.period_days, signal.source, signal.n) == ("share", 90, "ebay", 5)
    assert signal.words == "3 of 5 sold in 90 days; 1 ended unsold, 1 still active."


def test_too_few_outcomes_give_no_rate_and_say_how_many_are_needed(
    sold: Sold, now: datetime
) -> None:
    signal = demand([sold(100)], now).sell_through
    assert signal.value is None
    assert "1 listing with a known outcome in 90 days; 5 are needed" in signal.words


def test_sales_without_a_date_are_named_where_they_leave_no_rate(sold: Sold, now: datetime) -> None:
    undated = [replace(sold(100), closed_at=None) for _ in range(6)]
    signal = demand([*undated, active(sold(130, listed=20))], now).sell_through
    assert "1 listing with a known outcome in 90 days (6 sales have no date)" in signal.words


def test_listings_that_may_be_another_product_are_no_demand(sold: Sold, now: datetime) -> None:
    unsure = [replace(sold(100, days=30), relevance=0.6) for _ in range(9)]
    offers = [replace(active(sold(130, listed=20)), relevance=0.6) for _ in range(4)]
    for signal in demand([*unsure, *offers], now, active_searched=True).signals():
        assert (signal.value, signal.n) == (None, 0)
        assert "none of 13 listings is certainly the same product" in signal.words
    certain = [sold(100, days=30) for _ in range(6)]
    mixed = demand([*unsure, *offers, *certain], now, active_searched=True)
    assert "only sales are known (6)" in mixed.sell_through.words
    assert mixed.active_competition.value is None
    assert "4 listings for sale may be of another product" in mixed.active_competition.words


def test_only_sales_are_no_sell_through_rate(sold: Sold, now: datetime) -> None:
    signal = demand([sold(100) for _ in range(8)], now).sell_through
    assert signal.value is None
    assert "only sales are known" in signal.words


def test_days_to_sell_count_unsold_listings_as_still_waiting(sold: Sold, now: datetime) -> None:
    quick = [sold(100, days=10, listed=10 + days) for days in (2, 4, 6)]
    waiting = [active(sold(100, listed=60)) for _ in range(3)]
    assert demand(quick, now).days_to_sell.value == pytest.approx(4)
    assert demand([*quick, *waiting], now).days_to_sell.value == pytest.approx(6)


def test_when_fewer_than_half_have_sold_there_is_no_median(sold: Sold, now: datetime) -> None:
    quick = [sold(100, days=10, listed=12) for _ in range(3)]
    waiting = [active(sold(100, listed=60)) for _ in range(9)]
    signal = demand([*quick, *waiting], now).days_to_sell
    assert signal.value is None
    assert "fewer than half of 12 sold within 60 days" in signal.words


def test_days_since_a_sale_are_the_same_all_day_long(sold: Sold, now: datetime) -> None:
    sale = replace(sold(100), closed_at=now.replace(hour=9, minute=0))
    days = {
        sale.calendar_days(now.replace(day=now.day + 17, hour=hour, minute=minute))
        for hour, minute in ((0, 1), (8, 59), (12, 0), (12, 22), (23, 59))
    }
    assert days == {17}
    assert sale.calendar_days(now.replace(hour=1)) == 0


def test_a_sale_dated_before_its_listing_says_nothing_about_speed(
    sold: Sold, now: datetime
) -> None:
    signal = demand([sold(100, days=30, listed=10) for _ in range(5)], now).days_to_sell
    assert signal.value is None
    assert signal.n == 0


def test_no_active_listing_is_zero_only_where_somebody_looked(now: datetime) -> None:
    assert demand([], now).active_competition.value is None
    assert demand([], now, active_searched=True).active_competition.value == 0


def test_active_competition_names_the_cheapest_offer(sold: Sold, now: datetime) -> None:
    signal = demand([active(sold(130)), active(sold(99.5))], now).active_competition
    assert signal.value == 2
    assert signal.words == "2 for sale now, from USD 99.50."


def test_listings_that_are_another_product_do_not_count(sold: Sold, now: datetime) -> None:
    other = [active(sold(100, relevance=0.4)) for _ in range(3)]
    assert demand(other, now, active_searched=True).active_competition.value == 0


def test_listings_of_unknown_status_carry_no_demand_signal(sold: Sold, now: datetime) -> None:
    comps = [replace(sold(100), status=ListingStatus.UNKNOWN, closed_at=None) for _ in range(9)]
    assert {signal.value for signal in demand(comps, now).signals()} == {None}


def test_listings_that_do_not_say_whether_they_are_on_offer_are_not_counted_as_none(
    sold: Sold, now: datetime
) -> None:
    silent = replace(sold(100), status=ListingStatus.UNKNOWN, closed_at=None)
    signal = demand([silent], now, active_searched=True).active_competition
    assert (signal.value, signal.n) == (None, 1)
    assert "1 listing does not say" in signal.words


def test_the_published_leukaemia_trial_has_its_published_median() -> None:
    """6-mercaptopurine arm of Freireich et al. (1963): median remission 23 weeks."""
    ended = (6, 6, 6, 7, 10, 13, 16, 22, 23)
    censored = (6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35)
    spells = [Spell(d, sold=True) for d in ended] + [Spell(d, sold=False) for d in censored]
    assert median_days(spells) == 23


@given(st.lists(st.floats(0, 400), min_size=1), st.lists(st.floats(0, 400)))
def test_unsold_listings_never_make_things_look_quicker(
    sales: list[float], unsold: list[float]
) -> None:
    quick = median_days([Spell(days, sold=True) for days in sales])
    spells = [Spell(days, sold=True) for days in sales]
    both = median_days([*spells, *(Spell(days, sold=False) for days in unsold)])
    assert quick is not None
    assert both is None or both >= quick
