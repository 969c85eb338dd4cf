"""UPCitemdb: products and offers by barcode, with and without a key."""

from __future__ import annotations

import time

import pytest

from whence.kernel.fetch import MalformedBody, RequestRefused, Throttled
from whence.packs.resale.records import Condition, ListingStatus
from whence.packs.resale.sources.base import CompQuery, NotOffered, Offer
from whence.packs.resale.sources.upcitemdb import UpcItemDb

pytestmark = pytest.mark.anyio

TRIAL = "/prod/trial/lookup"
PAID = "/prod/v1/lookup"
GTIN = "00012345678905"


def shop(**changes: object) -> dict[str, object]:
    return {
        "merchant": "Example Shop",
        "domain": "shop.example",
        "title": "Acme Zoom 5, black",
        "currency": "",
        "list_price": "",
        "price": 149.99,
        "shipping": "Free Shipping",
        "condition": "New",
        "availability": "",
        "link": "https://www.upcitemdb.com/norob/alink/?id=1",
        "updated_t": int(time.time()) - 86_400,
    } | changes


def answer(*offers: object, **changes: object) -> dict[str, object]:
    item = {
        "ean": "0012345678905",
        "title": "Acme Zoom 5",
        "upc": "012345678905",
        "brand": "Acme",
        "model": "ZM-5",
        "category": "Cameras & Optics > Cameras",
        "color": "Black",
        "lowest_recorded_price": 3.79,
        "highest_recorded_price": 8500,
        "images": ["https://example.org/a.jpg"],
        "offers": list(offers),
    }
    return {"code": "OK", "total": 1, "offset": 0, "items": [item | changes]}


@pytest.fixture
def source(settings, fetcher) -> UpcItemDb:
    return UpcItemDb(settings(), fetcher)


async def test_a_barcode_gives_its_product(market, source):
    market.answer(TRIAL, answer())
    (entry,) = await source.lookup(GTIN)
    assert (entry.title, entry.brand, entry.model) == ("Acme Zoom 5", "Acme", "ZM-5")
    assert (entry.gtin, entry.attributes) == (GTIN, {"color": "Black"})
    assert market.requests[0].query == {"upc": "012345678905"}
    assert "user_key" not in market.requests[0].headers


async def test_a_key_opens_the_paid_endpoint(market, settings, fetcher):
    market.answer(PAID, answer())
    await UpcItemDb(settings(upcitemdb_key="k3y", upcitemdb=None), fetcher).lookup(GTIN)
    assert market.requests[0].headers["user_key"] == "k3y"
    assert market.requests[0].headers["key_type"] == "3scale"


async def test_offers_are_active_listings(market, source):
    market.answer(TRIAL, answer(shop()))
    (listing,) = (await source.search(CompQuery(gtin=GTIN), Offer.ACTIVE, 10)).listings
    assert (listing.price, listing.shipping, listing.currency) == (149.99, 0, "USD")
    assert (listing.status, listing.condition) == (ListingStatus.ACTIVE, Condition.NEW)
    assert (listing.marketplace, listing.gtin) == ("shop.example", GTIN)


async def test_an_offer_not_seen_for_long_is_not_called_active(market, source):
    market.answer(TRIAL, answer(shop(updated_t=1_432_191_974), shop(updated_t="1e9999")))
    results = await source.search(CompQuery(gtin=GTIN), Offer.ACTIVE, 10)
    assert {listing.status for listing in results.listings} == {ListingStatus.UNKNOWN}


@pytest.mark.parametrize(
    ("shipping", "cost"), [("", None), ("4.99", 4.99), ("$5", 5), ("See site", None), (6, 6)]
)
async def test_shipping_is_known_only_where_it_is_a_number(market, source, shipping, cost):
    market.answer(TRIAL, answer(shop(shipping=shipping)))
    (listing,) = (await source.search(CompQuery(gtin=GTIN), Offer.ACTIVE, 10)).listings
    assert listing.shipping == cost


@pytest.mark.parametrize(
    "change",
    [
        {"price": -3},
        {"price": ""},
        {"price": "1e9999"},
        {"price": 0},
        {"price": None},
        {"shipping": "-4"},
        {"currency": "$"},
        {"title": ""},
        {"merchant": None},
    ],
)
async def test_an_absurd_offer_is_refused_and_the_rest_kept(market, source, change):
    market.answer(TRIAL, answer(shop(**change), shop(merchant="Good Shop")))
    results = await source.search(CompQuery(gtin=GTIN), Offer.ACTIVE, 10)
    assert len(results.listings) == 1
    assert results.refused[0].reason.startswith(next(iter(change)))


async def test_words_alone_ask_nobody(market, source):
    results = await source.search(CompQuery(text="acme"), Offer.ACTIVE, 10)
    assert (results.listings, market.requests) == ((), [])


@pytest.mark.parametrize(
    ("status", "code"), [(404, "NOT_FOUND"), (400, "INVALID_UPC"), (200, "OK")]
)
async def test_an_unknown_code_gives_nothing(market, source, status, code):
    market.answer(TRIAL, {"code": code, "total": 0, "offset": 0, "items": []}, status)
    assert await source.lookup(GTIN) == []


async def test_a_request_that_is_wrong_is_not_hidden(market, source):
    market.answer(TRIAL, {"code": "INVALID_QUERY", "message": "missing"}, 400)
    with pytest.raises(RequestRefused):
        await source.lookup(GTIN)


async def test_the_end_of_the_daily_allowance_says_when_to_come_back(market, source):
    market.answer(TRIAL, {"code": "EXCEED_LIMIT"}, 429, Retry_After="40000")
    with pytest.raises(Throttled) as caught:
        await source.lookup(GTIN)
    assert caught.value.retry_after == 40_000
    assert len(market.requests) == 1


async def test_a_gateway_page_instead_of_json_is_a_typed_error(market, source):
    market.answer(TRIAL, "<html>gateway</html>")
    with pytest.raises(MalformedBody):
        await source.lookup(GTIN)


async def test_sold_listings_are_not_offered(source):
    with pytest.raises(NotOffered):
        await source.search(CompQuery(gtin=GTIN), Offer.SOLD, 10)


async def test_it_is_off_until_somebody_switches_it_on(settings, fetcher):
    availability = UpcItemDb(settings(upcitemdb=None), fetcher).availability()
    assert (availability.available, availability.setting) == (False, "WHENCE_RESALE_UPCITEMDB")
    trial = UpcItemDb(settings(), fetcher).availability()
    assert trial.available
    assert "100 requests a day" in trial.note
