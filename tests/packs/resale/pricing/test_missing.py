"""What is missing, ranked by how far it would move the price."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest

from whence.packs.resale.pricing.bands import NotEnough, PriceBands, price_bands
from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.pricing.hints import Hint, Importance, should_refine
from whence.packs.resale.pricing.missing import Variant, assess_missing
from whence.packs.resale.pricing.params import BandParams, band_params
from whence.packs.resale.records import Condition, Item, ListingStatus, Media

Sold = Callable[..., Comp]
GTIN = "00012345678905"


def complete(**changes: object) -> Item:
    whole: dict[str, object] = {
        "title": "Fujifilm X100V",
        "condition": Condition.GOOD,
        "brand": "Fujifilm",
        "model": "X100V",
        "gtin": GTIN,
        "media": [Media(url="front.jpg")],
    }
    return Item.model_validate({**whole, **changes})


def assessed(
    item: Item, comps: list[Comp], now: datetime, variants: tuple[Variant, ...] = ()
) -> tuple[list[Hint], PriceBands | NotEnough, BandParams]:
    params = band_params(now, condition=item.condition)
    bands = price_bands(comps, item.condition, now, params=params)
    return assess_missing(item, comps, bands, params, variants), bands, params


def test_a_well_described_item_with_sales_misses_nothing(sold: Sold, now: datetime) -> None:
    hints, _, _ = assessed(complete(), [sold(100), sold(104), sold(98)], now)
    assert hints == []


def test_an_unknown_condition_is_required_and_its_effect_is_the_price_recomputed(
    sold: Sold, now: datetime
) -> None:
    comps = [sold(100), sold(104), sold(98)]
    hints, bands, _ = assessed(complete(condition=None), comps, now)
    assert isinstance(bands, PriceBands)
    hint = hints[0]
    assert (hint.field, hint.importance) == ("condition", Importance.REQUIRED)
    assert hint.question is not None
    fair, new = (
        price_bands(comps, condition, now) for condition in (Condition.FAIR, Condition.NEW)
    )
    assert isinstance(fair, PriceBands)
    assert isinstance(new, PriceBands)
    moved = new.target.amount - fair.target.amount
    assert hint.amount == pytest.approx(moved)
    assert hint.effect == pytest.approx(moved / bands.target.amount)


def test_condition_matters_by_the_table_where_no_comp_states_one(sold: Sold, now: datetime) -> None:
    hints, _, params = assessed(complete(condition=None), [sold(100, condition=None)], now)
    factors = params.condition_factors
    expected = (factors[Condition.NEW] - factors[Condition.FAIR]) / factors[Condition.GOOD]
    assert next(h for h in hints if h.field == "condition").effect == pytest.approx(expected)


def test_an_undecided_variant_costs_the_difference_between_its_alternatives(
    sold: Sold, now: datetime
) -> None:
    small, large = [sold(100), sold(102)], [sold(150), sold(153)]
    variants = (
        Variant("storage", "64 GB", small),
        Variant("storage", "256 GB", large),
    )
    hints, bands, _ = assessed(complete(), [*small, *large], now, variants)
    assert isinstance(bands, PriceBands)
    hint = hints[0]
    assert hint.field == "attributes.storage"
    assert hint.question == "Which storage is it: 64 GB, 256 GB?"
    assert hint.amount == pytest.approx(50, abs=3)


def test_only_asking_prices_ask_for_a_sale_and_say_how_far_it_narrows_the_band(
    sold: Sold, now: datetime
) -> None:
    asking = replace(sold(100), status=ListingStatus.UNKNOWN, closed_at=None)
    hints, bands, params = assessed(complete(), [asking], now)
    hint = next(h for h in hints if "a single recent sale narrows the range" in h.why)
    assert hint.question is not None
    assert hint.effect is not None
    with_sale = price_bands([asking, sold(100, days=0)], Condition.GOOD, now, params=params)
    assert isinstance(bands, PriceBands)
    assert isinstance(with_sale, PriceBands)
    assert hint.effect <= (bands.width - with_sale.width) / 2 + 0.05


def test_without_a_price_what_stands_in_its_way_is_required_and_comes_first(now: datetime) -> None:
    hints, bands, _ = assessed(Item(title="old camera"), [], now)
    assert isinstance(bands, NotEnough)
    assert {"model", "comps"} <= {hint.field for hint in hints}
    assert all(hint.effect is None for hint in hints)
    assert hints[0].importance is Importance.REQUIRED


def test_without_photographs_one_that_shows_the_condition_is_wanted(
    sold: Sold, now: datetime
) -> None:
    hints, _, _ = assessed(complete(media=[]), [sold(100), sold(101)], now)
    hint = next(h for h in hints if h.field == "media")
    assert hint.importance is Importance.RECOMMENDED
    assert hint.question == "Can you add a photograph that shows its condition?"


def test_unknown_shipping_is_told_but_nobody_is_asked(sold: Sold, now: datetime) -> None:
    hints, _, _ = assessed(complete(), [sold(12, shipping=None), sold(12, shipping=None)], now)
    hint = next(h for h in hints if "shipping" in h.why)
    assert hint.question is None
    assert hint.effect is not None
    assert hint.effect > 0.05


def test_the_missing_shipping_is_counted_as_the_price_counts_it(sold: Sold, now: datetime) -> None:
    priced = [sold(12, shipping=None), sold(12, shipping=None), sold(12)]
    others = [sold(12, shipping=None, relevance=0.55) for _ in range(3)]
    hints, bands, _ = assessed(complete(), [*priced, *others], now)
    assert isinstance(bands, PriceBands)
    assert "Shipping is unknown for 2 of 3" in bands.target.reasoning
    hint = next(h for h in hints if "shipping" in h.why)
    assert hint.why.startswith("2 of the listings behind the price state no shipping cost")


def test_hints_are_ranked_by_effect(sold: Sold, now: datetime) -> None:
    item = Item(title="x")
    asking = replace(sold(40, shipping=None), status=ListingStatus.ACTIVE, closed_at=None)
    hints, _, _ = assessed(item, [asking], now)
    effects = [hint.effect for hint in hints if hint.effect is not None]
    assert len(effects) >= 4
    assert effects == sorted(effects, reverse=True)


ASKED = Hint("condition", Importance.REQUIRED, "Which?", "why", 0.4, 40.0, "USD")


@pytest.mark.parametrize(
    ("iteration", "confidence", "hints", "again"),
    [
        (1, 0.5, [ASKED], True),
        (1, None, [ASKED], True),
        (3, 0.5, [ASKED], False),
        (1, 0.7, [ASKED], False),
        (1, 0.5, [], False),
        (1, 0.5, [replace(ASKED, effect=0.01)], False),
        (1, 0.5, [replace(ASKED, importance=Importance.OPTIONAL, effect=None)], False),
        (1, 0.5, [replace(ASKED, question=None)], False),
        (2, 0.69, [replace(ASKED, importance=Importance.RECOMMENDED)], True),
    ],
)
def test_search_goes_on_while_unsure_and_something_is_worth_asking(
    iteration: int, confidence: float | None, hints: list[Hint], again: bool
) -> None:
    assert should_refine(iteration, confidence, hints) is again
