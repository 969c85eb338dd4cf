"""The Open Facts: products by barcode, with a name and a contact in every request."""

from __future__ import annotations

import pytest

from whence.kernel.fetch import AddressRefused, HostUnavailable, MalformedBody
from whence.packs.resale.sources.base import CompQuery, NotOffered, Offer
from whence.packs.resale.sources.openfacts import OpenFacts

pytestmark = pytest.mark.anyio

GTIN = "00012345678905"
PATH = "/api/v2/product/0012345678905.json"


def answer(**changes: object) -> dict[str, object]:
    product = {
        "code": "0012345678905",
        "product_name": "Hazelnut spread",
        "brands": "Acme,Acme Foods",
        "categories": "Breakfasts, Spreads, Hazelnut spreads",
        "quantity": "400 g",
        "product_type": "food",
    }
    return {"code": "0012345678905", "status": 1, "product": product | changes}


@pytest.fixture
def source(settings, fetcher) -> OpenFacts:
    return OpenFacts(settings(), fetcher)


async def test_a_barcode_gives_its_product(market, source):
    market.answer(PATH, answer())
    (entry,) = await source.lookup(GTIN)
    assert (entry.title, entry.brand) == ("Hazelnut spread", "Acme")
    assert (entry.category, entry.gtin) == ("Hazelnut spreads", GTIN)
    assert entry.attributes == {"quantity": "400 g"}
    assert entry.url == "https://world.openfoodfacts.org/product/0012345678905"


async def test_it_introduces_itself_with_a_contact(market, source):
    market.answer(PATH, answer())
    await source.lookup(GTIN)
    agent = market.requests[0].headers["User-Agent"]
    assert agent.startswith("whence/")
    assert agent.endswith("(me@example.org)")
    assert market.requests[0].query["product_type"] == "all"


async def test_a_product_on_a_sister_site_is_followed(market, source):
    market.answer(PATH, b"", 302, Location=f"{market.base}/sister")
    market.answer("/sister", answer(product_type="product"))
    (entry,) = await source.lookup(GTIN)
    assert entry.url == "https://world.openproductsfacts.org/product/0012345678905"


@pytest.mark.parametrize("target", ["http://127.0.0.1:1/x", "https://evil.example/x"])
async def test_a_redirect_to_anywhere_else_is_refused(market, source, target):
    market.answer(PATH, b"", 302, Location=target)
    with pytest.raises(AddressRefused):
        await source.lookup(GTIN)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {"code": "x", "status": 0, "status_verbose": "product not found"}),
        (404, {"code": "x", "status": 0, "status_verbose": "product not found"}),
        (200, answer(product_name="")),
    ],
)
async def test_an_unknown_or_nameless_product_gives_nothing(market, source, status, body):
    market.answer(PATH, body, status)
    assert await source.lookup(GTIN) == []


@pytest.mark.parametrize(
    "body", ["[]", "{}", "<html>", '{"status": 1, "product": {"product_name": 5}}']
)
async def test_an_answer_of_another_shape_is_a_typed_error(market, source, body):
    market.answer(PATH, body)
    with pytest.raises(MalformedBody):
        await source.lookup(GTIN)


async def test_a_site_that_limits_reads_is_unavailable(market, source):
    market.answer(PATH, b"", 503)
    with pytest.raises(HostUnavailable):
        await source.lookup(GTIN)


async def test_it_has_no_listings(source):
    with pytest.raises(NotOffered):
        await source.search(CompQuery(text="x"), Offer.ACTIVE, 10)


async def test_it_is_off_until_somebody_switches_it_on(settings, fetcher):
    availability = OpenFacts(settings(openfacts=None), fetcher).availability()
    assert (availability.available, availability.setting) == (False, "WHENCE_RESALE_OPENFACTS")


async def test_a_missing_contact_is_mentioned(settings, fetcher):
    availability = OpenFacts(settings(openfacts_contact=None), fetcher).availability()
    assert availability.available
    assert "WHENCE_RESALE_OPENFACTS_CONTACT" in availability.note
