"""The figures that the pack promises, on the labelled data where it is present."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whence.packs.resale.evals.price_folds import nested_folds
from whence.packs.resale.evals.price_spread import Offers, measured_spread, true_offers
from whence.packs.resale.evals.pricing import pricing
from whence.packs.resale.pricing.assumptions import shipped_assumptions
from whence.packs.resale.pricing.params import CEILING_QUANTILE, FLOOR_QUANTILE, MARKET_SPREAD
from whence.sdk.errors import Invalid

DATA = Path(__file__).parents[4].parent / "shared/data/resale/walmart_amazon"
UNUSED = DATA.with_name("amazon_google")
"""Software of two other shops: no constant was chosen on it."""
SAMPLING = 0.06
"""Two standard errors of a share of 18 % among its items."""
with_unused_data = pytest.mark.skipif(
    not UNUSED.is_dir(), reason="the labelled data of ../shared/data/resale is not here"
)
with_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="the labelled data of ../shared/data/resale is not here"
)


@pytest.mark.long
@with_data
def test_bands_on_real_listings_are_near_cover_and_know_how_sure_they_are() -> None:
    report = pricing(DATA)
    assert report.n == 755
    assert report.median_ape <= 0.17
    assert report.median_ape < report.naive_median_ape
    assert report.band_rate >= 0.80
    assert report.coverage >= 0.60
    assert report.error_confident_third < report.error_unsure_third / 2
    assert report.mean_confidence == pytest.approx(report.near_rate, abs=0.08)
    assert set(report.splits) == {"train", "valid", "test"}
    assert report.planted_right == report.planted


@pytest.mark.slow
@with_data
def test_with_constants_chosen_on_other_items_each_edge_covers_what_it_says() -> None:
    offers = true_offers(DATA, ["train", "valid", "test"], shipped_assumptions())
    report = nested_folds(offers)
    assert report.above_ceiling == pytest.approx(1 - CEILING_QUANTILE, abs=0.03)
    assert report.below_floor == pytest.approx(FLOOR_QUANTILE, abs=0.03)
    assert report.mean_confidence == pytest.approx(report.near_rate, abs=0.05)


@pytest.mark.long
@with_unused_data
def test_on_a_set_that_chose_no_constant_prices_are_near_and_not_biased() -> None:
    report = pricing(UNUSED)
    assert report.median_ape < report.one_text_median_ape
    assert abs(report.splits["test"].bias) < 0.03
    assert report.splits["test"].above_ceiling <= 1 - CEILING_QUANTILE + SAMPLING
    assert report.splits["test"].below_floor <= FLOOR_QUANTILE + SAMPLING


def test_a_fold_is_priced_with_constants_that_its_own_items_did_not_choose() -> None:
    alike = [Offers(f"item {n:02}", 100.0, 100.0, None) for n in range(0, 40, 2)]
    apart = [
        Offers(f"item {n:02}", 100.0, 200.0 - 150 * (n % 4 == 1), None) for n in range(1, 40, 2)
    ]
    first, second = nested_folds([*alike, *apart], folds=2).chosen
    assert first.spread > 5 * second.spread


@with_data
def test_the_spread_and_shipping_constants_are_what_the_train_and_valid_pairs_say() -> None:
    table = shipped_assumptions()
    measured = measured_spread(true_offers(DATA, ["train", "valid"], table))
    assert measured.spread == pytest.approx(MARKET_SPREAD, abs=0.015)
    assert measured.shipping == pytest.approx(table.typical_shipping["USD"], abs=0.5)


@with_data
def test_the_market_spreads_lie_between_what_was_measured_and_the_mean() -> None:
    table = shipped_assumptions()
    offers = true_offers(DATA, ["train", "valid"], table)
    for name, market in table.market.items():
        measured = measured_spread([o for o in offers if o.market == name], shipping=3.0)
        low, high = sorted((measured.spread, MARKET_SPREAD))
        assert low - 0.02 <= market.spread <= high + 0.02


def folder(path: Path, items: list[object], listings: list[object], pairs: list[object]) -> Path:
    for name, rows in (("items", items), ("listings", listings), ("pairs.test", pairs)):
        lines = "\n".join(json.dumps(row) for row in rows)
        (path / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return path


def test_the_items_own_price_and_the_labels_never_reach_the_figures(tmp_path: Path) -> None:
    listings = [
        {"id": f"l{n}", "title": f"acme widget aw-{n}00x deluxe", "price": 10.0 * n}
        for n in range(1, 9)
    ]
    pairs = [{"item": "i", "listing": "l3", "match": 1}]

    def width_and_rate(price: float) -> tuple[float, float]:
        item = {"id": "i", "title": "acme widget aw-300x deluxe", "price": price}
        report = pricing(folder(tmp_path, [item], listings, pairs))
        return report.median_width, report.mean_confidence

    assert width_and_rate(30.0)[1] > 0
    assert width_and_rate(30.0) == width_and_rate(3000.0)


def test_a_folder_without_a_priced_item_says_so(tmp_path: Path) -> None:
    items = [{"id": "i", "title": "a thing"}]
    listings = [{"id": "l", "title": "a thing", "price": 3}]
    pairs = [{"item": "i", "listing": "l", "match": 1}]
    with pytest.raises(Invalid, match="no item has both a price and a matching listing"):
        pricing(folder(tmp_path, items, listings, pairs))
