"""Naming a product by rules, and the queries that follow from its name."""

from __future__ import annotations

import pytest

from whence.packs.resale.identification.codes_on_photographs import is_of_another
from whence.packs.resale.identification.grounding import UNGROUNDED, ground
from whence.packs.resale.identification.queries import MAX_QUERY_CHARACTERS, new_queries
from whence.packs.resale.identification.records import (
    GTIN_CONFIDENCE,
    ProductIdentification,
    ProductLook,
)
from whence.packs.resale.identification.rules import identify
from whence.packs.resale.records import Item
from whence.packs.resale.sources.base import CatalogueEntry

GTIN, OTHER = "00012345678905", "00036000291452"


def entry(title: str, gtin: str = GTIN, **more: str) -> CatalogueEntry:
    return CatalogueEntry(source="library", source_id=title, title=title, gtin=gtin, **more)


def test_a_catalogue_that_knows_the_gtin_decides() -> None:
    look = ProductLook(title="lamp", gtins=[GTIN], catalogue=[entry("Corvane L3", brand="Corvane")])
    named = identify(look)
    assert (named.gtin, named.brand, named.confidence) == (GTIN, "Corvane", GTIN_CONFIDENCE)


def test_a_code_in_the_title_is_the_model_as_it_is_written() -> None:
    assert identify(ProductLook(title="Fennmark K2-90 kettle")).model == "K2-90"


def test_a_model_that_is_also_printed_is_surer() -> None:
    look = ProductLook(title="x", brand="Fennmark", model="K2-90")
    printed = look.model_copy(update={"printed": ["FENNMARK k2 90"]})
    assert identify(printed).confidence > identify(look).confidence


def test_another_code_of_the_family_on_the_thing_is_an_alternative() -> None:
    look = ProductLook(title="x", brand="Aurelia", model="QB-700", printed=["Model QB-500"])
    [other] = identify(look).alternatives
    assert (other.attribute, other.value) == ("model", "QB-500")


def test_a_second_barcode_is_an_alternative() -> None:
    look = ProductLook(
        title="x", gtins=[GTIN, OTHER], catalogue=[entry("L3"), entry("L5", gtin=OTHER)]
    )
    assert [one.value for one in identify(look).alternatives] == [OTHER]


@pytest.mark.parametrize(
    ("title", "brand", "variant"),
    [
        ("Olive oil extra virgin 1 L", None, {}),
        ("Black & Decker drill", None, {}),
        ("Lime squeezer", None, {}),
        ("Rose wine, set of glasses", None, {}),
        ("Chocolate fondue set", None, {}),
        ("Silver Surfer comic no. 1", None, {}),
        ("Gold coin Krugerrand", None, {}),
        ("Red Bull cooler", "Red Bull", {}),
        ("Parka, olive", None, {"Color": "olive"}),
        ("iPhone 12 64GB gold", None, {"Color": "gold", "Size": "64gb"}),
        ("iPhone 12 rose gold 64GB", None, {"Color": "rose", "Size": "64gb"}),
        ("Sony WH-1000XM4 black headphones", "Sony", {"Color": "black"}),
        ("Casio watch (silver finish)", None, {"Color": "silver"}),
    ],
)
def test_a_colour_of_the_title_is_no_thing_and_no_name(
    title: str, brand: str | None, variant: dict[str, str]
) -> None:
    assert identify(ProductLook(title=title, brand=brand)).variant == variant


@pytest.mark.parametrize(
    ("title", "brand", "model"),
    [
        ("LEGO 75192 Millennium Falcon", "LEGO", "75192"),
        ("Playmobil castle 4866", "Playmobil", "4866"),
        ("Omega Speedmaster 1969", "Omega", None),
        ("Old tin 75192", None, None),
    ],
)
def test_a_number_of_a_known_brand_is_its_model(
    title: str, brand: str | None, model: str | None
) -> None:
    named = identify(ProductLook(title=title, brand=brand))
    assert named.model == model
    assert ("no model" in named.reason or "no GTIN" in named.reason) == (model is None)


