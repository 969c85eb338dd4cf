"""Amazon: the catalogue by barcode, and offers through the batch of competitive summaries."""

from __future__ import annotations

import json

import pytest

from whence.kernel.errors import Misconfigured, Unavailable
from whence.kernel.fetch import AccessDenied, MalformedBody
from whence.packs.resale.records import Condition, ListingStatus
from whence.packs.resale.sources.amazon import Amazon
from whence.packs.resale.sources.base import CompQuery, NotOffered, Offer

pytestmark = pytest.mark.anyio

TOKEN = "/auth/o2/token"
CATALOGUE = "/catalog/2022-04-01/items"
BATCH = "/batches/products/pricing/2022-05-01/items/competitiveSummary"
GTIN = "00012345678905"
EXPIRED = {
    "errors": [
        {
            "code": "Unauthorized",
            "message": "Access to requested resource is denied.",
            "details": "The access token you provided has expired.",
        }
    ]
}


def product(asin: str = "B00TEST001", **changes: object) -> dict[str, object]:
    return {
        "asin": asin,
        "identifiers": [
            {
                "marketplaceId": "ATVPDKIKX0DER",
                "identifiers": [
                    {"identifierType": "EAN", "identifier": "0012345678905"},
                    {"identifierType": "UPC", "identifier": "012345678905"},
                ],
            }
        ],
        "summaries": [
            {"marketplaceId": "A1F83G8C2ARO7P", "itemName": "Acme Zoom 5 (UK)"},
            {
                "marketplaceId": "ATVPDKIKX0DER",
                "itemName": "Acme Zoom 5 Camera",
                "brand": "Acme",
                "manufacturer": "Acme Inc.",
                "modelNumber": "ZM-5",
                "partNumber": "ZM5-US",
                "color": "Black",
                "browseClassification": {"displayName": "Cameras", "classificationId": "1"},
            },
        ],
    } | changes


def offer(seller: str = "A1", amount: object = 120.5, **changes: object) -> dict[str, object]:
    return {
        "listingPrice": {"amount": amount, "currencyCode": "USD"},
        "shippingOptions": [
            {"shippingOptionType": "DEFAULT", "price": {"amount": 2.5, "currencyCode": "USD"}}
        ],
        "subCondition": "VeryGood",
        "sellerId": seller,
        "fulfillmentType": "MFN",
        "primeDetails": {"eligibility": "NATIONAL"},
    } | changes


def part(asin: str, *offers: object, featured: tuple[object, ...] = ()) -> dict[str, object]:
    return {
        "status": {"statusCode": 200, "reasonPhrase": "Success"},
        "body": {
            "asin": asin,
            "marketplaceId": "ATVPDKIKX0DER",
            "featuredBuyingOptions": [
                {"buyingOptionType": "New", "segmentedFeaturedOffers": list(featured)}
            ],
            "lowestPricedOffers": [
                {
                    "lowestPricedOffersInput": {"itemCondition": "Used", "offerType": "Consumer"},
                    "offers": list(offers),
                }
            ],
        },
    }


@pytest.fixture
def amazon(market, settings, fetcher) -> Amazon:
    market.answer(TOKEN, {"access_token": "Atza|1", "expires_in": 3600, "token_type": "bearer"})
    market.answer(TOKEN, {"access_token": "Atza|2", "expires_in": 3600, "token_type": "bearer"})
    return Amazon(settings(), fetcher)


