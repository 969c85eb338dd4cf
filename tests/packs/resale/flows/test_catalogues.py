"""Asking catalogues for an item's codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from whence.packs.resale.flows.nodes import identify_product as node
from whence.packs.resale.identification.answers import Stated
from whence.packs.resale.records import Item
from whence.packs.resale.sources.base import CatalogueEntry, Offer, Source

pytestmark = pytest.mark.anyio

GTIN = "00012345678905"


class Catalogue:
    """A catalogue that names a product and leaves its code out."""

    id = "elsewhere"
    offers = frozenset({Offer.LOOKUP})

    async def lookup(self, gtin: str) -> Sequence[CatalogueEntry]:
        return [CatalogueEntry(source=self.id, source_id="1", title="Corvane Lumen L3")]


async def test_an_answer_without_a_code_is_about_the_code_that_was_asked_for() -> None:
    entries, report = await node._ask(cast("Source", Catalogue()), GTIN)
    assert [entry.gtin for entry in entries] == [GTIN]
    assert (report["found"], report["error"]) == (1, None)


def test_a_photograph_of_a_shelf_does_not_ask_for_every_code_on_it() -> None:
    codes = [f"{n:014}" for n in range(40)]
    photo = {"name": "shelf.jpg", "barcodes": codes, "text": [], "problem": None}
    item, state = Item(title="A lamp", gtin=GTIN), cast("Any", {"photos": [photo]})
    request = node._gtins(item, Stated(), state)
    assert request == [GTIN, *codes[:5]]
