"""Naming a product by rules, and the queries that follow from its name."""

from __future__ import annotations

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