async def test_a_barcode_gives_the_catalogue_entry_of_our_marketplace(market, amazon):
    market.answer(CATALOGUE, {"numberOfResults": 1, "items": [product()]})
    (entry,) = await amazon.lookup(GTIN)
    assert (entry.title, entry.brand, entry.model, entry.mpn) == (
        "Acme Zoom 5 Camera",
        "Acme",
        "ZM-5",
        "ZM5-US",
    )
    assert (entry.category, entry.gtin) == ("Cameras", GTIN)
    assert entry.attributes == {"color": "Black", "manufacturer": "Acme Inc."}
    assert entry.url == "https://www.amazon.com/dp/B00TEST001"
    (sent_request,) = market.at(CATALOGUE)
    assert sent_request.headers["x-amz-access-token"] == "Atza|1"
    assert (sent_request.query["identifiers"], sent_request.query["identifiersType"]) == (
        "012345678905",
        "UPC",
    )
    assert sent_request.query["includedData"] == "summaries,identifiers"


async def test_an_unknown_barcode_gives_nothing(market, amazon):
    market.answer(CATALOGUE, {"numberOfResults": 0, "items": []})
    assert await amazon.lookup(GTIN) == []
    results = await amazon.search(CompQuery(gtin=GTIN), Offer.ACTIVE, 10)
    assert (results.listings, market.at(BATCH)) == ((), [])


async def test_offers_come_from_one_batch_and_each_once(market, amazon):
    market.answer(CATALOGUE, {"numberOfResults": 2, "items": [product("B1"), product("B2")]})
    new = offer("A9", 199, subCondition=None, condition="New", fulfillmentType="AFN")
    market.answer(
        BATCH,
        {"responses": [part("B1", offer(), featured=(new, offer())), part("B2", offer("A2", 90))]},
    )
    results = await amazon.search(CompQuery(text="acme zoom, 5"), Offer.ACTIVE, 10)
    first, second, third = results.listings
    assert first.source_id == "B1:A1:VeryGood:MFN"
    assert (first.price, first.shipping, first.condition) == (120.5, 2.5, Condition.GOOD)
    assert (first.status, first.title) == (ListingStatus.ACTIVE, "Acme Zoom 5 Camera")
    assert (second.price, second.condition) == (199, Condition.NEW)
    assert third.price == 90
    assert market.at(CATALOGUE)[0].query["keywords"] == "acme zoom 5"
    request = json.loads(market.at(BATCH)[0].body)["requests"][0]
    assert (request["asin"], request["method"]) == ("B1", "GET")
    assert request["uri"] == "/products/pricing/2022-05-01/items/competitiveSummary"


async def test_the_limit_is_shared_by_the_products(market, amazon):
    market.answer(CATALOGUE, {"numberOfResults": 2, "items": [product("B1"), product("B2")]})
    many = [offer(f"S{n}") for n in range(20)]
    market.answer(BATCH, {"responses": [part("B1", *many), part("B2", *many)]})
    results = await amazon.search(CompQuery(text="acme"), Offer.ACTIVE, 4)
    assert [row.source_id[:2] for row in results.listings] == ["B1", "B1", "B2", "B2"]


async def test_the_capital_letters_of_the_published_example_are_read(market, amazon):
    market.answer(CATALOGUE, {"numberOfResults": 1, "items": [product("B1")]})
    odd = offer(listingPrice={"Amount": 12, "CurrencyCode": "USD"})
    market.answer(BATCH, {"responses": [part("B1", odd)]})
    results = await amazon.search(CompQuery(gtin=GTIN), Offer.ACTIVE, 10)
    assert results.listings[0].price == 12


@pytest.mark.parametrize("amount", [-1, None, "12,99", "1e9999", 10_000_000, 0, [], True])
async def test_an_absurd_offer_is_refused_and_the_rest_kept(market, amazon, amount):
    market.answer(CATALOGUE, {"numberOfResults": 1, "items": [product("B1")]})
    market.answer(BATCH, {"responses": [part("B1", offer("BAD", amount), offer("GOOD"))]})
    results = await amazon.search(CompQuery(gtin=GTIN), Offer.ACTIVE, 10)
    assert [row.source_id for row in results.listings] == ["B1:GOOD:VeryGood:MFN"]
    assert results.refused[0].raw_id == "BAD"
    assert results.refused[0].reason.startswith("listingPrice.amount: ")


