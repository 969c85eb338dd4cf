"""eBay: tokens, what is not granted, throttling, and answers that cannot be read."""

from __future__ import annotations

import pytest

from packs.resale.sources.ebay_shapes import (
    ACTIVE,
    GTIN,
    SECRETS,
    SOLD,
    TOKEN,
    summaries,
    summary,
    token,
)
from whence.kernel.errors import Invalid, Misconfigured, Unavailable
from whence.kernel.fetch import AccessDenied, CredentialsRefused, MalformedBody, Throttled
from whence.packs.resale.sources.base import CompQuery, NotOffered, Offer
from whence.packs.resale.sources.ebay import Ebay, NotGranted

pytestmark = pytest.mark.anyio


@pytest.fixture
def ebay(market, settings, fetcher) -> Ebay:
    market.answer(TOKEN, token())
    return Ebay(settings(), fetcher)


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
    used = [request.headers["Authorization"] for request in market.at(ACTIVE)]
    assert used == ["Bearer tok-1", "Bearer tok-2", "Bearer tok-2"]


async def test_a_refused_token_is_renewed_once(market, settings, fetcher):
    market.answer(TOKEN, token(1))
    market.answer(TOKEN, token(2))
    market.answer(ACTIVE, {"errors": [{"errorId": 1001, "domain": "OAuth"}]}, 401)
    market.answer(ACTIVE, summaries(summary()))
    results = await Ebay(settings(), fetcher).search(CompQuery(text="x"), Offer.ACTIVE, 10)
    assert len(results.listings) == 1
    used = [request.headers["Authorization"] for request in market.at(ACTIVE)]
    assert used == ["Bearer tok-1", "Bearer tok-2"]


async def test_a_second_401_is_a_clear_error(market, ebay):
    market.answer(ACTIVE, {"errors": [{"errorId": 1001}]}, 401)
    with pytest.raises(CredentialsRefused, match="rejects the credentials") as caught:
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
    availability = Ebay(settings(**{missing: None}), fetcher).availability()
    assert (availability.available, availability.setting) == (
        False,
        f"WHENCE_RESALE_{missing.upper()}",
    )
