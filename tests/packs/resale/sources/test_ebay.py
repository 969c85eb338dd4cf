"""eBay: active listings, sold ones where granted, and rows that cannot be true."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta

import pytest

from whence.kernel.errors import Invalid, Misconfigured, Unavailable
from whence.kernel.fetch import AccessDenied, CredentialsRefused, MalformedBody, Throttled
from whence.packs.resale.records import Condition, ListingStatus
from whence.packs.resale.sources.base import CompQuery, NotOffered, Offer
from whence.packs.resale.sources.ebay import Ebay, NotGranted

pytestmark = pytest.mark.anyio

TOKEN = "/identity/v1/oauth2/token"
ACTIVE = "/buy/browse/v1/item_summary/search"
SOLD = "/buy/marketplace_insights/v1_beta/item_sales/search"
GTIN = "00012345678905"
SECRETS = ("ebay-s3cret", "app-id", "tok-1", "tok-2")


def token(number: int = 1, seconds: object = 7200) -> dict[str, object]:
    return {
        "access_token": f"tok-{number}",
        "expires_in": seconds,
        "token_type": "Application Access Token",
    }


def summary(**changes: object) -> dict[str, object]:
    row: dict[str, object] = {
        "itemId": "v1|110001|0",
        "title": "Acme Zoom 5 camera, boxed",
        "price": {"value": "189.99", "currency": "USD"},
        "condition": "Used",
        "conditionId": "3000",
        "itemWebUrl": "https://www.ebay.com/itm/110001",
        "categories": [{"categoryId": "31388", "categoryName": "Digital Cameras"}],
        "shippingOptions": [
            {"shippingCostType": "FIXED", "shippingCost": {"value": "7.50", "currency": "USD"}},
            {"shippingCostType": "CALCULATED"},
        ],
        "itemCreationDate": "2026-05-01T10:00:00.000Z",
        "buyingOptions": ["FIXED_PRICE"],
        "seller": {"username": "someone", "feedbackScore": 10},
    }
    return row | changes


def sale(**changes: object) -> dict[str, object]:
    row: dict[str, object] = {
        "itemId": "v1|220002|0",
        "title": "Acme Zoom 5",
        "lastSoldPrice": {"value": "150.00", "currency": "USD"},
        "lastSoldDate": "2026-04-30T08:15:00.000Z",
        "totalSoldQuantity": 3,
        "conditionId": "7000",
    }
    return row | changes


def summaries(*rows: object) -> dict[str, object]:
    return {"href": "…", "total": len(rows), "limit": 10, "offset": 0, "itemSummaries": rows}


@pytest.fixture
def ebay(market, settings, fetcher) -> Ebay:
    market.answer(TOKEN, token())
    return Ebay(settings(), fetcher)


async def test_an_active_listing_is_read_whole(market, ebay):
    market.answer(ACTIVE, summaries(summary()))
    found = await ebay.search(CompQuery(text="acme zoom 5"), Offer.ACTIVE, 10)
    (listing,) = found.listings
    assert listing.source_id == "v1|110001|0"
    assert (listing.price, listing.shipping, listing.currency) == (189.99, 7.5, "USD")
    assert (listing.status, listing.condition) == (ListingStatus.ACTIVE, Condition.GOOD)
    assert listing.category == "Digital Cameras"
    assert listing.listed_at == datetime(2026, 5, 1, 10, tzinfo=UTC)
    assert found.refused == []


async def test_what_is_sent_is_what_ebay_documents(market, ebay):
    market.answer(ACTIVE, summaries())
    await ebay.search(CompQuery(text="acme (zoom, 5)*"), Offer.ACTIVE, 10)
    (minted,) = market.at(TOKEN)
    pair = base64.b64encode(b"app-id:ebay-s3cret").decode()
    assert minted.headers["Authorization"] == f"Basic {pair}"
    assert "grant_type=client_credentials" in minted.body
    (asked,) = market.at(ACTIVE)
    assert asked.query == {"q": "acme zoom 5", "limit": "10"}
    assert asked.headers["Authorization"] == "Bearer tok-1"
    assert asked.headers["X-EBAY-C-MARKETPLACE-ID"] == "EBAY_US"


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
    found = await ebay.search(CompQuery(text="acme"), Offer.SOLD, 20)
    (listing,) = found.listings
    assert (listing.status, listing.price, listing.shipping) == (ListingStatus.SOLD, 150.0, None)
    assert listing.condition is Condition.FOR_PARTS
    assert listing.sold_at == datetime(2026, 4, 30, 8, 15, tzinfo=UTC)
    assert "buy.marketplace.insights" in market.at(TOKEN)[0].body


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
    found = await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)
    assert [listing.source_id for listing in found.listings] == ["before", "after"]
    (refused,) = found.refused
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
    found = await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)
    assert [listing.source_id for listing in found.listings] == ["good"]
    assert found.refused[0].raw_id == "bad"
    assert "is not an amount" in found.refused[0].reason


async def test_a_sale_in_the_future_is_refused(market, ebay):
    later = (datetime.now(UTC) + timedelta(days=3)).isoformat()
    market.answer(SOLD, {"total": 1, "itemSales": [sale(lastSoldDate=later)]})
    found = await ebay.search(CompQuery(text="x"), Offer.SOLD, 20)
    assert "lies in the future" in found.refused[0].reason


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


async def test_one_token_serves_many_searches(market, ebay):
    market.answer(ACTIVE, summaries())
    for _ in range(3):
        await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)
    assert len(market.at(TOKEN)) == 1


async def test_a_token_about_to_end_is_replaced(market, settings, fetcher):
    market.answer(TOKEN, token(1, seconds=30))
    market.answer(TOKEN, token(2))
    market.answer(ACTIVE, summaries())
    ebay = Ebay(settings(), fetcher)
    for _ in range(3):
        await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)
    used = [asked.headers["Authorization"] for asked in market.at(ACTIVE)]
    assert used == ["Bearer tok-1", "Bearer tok-2", "Bearer tok-2"]


async def test_a_refused_token_is_renewed_once(market, settings, fetcher):
    market.answer(TOKEN, token(1))
    market.answer(TOKEN, token(2))
    market.answer(ACTIVE, {"errors": [{"errorId": 1001, "domain": "OAuth"}]}, 401)
    market.answer(ACTIVE, summaries(summary()))
    found = await Ebay(settings(), fetcher).search(CompQuery(text="x"), Offer.ACTIVE, 10)
    assert len(found.listings) == 1
    used = [asked.headers["Authorization"] for asked in market.at(ACTIVE)]
    assert used == ["Bearer tok-1", "Bearer tok-2"]


async def test_a_second_401_is_a_clear_error(market, ebay):
    market.answer(ACTIVE, {"errors": [{"errorId": 1001}]}, 401)
    with pytest.raises(CredentialsRefused, match="does not accept our credentials") as caught:
        await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)
    assert len(market.at(ACTIVE)) == 2
    assert not any(secret in caught.value.message for secret in SECRETS)


async def test_wrong_keys_name_the_settings(market, settings, fetcher):
    market.answer(TOKEN, {"error": "invalid_client"}, 401)
    with pytest.raises(Misconfigured, match="WHENCE_RESALE_EBAY_CLIENT_SECRET") as caught:
        await Ebay(settings(), fetcher).search(CompQuery(text="x"), Offer.ACTIVE, 10)
    assert not any(secret in caught.value.message for secret in SECRETS)


async def test_a_token_answer_without_a_token_is_malformed(market, settings, fetcher):
    market.answer(TOKEN, {"access_token": "tok-1", "expires_in": "1e9999"})
    with pytest.raises(MalformedBody, match="no usable access token") as caught:
        await Ebay(settings(), fetcher).search(CompQuery(text="x"), Offer.ACTIVE, 10)
    assert "tok-1" not in str(caught.value)


@pytest.mark.parametrize("at_the_token", [True, False])
async def test_sold_listings_not_granted_leave_active_ones_working(
    market, settings, fetcher, at_the_token
):
    if at_the_token:
        market.answer(TOKEN, {"error": "invalid_scope"}, 400)
    market.answer(TOKEN, token())
    market.answer(SOLD, {"errors": [{"errorId": 1100, "message": "Access denied"}]}, 403)
    market.answer(ACTIVE, summaries(summary()))
    ebay = Ebay(settings(), fetcher)
    assert ebay.availability().note == ""
    for _ in range(2):
        with pytest.raises(NotGranted, match="Marketplace Insights"):
            await ebay.search(CompQuery(text="x"), Offer.SOLD, 20)
    assert len(market.at(SOLD)) == (0 if at_the_token else 1)
    assert len((await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)).listings) == 1
    assert ebay.availability().available
    assert "not granted" in ebay.availability().note


async def test_a_403_that_means_too_many_calls_is_throttling(market, ebay):
    market.answer(SOLD, {"errors": [{"errorId": 2001, "domain": "ACCESS"}]}, 403)
    with pytest.raises(Throttled) as caught:
        await ebay.search(CompQuery(text="x"), Offer.SOLD, 20)
    assert isinstance(caught.value, Unavailable)
    assert ebay.availability().note == ""


async def test_a_403_on_active_listings_is_said_as_it_is(market, ebay):
    market.answer(ACTIVE, {"errors": [{"errorId": 1100}]}, 403)
    with pytest.raises(AccessDenied):
        await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)


async def test_429_with_a_long_pause_goes_to_the_run(market, ebay):
    market.answer(ACTIVE, {"errors": [{"errorId": 2001}]}, 429, Retry_After="900")
    with pytest.raises(Throttled) as caught:
        await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)
    assert caught.value.retry_after == 900


@pytest.mark.parametrize("body", ["<html>", "[]", '"x"', '{"hello": 1}', '{"itemSummaries": 5}'])
async def test_an_answer_of_another_shape_is_a_typed_error(market, ebay, body):
    market.answer(ACTIVE, body)
    with pytest.raises(MalformedBody):
        await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)


async def test_a_huge_answer_is_refused(market, ebay):
    market.answer(ACTIVE, summaries(*(summary() for _ in range(2000))))
    with pytest.raises(Invalid, match="more than 300,000 bytes"):
        await ebay.search(CompQuery(text="x"), Offer.ACTIVE, 10)


async def test_it_has_no_catalogue(ebay):
    with pytest.raises(NotOffered):
        await ebay.lookup(GTIN)


@pytest.mark.parametrize("missing", ["ebay_client_id", "ebay_client_secret"])
async def test_without_credentials_it_names_the_setting(settings, fetcher, missing):
    said = Ebay(settings(**{missing: None}), fetcher).availability()
    assert (said.available, said.setting) == (False, f"WHENCE_RESALE_{missing.upper()}")