def test_two_unlisted_barcodes_are_both_alternatives_and_none_is_chosen() -> None:
    named = identify(ProductLook(title="Fennmark K2-90 kettle", gtins=[GTIN, OTHER]))
    assert named.gtin is None
    assert [(one.attribute, one.value) for one in named.alternatives] == [
        ("gtin", GTIN), ("gtin", OTHER),
    ]  # fmt: skip
    titled = identify(ProductLook(title="Old thing", gtins=[GTIN, OTHER]))
    assert "2 barcodes were read on its photographs" in titled.reason


def test_the_code_of_the_record_is_its_own_and_another_one_is_named() -> None:
    named = identify(ProductLook(title="Kettle", gtins=[GTIN, OTHER], own_gtin=GTIN))
    assert named.gtin == GTIN
    assert [one.value for one in named.alternatives] == [OTHER]


def test_a_code_of_a_label_of_something_else_is_only_an_alternative() -> None:
    look = ProductLook(title="Nintendo Switch", brand="Nintendo", gtins=[GTIN])
    doubtful = identify(look.model_copy(update={"doubtful_gtins": [GTIN]}))
    listed = identify(look.model_copy(update={"catalogue": [entry("Haferdrink 1 l")]}))
    assert identify(look).gtin == GTIN
    assert (doubtful.gtin, listed.gtin) == (None, None)
    assert "names nothing of the item" in doubtful.alternatives[0].reason
    assert "lists another product" in listed.alternatives[0].reason
    assert listed.confidence < GTIN_CONFIDENCE


def test_of_two_listed_codes_the_one_that_fits_is_chosen() -> None:
    look = ProductLook(
        title="Corvane L5 lamp",
        gtins=[GTIN, OTHER],
        catalogue=[entry("Corvane bulb"), entry("Corvane L5", gtin=OTHER)],
    )
    assert identify(look).gtin == OTHER
    same = look.model_copy(update={"catalogue": [entry("Corvane"), entry("Corvane", gtin=OTHER)]})
    assert identify(same).confidence <= 0.5


@pytest.mark.parametrize(
    ("item", "printed", "other"),
    [
        ("Nintendo Switch OLED", ["Bio Haferdrink Natur", "Zutaten Wasser Hafer Salz"], True),
        ("Nintendo Switch OLED", ["Best before", "Store cool", "Contains milk wheat soya"], True),
        ("Nintendo Switch OLED", ["NINTEND0 Made in Japan, Model HEG-001 console"], False),
        ("Nintendo Switch OLED", ["HAC-001", "CE"], False),
        ("Nintendo Switch OLED", [], False),
        ("LEGO 75192", ["ages 16+ 75192 pieces building set toys warning choking"], False),
    ],
)
def test_a_label_that_names_nothing_of_the_item(item: str, printed: list[str], other: bool) -> None:
    assert is_of_another(item, printed) is other


def test_a_title_alone_says_so() -> None:
    named = identify(ProductLook(title="Old thing"))
    assert named.confidence <= 0.3
    assert "only the title" in named.reason


def test_a_barcode_that_no_catalogue_lists_is_not_called_missing() -> None:
    named = identify(ProductLook(title="Old thing", gtins=[GTIN]))
    assert named.gtin == GTIN
    assert "no GTIN" not in named.reason
    assert f"no catalogue that was asked lists GTIN {GTIN}" in named.reason


def test_a_model_answer_keeps_what_stands_in_the_evidence_only() -> None:
    text = ProductIdentification(
        title="L3", brand="Corvane", model="ZX-9", gtin=OTHER, confidence=0.9, reason="so"
    )
    grounded = ground(text, ProductLook(title="Corvane lamp"))
    assert (grounded.brand, grounded.model, grounded.gtin) == ("Corvane", None, None)
    assert grounded.confidence == UNGROUNDED


def test_queries_are_never_asked_twice_and_never_too_long() -> None:
    product = ProductIdentification(
        title="word " * 80, brand="Corvane", model="L3", confidence=0.5, reason="x"
    )
    item = Item(title="Corvane L3")
    questions: list[str] = []
    while fresh := new_queries(product, item, questions, 2):
        questions += fresh
    assert questions[0] == "Corvane L3"
    assert len({frozenset(query.lower().split()) for query in questions}) == len(questions)
    assert max(map(len, questions)) <= MAX_QUERY_CHARACTERS
