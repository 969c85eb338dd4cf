"""Titles on which the scorer once failed a seller, and their near misses."""

from __future__ import annotations

from collections import Counter

import pytest

from whence.packs.resale.library import background
from whence.packs.resale.matching.profile import counted_words
from whence.packs.resale.matching.scorer import THRESHOLD, Product, Relevance, score_all, text_of
from whence.packs.resale.matching.tokens import terms
from whence.packs.resale.records import Listing
from whence.packs.resale.thresholds import PRICED_RELEVANCE

QUIETBAND = "Aurelia QuietBand 700 wireless noise cancelling headphones, black"
SCANNER = "Epson Perfection V600 scanner"


def scored(product: Product, title: str) -> Relevance:
    """The relevance of one listing, read against the assumed marketplace of a small library."""
    listing = Listing(source="library", source_id="1", title=title)
    texts = (text_of(product), text_of(listing))
    counted = [word for text in texts for word in counted_words(text)]
    catalogue = background.catalogue(1, Counter(terms(title)), counted)
    return score_all(product, [listing], catalogue)[0]


@pytest.mark.parametrize(
    ("item", "listing"),
    [
        (QUIETBAND, "AURELIA QuietBand 700 headphones black, great condition"),
        # in another language
        ("Sony DSC-WX350 digital camera black", "Cámara compacta Sony DSC-WX350 negro"),
        ("Sony DSC-WX350 digital camera black", "Appareil photo Sony DSC-WX350 noir"),
        ("Seiko 5 Sports automatic watch SRPD55", "Seiko 5 Sports Automatik Herren Uhr SRPD55"),
        ("MSI B450 Tomahawk AM4 motherboard", "MSI B450 Tomahawk Mainboard Sockel AM4"),
        # a colour, region or maker added to a code
        ("Sony DSC-WX350 digital camera black", "Sony DSCWX350B Digitalkamera 18 MP schwarz"),
        ("Seiko 5 Sports automatic watch SRPD55K1", "Seiko 5 Sports Herren Automatik Uhr SRPD55"),
        ("Nike Air Max 90 302519-113", "Nike Air Max 90 style 302519"),
        ("Samsung 27 inch monitor S27F350", "Samsung LS27F350FHNXZA 27 inch 1080p monitor"),
        # a code on one side only
        ("Seiko 5 Sports automatic watch SRPD55K1", "Seiko 5 Sports automatic watch"),
        ("Deflecto wall file 52104", "deflecto 52104 wall file letter"),
    ],
)
def test_an_obvious_match_is_kept(item: str, listing: str) -> None:
    assert scored(Product(item), listing).score >= THRESHOLD


def test_the_demos_own_match_may_set_the_price_with_what_its_owner_stated() -> None:
    product = Product(QUIETBAND, brand="Aurelia", model="QB-700")
    match = scored(product, "AURELIA QuietBand 700 headphones black, great condition")
    assert match.score >= PRICED_RELEVANCE


@pytest.mark.parametrize(
    ("item", "listing"),
    [
        (QUIETBAND, "Aurelia QuietBand 500 Bluetooth Headphones Black"),
        ("Sony DSC-WX350 digital camera black", "Sony DSC-WX500 Kamera schwarz"),
        ("Seiko 5 Sports automatic watch SRPD55K1", "Seiko 5 Sports Automatik SRPD63K1"),
        ("Nike Air Max 90 302519-113", "Nike Air Max 95 609048-113"),
        # specifications in common
        (
            "Corsair Vengeance 8GB DDR3 1600MHz CMZ8GX3M1A1600C10",
            "Kingston Fury 8GB DDR3 1600MHz HX316C10F/8",
        ),
        ("Samsung 27 inch monitor 1080p S27F350", "LG 27 inch monitor 1080p 27MP59G"),
        ("MSI B450 Tomahawk AM4 motherboard", "ASUS Prime B350 AM4 motherboard"),
        ("Transcend 128GB SDXC UHS-1 card", "Sandisk Extreme SDXC UHS-1 128GB memory card"),
    ],
)
def test_a_sibling_is_left_out(item: str, listing: str) -> None:
    assert scored(Product(item), listing).score < THRESHOLD


def test_another_memory_type_is_another_product_and_the_reason_names_it() -> None:
    relevance = scored(Product("Corsair Vengeance 8GB DDR3"), "Corsair Vengeance 8GB DDR4")
    assert relevance.score < THRESHOLD
    assert "ddr3 vs ddr4" in relevance.reason


@pytest.mark.parametrize("title", ["Epson Perfection V600 Photo Scanner", "Epson V600 flatbed"])
def test_a_right_part_number_never_costs_a_match(title: str) -> None:
    without = scored(Product(SCANNER, brand="Epson"), title)
    stated = scored(Product(SCANNER, brand="Epson", mpn="B11B198011"), title)
    assert stated.score == pytest.approx(without.score)
    assert stated.score >= PRICED_RELEVANCE


def test_a_part_number_in_a_title_confirms_the_product() -> None:
    product = Product(SCANNER, brand="Epson")
    title = "Epson flatbed scanner B11B198011"
    with_number = Product(SCANNER, brand="Epson", mpn="B11B198011")
    assert scored(with_number, title).score > scored(product, title).score


@pytest.mark.parametrize("title", ["52104 brake pads front", "Playmobil 52104 toy figure"])
@pytest.mark.parametrize(
    "product", [Product("Deflecto wall file 52104"), Product("Wall file", mpn="52104")]
)
def test_a_bare_number_joins_nothing(product: Product, title: str) -> None:
    relevance = scored(product, title)
    assert relevance.score < THRESHOLD
    assert relevance.reason == "only the number 52104 is in both"


def test_a_code_with_letters_added_is_named_as_such() -> None:
    relevance = scored(Product("Sony DSC-WX350 camera"), "Sony DSCWX350B camera")
    assert "model code matches but for letters added" in relevance.reason


def test_an_item_without_a_model_is_priced_by_no_model() -> None:
    product = Product("Lumora desk lamp", brand="Lumora")
    relevance = scored(product, "Lumora LX-40 LED desk lamp silver")
    assert THRESHOLD <= relevance.score < PRICED_RELEVANCE
    assert "the item names no model" in relevance.reason