async def test_a_part_that_failed_is_reported_beside_the_others(market, amazon):
    market.answer(CATALOGUE, {"numberOfResults": 2, "items": [product("B1"), product("B2")]})
    failed = {"status": {"statusCode": 404}, "body": {"asin": "B2", "errors": []}}
    market.answer(BATCH, {"responses": [part("B1", offer()), failed, {"status": None}]})
    results = await amazon.search(CompQuery(text="acme"), Offer.ACTIVE, 10)
    assert len(results.listings) == 1
    assert [(row.raw_id, row.reason.split(":")[0]) for row in results.refused] == [
        ("B2", "Amazon answered 404"),
        ("row 3", "status"),
    ]


async def test_a_product_without_a_name_is_refused(market, amazon):
    rows = [product("B1", summaries=[]), product("B2")]
    market.answer(CATALOGUE, {"numberOfResults": 2, "items": rows})
    assert [entry.source_id for entry in await amazon.lookup(GTIN)] == ["B2"]


@pytest.mark.parametrize(("status", "body"), [(401, {}), (403, EXPIRED)])
async def test_an_expired_token_is_renewed_once(market, amazon, status, body):
    market.answer(CATALOGUE, body, status)
    market.answer(CATALOGUE, {"numberOfResults": 1, "items": [product()]})
    assert len(await amazon.lookup(GTIN)) == 1
    used = [sent_request.headers["x-amz-access-token"] for sent_request in market.at(CATALOGUE)]
    assert used == ["Atza|1", "Atza|2"]


async def test_a_role_that_is_missing_is_not_retried(market, amazon):
    market.answer(CATALOGUE, {"errors": [{"code": "Unauthorized"}]}, 403)
    with pytest.raises(AccessDenied):
        await amazon.lookup(GTIN)
    assert len(market.at(CATALOGUE)) == 1


@pytest.mark.parametrize(("status", "error"), [(400, "invalid_grant"), (401, "invalid_client")])
async def test_wrong_credentials_name_the_settings(market, settings, fetcher, status, error):
    market.answer(TOKEN, {"error": error}, status)
    with pytest.raises(Misconfigured, match="WHENCE_RESALE_AMAZON_REFRESH_TOKEN") as caught:
        await Amazon(settings(), fetcher).lookup(GTIN)
    assert "s3cret" not in caught.value.message


async def test_throttling_is_tried_again(market, amazon):
    market.answer(CATALOGUE, {"errors": [{"code": "QuotaExceeded"}]}, 429)
    market.answer(CATALOGUE, {"numberOfResults": 1, "items": [product()]})
    assert len(await amazon.lookup(GTIN)) == 1


async def test_throttling_that_lasts_is_unavailable(market, amazon):
    market.answer(CATALOGUE, {"errors": [{"code": "QuotaExceeded"}]}, 429)
    with pytest.raises(Unavailable):
        await amazon.lookup(GTIN)
    assert len(market.at(CATALOGUE)) == 3


@pytest.mark.parametrize("body", ["{}", "[1]", "oops", '{"items": {}}'])
async def test_an_answer_of_another_shape_is_a_typed_error(market, amazon, body):
    market.answer(CATALOGUE, body)
    with pytest.raises(MalformedBody):
        await amazon.lookup(GTIN)


async def test_sold_listings_are_not_offered(amazon):
    with pytest.raises(NotOffered):
        await amazon.search(CompQuery(text="x"), Offer.SOLD, 10)


@pytest.mark.parametrize(
    "missing", ["amazon_client_id", "amazon_client_secret", "amazon_refresh_token"]
)
async def test_without_credentials_it_names_the_setting(settings, fetcher, missing):
    availability = Amazon(settings(**{missing: None}), fetcher).availability()
    assert (availability.available, availability.setting) == (
        False,
        f"WHENCE_RESALE_{missing.upper()}",
    )
