from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.features import FEATURES, SIGNS
from whence.packs.resale.matching.model import weights
from whence.packs.resale.matching.scorer import (
    GTIN_AGREES,
    GTIN_DIFFERS,
    THRESHOLD,
    Product,
    Relevance,
    score_all,
)
from whence.packs.resale.records import Item, Listing
from whence.packs.resale.thresholds import PRICED_RELEVANCE

BRANDS = ("canon", "nikon", "sony", "panasonic", "d-link", "logitech")
KINDS = ("camera", "lens", "battery", "charger", "tripod", "webcam", "printer")
MODELS = ("dcs-6045lkt", "bg-e11", "bg-e9", "dsc-rx100", "c920", "lp-e10", "mg3620")
TITLES = [f"{b} {m} {k} black 32gb" for b in BRANDS for m in MODELS for k in KINDS]
CATALOGUE = Catalogue.of(TITLES)
TITLE = st.builds(
    lambda *parts: " ".join(parts),
    st.sampled_from(BRANDS),
    st.sampled_from(MODELS),
    st.sampled_from(KINDS),
    st.sampled_from(("", "black", "white", "16gb", "32 gb", "with case", "2 pack")),
)


def listing(title: str, **more: object) -> Listing:
    return Listing.model_validate({"source": "library", "source_id": title, "title": title, **more})


def score(product: Product, offer: Listing) -> Relevance:
    return score_all(product, [offer], CATALOGUE)[0]


def test_the_committed_weights_fit_the_features_and_their_signs() -> None:
    model = weights()
    assert model.features == FEATURES
    assert len(model.weights) == len(FEATURES)
    assert all(sign * weight >= 0 for sign, weight in zip(SIGNS, model.weights, strict=True))
    assert model.slope > 0


def test_the_derived_threshold_becomes_a_half() -> None:
    model = weights()
    assert model.score(model.kept_at) == pytest.approx(THRESHOLD)


@given(TITLE)
def test_a_listing_with_the_same_title_may_set_the_price(title: str) -> None:
    assert score(Product(title), listing(title)).score >= PRICED_RELEVANCE


@given(TITLE, TITLE)
def test_scores_lie_between_nothing_and_certainty(one: str, other: str) -> None:
    assert 0 <= score(Product(one), listing(other)).score <= 1


@given(TITLE, TITLE)
def test_naming_the_model_code_that_agrees_never_lowers_the_score(one: str, other: str) -> None:
    without = score(Product(one), listing(other)).score
    code = one.split()[1]
    assert score(Product(one), listing(f"{other} {code}")).score >= without - 1e-9


@settings(max_examples=25)
@given(TITLE, st.lists(TITLE, min_size=2, max_size=6, unique=True), st.integers(0, 99))
def test_the_order_of_listings_does_not_matter(wanted: str, titles: list[str], seed: int) -> None:
    offers = [listing(title) for title in titles]
    mixed = random.Random(seed).sample(offers, len(offers))
    plainly = dict(zip(titles, score_all(Product(wanted), offers, CATALOGUE), strict=True))
    shuffled = score_all(Product(wanted), mixed, CATALOGUE)
    assert all(plainly[o.title] == s for o, s in zip(mixed, shuffled, strict=True))


def test_another_model_of_the_family_is_not_the_product_and_the_reason_names_both() -> None:
    relevance = score(Product("canon bg-e11 battery"), listing("canon bg-e9 battery"))
    assert relevance.score < THRESHOLD
    assert relevance.reason.startswith("different model code: bge11 vs bge9")


def test_an_agreeing_model_code_is_named_in_the_reason() -> None:
    relevance = score(Product("D-Link DCS-6045LKT"), listing("d-link camera kit dcs 6045lkt"))
    assert relevance.score >= THRESHOLD
    assert "model code dcs6045lkt matches" in relevance.reason


def test_equal_gtins_decide_whatever_the_titles_say() -> None:
    gtin = "00012345678905"
    relevance = score(Product("canon bg-e11", gtin=gtin), listing("grip for camera", gtin=gtin))
    assert relevance.score >= GTIN_AGREES


def test_different_gtins_decide_against_equal_titles() -> None:
    product = Product("canon bg-e11 battery", gtin="00012345678905")
    relevance = score(product, listing("canon bg-e11 battery", gtin="00036000291452"))
    assert relevance.score <= GTIN_DIFFERS
    assert "GTIN contradicts" in relevance.reason


def test_a_model_code_in_the_description_confirms_the_product() -> None:
    product = Product("panasonic mg3620 printer")
    bare = score(product, listing("panasonic printer"))
    relevance = score(product, listing("panasonic printer", description="Model MG3620, as new."))
    assert relevance.score > bare.score


def test_a_lot_keeps_its_relevance_and_carries_its_exclusion() -> None:
    relevance = score(Product("canon bg-e11 battery"), listing("lot of 5 canon bg-e11 battery"))
    assert relevance.exclusion is not None
    assert relevance.exclusion.kind == "lot"


def test_prices_in_another_currency_are_not_compared() -> None:
    product = Product("canon bg-e11 battery", price=100.0, currency="USD")
    yen = score(product, listing("canon bg-e11 battery", price=15_000, currency="JPY"))
    none = score(product, listing("canon bg-e11 battery"))
    assert yen.score == none.score


def test_an_item_becomes_the_product_that_is_looked_for() -> None:
    item = Item(title="Canon grip", model="BG-E11", brand="Canon", default_price=99.0)
    product = Product.of(item)
    assert (product.title, product.model, product.price) == ("Canon grip", "BG-E11", 99.0)


def test_no_listings_give_no_scores() -> None:
    assert score_all(Product("canon"), [], CATALOGUE) == []


def test_a_catalogue_may_be_empty() -> None:
    result = score_all(Product("canon bg-e11"), [listing("canon bg-e11")], Catalogue(0, {}))
    assert result[0].score >= THRESHOLD
