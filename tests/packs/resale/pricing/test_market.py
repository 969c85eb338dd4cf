"""Demand from what the market holds, not from the page that was fetched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest

from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.pricing.demand import demand
from whence.packs.resale.pricing.market import Coverage, wilson
from whence.packs.resale.pricing.season import by_chance
from whence.packs.resale.records import ListingStatus

Sold = Callable[..., Comp]


def active(comp: Comp) -> Comp:
    return replace(comp, status=ListingStatus.ACTIVE, closed_at=None)


@pytest.fixture
def full_pages(sold: Sold) -> list[Comp]:
    """Twenty sales and ten offers: as many as were asked for."""
    return [*(sold(100) for _ in range(20)), *(active(sold(100, listed=5)) for _ in range(10))]


def covered(sold: int | None, offered: int | None) -> list[Coverage]:
    return [
        Coverage("ebay", "active", 10, is_full=True, total=offered),
        Coverage("ebay", "sold", 20, is_full=True, total=sold),
    ]


def test_two_full_pages_without_totals_are_a_sample_and_give_no_67_per_cent(
    full_pages: list[Comp], now: datetime
) -> None:
    signal = demand(full_pages, now, coverage=covered(None, None)).sell_through
    assert signal.value is None
    assert (signal.low, signal.high) == (0.0, 1.0)
    assert "only a sample was fetched" in signal.words
    assert "20 of 30 sold" in signal.words


def test_totals_of_the_source_decide_and_the_range_says_how_well(
    full_pages: list[Comp], now: datetime
) -> None:
    signal = demand(full_pages, now, coverage=covered(60, 540)).sell_through
    assert signal.value == pytest.approx(0.1)
    assert signal.low is not None
    assert signal.high is not None
    assert signal.low < 0.1 < signal.high < 0.2
    assert "About 60 sold in 90 days and 540 not" in signal.words


def test_the_share_of_other_products_in_the_sample_is_taken_off_the_total(
    sold: Sold, now: datetime
) -> None:
    comps = [*(sold(100) for _ in range(10)), *(active(sold(100, listed=5)) for _ in range(5))]
    signal = demand(comps, now, coverage=covered(60, 60)).sell_through
    assert signal.value == pytest.approx(30 / (30 + 30))


def test_one_full_page_leaves_a_one_sided_range(full_pages: list[Comp], now: datetime) -> None:
    offers_known = [
        Coverage("ebay", "active", 10, is_full=False),
        Coverage("ebay", "sold", 20, is_full=True),
    ]
    signal = demand(full_pages, now, coverage=offers_known).sell_through
    assert signal.value is None
    assert signal.low == pytest.approx(2 / 3)
    assert signal.high == 1.0


def test_pages_that_were_not_full_are_the_whole_market(
    full_pages: list[Comp], now: datetime
) -> None:
    whole = [
        Coverage("ebay", "active", 10, is_full=False),
        Coverage("ebay", "sold", 20, is_full=False),
    ]
    signal = demand(full_pages, now, coverage=whole).sell_through
    assert signal.value == pytest.approx(2 / 3)
    assert (signal.low, signal.high) == (None, None)


def test_competition_is_at_least_what_was_fetched_or_estimated_from_the_total(
    full_pages: list[Comp], now: datetime
) -> None:
    unknown = demand(full_pages, now, coverage=covered(None, None)).active_competition
    assert unknown.words.startswith("At least 10 for sale now")
    counted = demand(full_pages, now, coverage=covered(60, 540)).active_competition
    assert counted.value == 540
    assert counted.words.startswith("About 540 (")


def test_a_full_page_without_the_product_has_none_behind_it(sold: Sold, now: datetime) -> None:
    elsewhere = [replace(comp, source="library") for comp in [sold(100) for _ in range(4)]]
    offers = [replace(active(sold(100, listed=5)), source="library") for _ in range(4)]
    signal = demand([*elsewhere, *offers], now, coverage=covered(None, None)).sell_through
    assert signal.value == pytest.approx(0.5)


def test_days_to_sell_of_a_sample_say_that_it_is_one(sold: Sold, now: datetime) -> None:
    quick = [sold(100, days=10, listed=10 + days) for days in (2, 4, 6)]
    assert "sample" not in demand(quick, now).days_to_sell.words
    words = demand(quick, now, coverage=covered(None, None)).days_to_sell.words
    assert words.endswith("From a sample of the market.")


def test_a_share_seen_in_few_has_a_wide_range() -> None:
    assert wilson(5, 10)[0] < wilson(50, 100)[0] < 0.5 < wilson(50, 100)[1] < wilson(5, 10)[1]


def yearly(sold: Sold, now: datetime, months: list[int]) -> list[Comp]:
    """One sale in the middle of each month, within the last year."""
    days = [
        (now - datetime(2024 if m > 5 else 2025, m, 15, tzinfo=now.tzinfo)).days for m in months
    ]
    return [sold(100, days=each) for each in days]


def test_a_season_is_named_where_sales_show_it(sold: Sold, now: datetime) -> None:
    months = [*range(1, 6), *range(6, 13), *([11, 12, 12, 11, 10] * 4)]
    signal = demand(yearly(sold, now, months), now).season
    assert signal.value == pytest.approx(23 / 32)
    assert signal.words.startswith("72% of 32 sales in 1 year were in October to December")


def test_even_sales_and_short_histories_have_no_season(sold: Sold, now: datetime) -> None:
    even = demand(yearly(sold, now, [*range(1, 13)] * 3), now).season
    assert even.value is None
    assert "no season" in even.words
    recent = [sold(100, days=n) for n in range(40)]
    assert demand(recent, now).season.value is None
    assert "sales of a whole year" in demand(recent, now).season.words


def test_what_chance_explains_is_no_season() -> None:
    assert by_chance(8, 24) > 0.5
    assert by_chance(16, 24) < 0.01
