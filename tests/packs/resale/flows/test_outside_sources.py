"""Outside sources in a run: used where they answer, recorded where they fail, fatal nowhere."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

pytestmark = pytest.mark.anyio

TOKEN = "/identity/v1/oauth2/token"
ACTIVE = "/buy/browse/v1/item_summary/search"
SOLD = "/buy/marketplace_insights/v1_beta/item_sales/search"
TITLE = "Corvane Lumen L3 desk lamp black"


def token() -> dict[str, object]:
    return {"access_token": "tok", "expires_in": 7200, "token_type": "Application Access Token"}


def row(key: int, price: float, *, sold: bool) -> dict[str, object]:
    amount = {"value": f"{price:.2f}", "currency": "USD"}
    ago = (datetime.now(UTC) - timedelta(days=10 + key)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    return {
        "itemId": f"v1|{key}|0",
        "title": TITLE,
        "condition": "Used",
        "conditionId": "3000",
        "itemWebUrl": f"https://www.ebay.com/itm/{key}",
        **({"lastSoldPrice": amount, "lastSoldDate": ago} if sold else {"price": amount}),
    }


@pytest.fixture
def ebay(outside: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """eBay played locally, and the keys for it set."""
    monkeypatch.setenv("WHENCE_RESALE_EBAY_CLIENT_ID", "app")
    monkeypatch.setenv("WHENCE_RESALE_EBAY_CLIENT_SECRET", "secret")
    monkeypatch.setenv("WHENCE_RESALE_EBAY_BASE_URL", outside.base)
    return outside


async def test_what_ebay_finds_sets_the_price(ebay: Any, open_desk: Any) -> None:
    ebay.answer(TOKEN, token())
    sold = [row(n, 50 + n, sold=True) for n in range(8)]
    ebay.answer(SOLD, {"total": 8, "itemSales": sold})
    ebay.answer(ACTIVE, {"total": 1, "itemSummaries": [row(90, 70, sold=False)]})
    desk = await open_desk()
    done = await desk.research(await desk.item(title=TITLE, condition="good"))
    assert {comp["source"] for comp in done.comps.values()} == {"ebay"}
    assert 45 < done.body["price"]["target"]["amount"] < 65
    [source] = [s for s in done.body["sources"] if s["id"] == "ebay"]
    assert source["found"] == len(done.comps) == 9
    assert source["errors"] == []
    assert all(claim["verdict"] == "supported" for claim in done.dossier["claims"])


async def test_a_listing_that_two_queries_find_is_one_comparable(ebay: Any, open_desk: Any) -> None:
    ebay.answer(TOKEN, token())
    ebay.answer(SOLD, {"total": 1, "itemSales": [row(1, 50, sold=True)]})
    ebay.answer(ACTIVE, {"total": 0})
    desk = await open_desk()
    done = await desk.research(await desk.item(title=f"{TITLE} brass", brand="Corvane"))
    assert len(ebay.queries(SOLD)) > 1
    assert len(done.comps) == 1


async def test_a_gtin_is_asked_for_once_and_by_itself(ebay: Any, open_desk: Any) -> None:
    ebay.answer(TOKEN, token())
    ebay.answer(SOLD, {"total": 0})
    ebay.answer(ACTIVE, {"total": 0})
    desk = await open_desk()
    await desk.research(await desk.item(title=TITLE, gtin="00012345678905"))
    request = ebay.queries(SOLD)
    assert [query["gtin"] for query in request if "gtin" in query] == ["012345678905"]
    assert all(("gtin" in query) != ("q" in query) for query in request)


@pytest.mark.parametrize(
    ("status", "body"),
    [(500, b"oops"), (429, b"slow down"), (403, b"{}"), (200, b"<html>not json"), (200, b"[]")],
)
async def test_a_source_that_fails_is_recorded_and_fails_nothing(
    ebay: Any, open_desk: Any, status: int, body: bytes
) -> None:
    ebay.answer(TOKEN, token())
    for path in (SOLD, ACTIVE):
        ebay.answer(path, body, status)
    desk = await open_desk()
    await desk.sample()
    done = await desk.research("BP-230")
    assert done.ended["status"] == "success"
    assert done.body["price"]
    [source] = [s for s in done.body["sources"] if s["id"] == "ebay"]
    assert source["available"]
    assert source["errors"]


async def test_absurd_rows_are_refused_with_the_reason_and_the_rest_is_used(
    ebay: Any, open_desk: Any
) -> None:
    absurd = row(1, 1, sold=False) | {"price": {"value": "1e9999", "currency": "USD"}}
    ebay.answer(TOKEN, token())
    ebay.answer(SOLD, {"total": 0})
    ebay.answer(ACTIVE, {"total": 2, "itemSummaries": [absurd, row(2, 60, sold=False)]})
    desk = await open_desk()
    done = await desk.research(await desk.item(title=TITLE))
    assert len(done.comps) == 1
    [source] = [s for s in done.body["sources"] if s["id"] == "ebay"]
    assert len(source["refused"]) == 1
