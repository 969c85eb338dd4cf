"""eBay: active listings, sold ones where granted, and rows that cannot be true."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta

import pytest

from packs.resale.sources.ebay_shapes import (
    ACTIVE,
    GTIN,
    SOLD,
    TOKEN,
    sale,
    summaries,
    summary,
    token,
)
from whence.packs.resale.records import Condition, ListingStatus
from whence.packs.resale.sources.base import CompQuery, Offer
from whence.packs.resale.sources.ebay import Ebay

pytestmark = pytest.mark.anyio


@pytest.fixture
def ebay(market, settings, fetcher) -> Ebay:
    market.answer(TOKEN, token())
    return Ebay(settings(), fetcher)


async def test_an_active_listing_is_read_whole(market, ebay):
    market.answer(ACTIVE, summaries(summary()))
    results = await ebay.search(CompQuery(text="acme zoom 5"), Offer.ACTIVE, 10)
    (listing,) = results.listings
    assert listing.source_id == "v1|110001|0"
    assert (listing.price, listing.shipping, listing.currency) == (189.99, 7.5, "USD")
    assert (listing.status, listing.condition) == (ListingStatus.ACTIVE, Condition.GOOD)
    assert listing.category == "Digital Cameras"
    assert listing.listed_at == datetime(2026, 5, 1, 10, tzinfo=UTC)
    assert results.refused == []


async def test_what_is_sent_is_what_ebay_documents(market, ebay):
    market.answer(ACTIVE, summaries())
    await ebay.search(CompQuery(text="acme (zoom, 5)*"), Offer.ACTIVE, 10)
    (minted,) = market.at(TOKEN)
    pair = base64.b64encode(b"app-id:ebay-s3cret").decode()
    assert minted.headers["Authorization"] == f"Basic {pair}"
    assert "grant_type=client_credentials" in minted.body
    (request,) = market.at(ACTIVE)
    assert request.query == {"q": "acme zoom 5", "limit": "10"}
    assert request.headers["Authorization"] == "Bearer tok-1"
    assert request.headers["X-EBAY-C-MARKETPLACE-ID"] == "EBAY_US"


async def test_a_gtin_is_searched_as_the_code_on_the_package(market, ebay):
    market.answer(ACTIVE, summaries())
    await ebay.search(CompQuery(text="acme", gtin=GTIN), Offer.ACTIVE, 10)
    assert market.at(ACTIVE)[0].query == {"gtin": "012345678905", "limit": "10"}


async def test_long_words_are_cut_between_words(market, ebay):
    market.answer(ACTIVE, summaries())
    await ebay.search(CompQuery(text="camera " * 40), Offer.ACTIVE, 10)
    sent = market.at(ACTIVE)[0].query["q"]
    assert len(sent) <= 100
    assert sent.endswith("camera")


async def test_a_sold_listing_is_read_whole(market, ebay):
    market.answer(SOLD, {"total": 1, "itemSales": [sale()]})
    results = await ebay.search(CompQuery(text="acme"), Offer.SOLD, 20)
    (listing,) = results.listings
    assert (listing.status, listing.price, listing.shipping) == (ListingStatus.SOLD, 150.0, None)
    assert listing.condition is Condition.FOR_PARTS
    assert listing.sold_at == datetime(2026, 4, 30, 8, 15, tzinfo=UTC)
    assert "buy.marketplace.insights" in market.at(TOKEN)[0].body


async def test_the_total_that_ebay_counts_is_kept(market, ebay):
    market.answer(ACTIVE, {**summaries(), "total": 540})
    assert (await ebay.search(CompQuery(text="acme"), Offer.ACTIVE, 10)).total == 540
    market.answer(SOLD, {"total": "many", "itemSales": [sale()]})
    assert (await ebay.search(CompQuery(text="acme"), Offer.SOLD, 20)).total is None


async def test_no_hits_are_an_empty_answer(market, ebay):
    market.answer(ACTIVE, {"href": "…", "total": 0, "limit": 10, "offset": 0})
    assert (await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)).listings == []


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (summary(price=None), "price"),
        ({k: v for k, v in summary().items() if k != "price"}, "price: missing"),
        (summary(price={"value": "12,99", "currency": "USD"}), "'12,99' is not an amount"),
        (summary(price={"value": "-5.00", "currency": "USD"}), "'-5.00' is not an amount"),
        (summary(price={"value": "NaN", "currency": "USD"}), "'NaN' is not an amount"),
        (summary(price={"value": "1e9999", "currency": "USD"}), "'1e9999' is not an amount"),
        (summary(price={"value": -5, "currency": "USD"}), "-5 is not between"),
        (summary(price={"value": True, "currency": "USD"}), "True is not an amount"),
        (summary(price={"value": "99999999.00", "currency": "USD"}), "is not between 0"),
        (summary(price={"value": "0.00", "currency": "USD"}), "0 is not a price"),
        (summary(price={"value": None, "currency": "USD"}), "price.value: missing"),
        (summary(price={"value": "5.00", "currency": "dollars"}), "price.currency"),
        (summary(title="x" * 1001), "title: longer than 1,000"),
        (summary(title=None), "title: missing"),
        (summary(title=" \x00 "), "title: missing"),
        (summary(itemId=None), "itemId: missing"),
        (summary(itemId="i" * 201), "itemId: longer than 200"),
        (summary(itemCreationDate="yesterday"), "itemCreationDate: 'yesterday' is not a date"),
        (
            summary(shippingOptions=[{"shippingCost": {"value": "-1", "currency": "USD"}}]),
            "shippingOptions.0.shippingCost.value",
        ),
        (None, "not a row"),
        ("text", "not a row"),
    ],
)
async def test_an_absurd_row_is_refused_with_its_reason_and_the_rest_kept(
    market, ebay, row, reason
):
    market.answer(ACTIVE, summaries(summary(itemId="before"), row, summary(itemId="after")))
    results = await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)
    assert [listing.source_id for listing in results.listings] == ["before", "after"]
    (refused,) = results.refused
    assert reason in refused.reason
    assert refused.raw_id in {"v1|110001|0", "row 2"} or refused.raw_id.startswith("iii")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e9999", "9" * 5000])
async def test_a_number_that_is_none_refuses_its_row_only(market, ebay, number):
    market.answer(
        ACTIVE,
        '{"total": 2, "itemSummaries": ['
        f'{{"itemId": "bad", "title": "t", "price": {{"value": {number}, "currency": "USD"}}}},'
        '{"itemId": "good", "title": "t", "price": {"value": 12.5, "currency": "USD"}}]}',
    )
    results = await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)
    assert [listing.source_id for listing in results.listings] == ["good"]
    assert results.refused[0].raw_id == "bad"
    assert "is not an amount" in results.refused[0].reason


async def test_a_sale_in_the_future_is_refused(market, ebay):
    later = (datetime.now(UTC) + timedelta(days=3)).isoformat()
    market.answer(SOLD, {"total": 1, "itemSales": [sale(lastSoldDate=later)]})
    results = await ebay.search(CompQuery(text="x"), Offer.SOLD, 20)
    assert "is in the future" in results.refused[0].reason


async def test_control_characters_and_odd_links_do_not_come_in(market, ebay):
    row = summary(title="Acme\x00 \u0007Zoom\n5", itemWebUrl="javascript:alert(1)")
    market.answer(ACTIVE, summaries(row))
    (listing,) = (await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)).listings
    assert (listing.title, listing.url) == ("Acme Zoom 5", None)


async def test_shipping_in_another_currency_is_unknown(market, ebay):
    options = [{"shippingCost": {"value": "3.00", "currency": "EUR"}}]
    market.answer(ACTIVE, summaries(summary(shippingOptions=options)))
    (listing,) = (await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)).listings
    assert listing.shipping is None


async def test_never_more_than_the_limit(market, ebay):
    market.answer(ACTIVE, summaries(*(summary(itemId=f"i{n}") for n in range(30))))
    assert len((await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 4)).listings) == 4
