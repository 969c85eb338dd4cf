"""Outside sources in a run: used where they answer, waited for while away, fatal nowhere."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rich.console import Console

from whence.kernel.retry import RetryPolicy
from whence.packs.resale.chat.offer import CHAT
from whence.packs.resale.show import show
from whence.sdk.testing import answer_by_rules
from whence.work import transitions

pytestmark = pytest.mark.anyio

TOKEN = "/identity/v1/oauth2/token"
ACTIVE = "/buy/browse/v1/item_summary/search"
SOLD = "/buy/marketplace_insights/v1_beta/item_sales/search"
LOOKUP = "/prod/trial/lookup"
TRIES = 3
"""Requests of one call to a source that is away."""
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
        "image": {"imageUrl": f"https://i.ebayimg.com/{key}.jpg"},
        **({"lastSoldPrice": amount, "lastSoldDate": ago} if sold else {"price": amount}),
    }


@pytest.fixture
def ebay(outside: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """eBay played locally, and the keys for it set."""
    monkeypatch.setenv("WHENCE_RESALE_EBAY_CLIENT_ID", "app")
    monkeypatch.setenv("WHENCE_RESALE_EBAY_CLIENT_SECRET", "secret")
    monkeypatch.setenv("WHENCE_RESALE_EBAY_BASE_URL", outside.base)
    return outside


@pytest.fixture
def pausing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short waits, and only one pause before the run continues without the source."""
    monkeypatch.setattr(RetryPolicy, "wait", lambda self, tried, at_least=0.0: 0.01)
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(transitions, "MAX_OUTAGES", 2)


async def test_what_ebay_finds_sets_the_price(ebay: Any, open_desk: Any) -> None:
    ebay.answer(TOKEN, token())
    sold = [row(n, 50 + n, sold=True) for n in range(8)]
    ebay.answer(SOLD, {"total": 8, "itemSales": sold})
    ebay.answer(ACTIVE, {"total": 1, "itemSummaries": [row(90, 70, sold=False)]})
    desk = await open_desk()
    research = await desk.research(await desk.item(title=TITLE, condition="good"))
    assert {comp["source"] for comp in research.comps.values()} == {"ebay"}
    assert 45 < research.body["price"]["target"]["amount"] < 65
    [source] = [s for s in research.body["sources"] if s["id"] == "ebay"]
    assert source["found"] == len(research.comps) == 9
    assert source["errors"] == []
    assert all(claim["verdict"] == "supported" for claim in research.dossier["claims"])
    sale, offer = research.comps["v1|0|0"], research.comps["v1|90|0"]
    assert (sale["type"], sale["price"], sale["currency"]) == ("sold_listing", 50.0, "USD")
    assert (sale["condition"], sale["imageUrl"]) == ("good", "https://i.ebayimg.com/0.jpg")
    assert sale["soldAt"].startswith(sale["observedAt"][:10])
    assert (offer["type"], offer["price"], offer["soldAt"]) == ("active_listing", 70.0, None)


async def test_a_listing_that_two_queries_find_is_one_comparable(ebay: Any, open_desk: Any) -> None:
    ebay.answer(TOKEN, token())
    ebay.answer(SOLD, {"total": 1, "itemSales": [row(1, 50, sold=True)]})
    ebay.answer(ACTIVE, {"total": 0})
    desk = await open_desk()
    research = await desk.research(await desk.item(title=f"{TITLE} brass", brand="Corvane"))
    assert len(ebay.queries(SOLD)) > 1
    assert len(research.comps) == 1


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
    [(403, b"{}"), (200, b"<html>not json"), (200, b"[]")],
)
async def test_a_source_that_refuses_is_named_and_fails_nothing(
    ebay: Any, open_desk: Any, status: int, body: bytes
) -> None:
    ebay.answer(TOKEN, token())
    for path in (SOLD, ACTIVE):
        ebay.answer(path, body, status)
    desk = await open_desk()
    await desk.sample()
    research = await desk.research("BP-230")
    assert (research.ended["status"], research.ended["partial"]) == ("success", False)
    assert research.body["price"]
    assert "eBay refused the search." in research.dossier["summary"]
    [source] = [s for s in research.body["sources"] if s["id"] == "ebay"]
    assert source["available"]
    assert source["errors"]


async def test_a_source_that_is_away_pauses_the_run_and_is_asked_again_by_itself(
    ebay: Any, open_desk: Any, pausing: None
) -> None:
    ebay.answer(TOKEN, token())
    sold = [row(n, 50 + n, sold=True) for n in range(8)]
    ebay.answer(SOLD, {"total": 8, "itemSales": sold})
    for _ in range(2 * TRIES):  # two queries
        ebay.answer(ACTIVE, b"down", 503)
    ebay.answer(ACTIVE, {"total": 1, "itemSummaries": [row(90, 70, sold=False)]})
    desk = await open_desk()
    item = await desk.item(title=TITLE, condition="good", brand="Corvane", model="Lumen L3")
    research = await desk.research(item)
    [pause] = [event for event in await desk.events(research) if event.type == "job_paused"]
    assert pause.payload["notice"] == "Research paused, will resume automatically"
    assert (research.ended["status"], research.ended["partial"]) == ("success", False)
    assert research.dossier["notDone"] == []
    assert len(research.comps) == 9
    [source] = [s for s in research.body["sources"] if s["id"] == "ebay"]
    assert source["errors"] == []
    searched = [query["q"] for query in ebay.queries(SOLD)]
    assert len(searched) == len(set(searched)), "what has answered is not asked again"


@pytest.mark.parametrize("status", [503, 429])
async def test_a_source_that_stays_away_leaves_an_incomplete_dossier_that_names_it(
    ebay: Any, open_desk: Any, pausing: None, status: int
) -> None:
    ebay.answer(TOKEN, token())
    for path in (SOLD, ACTIVE):
        ebay.answer(path, b"down", status)
    desk = await open_desk()
    research = await desk.research(
        await desk.item(title=TITLE, condition="good", brand="Corvane", model="Lumen L3")
    )
    assert (research.ended["status"], research.ended["partial"]) == ("success", True)
    assert research.dossier["notDone"] == ["eBay was not searched: it did not answer"]
    assert "eBay did not answer." in research.dossier["summary"]
    assert "No comparable listing was found" not in str(research.body["notEnough"])
    assert research.body["notEnough"]["reason"].startswith("eBay did not answer.")
    view = await desk.record_view(research)
    answer = answer_by_rules(CHAT, view, "What is it worth?").text
    assert "eBay did not answer" in answer
    assert "No comparable listing was found" not in answer
    console = Console(file=io.StringIO(), width=200)
    console.print(show(research.dossier, research.evidence, view.shown))
    assert "eBay was not searched: it did not answer" in console.file.getvalue()  # type: ignore[attr-defined]
    nodes = [
        event.payload["node"] for event in await desk.events(research) if "node" in event.payload
    ]
    assert nodes.count("persist_results") == 2, "it started once and ended once"


async def test_an_incomplete_dossier_keeps_the_other_sources_and_retires_no_complete_one(
    ebay: Any, open_desk: Any, pausing: None
) -> None:
    ebay.answer(TOKEN, token())
    ebay.answer(SOLD, {"total": 0})
    ebay.answer(ACTIVE, {"total": 1, "itemSummaries": [row(90, 70, sold=False)]})
    desk = await open_desk()
    await desk.sample()
    complete = await desk.research("BP-230")
    assert complete.ended["partial"] is False
    for path in (SOLD, ACTIVE):
        ebay.routes[path].clear()
        ebay.answer(path, b"down", 503)
    later = await desk.research("BP-230")
    assert later.ended["partial"] is True
    assert later.dossier["id"] == complete.dossier["id"], "the complete one stays current"
    history = await desk.dossiers("BP-230")
    assert [(each.is_current, each.is_partial) for each in history] == [
        (False, True),
        (True, False),
    ]
    assert history[0].body["price"], "the imported listings still count"
    assert "the earlier, complete dossier stays" in " ".join(history[0].notices)


async def test_a_catalogue_that_is_away_is_waited_for_if_nothing_else_identifies_the_item(
    outside: Any, open_desk: Any, pausing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHENCE_RESALE_UPCITEMDB", "true")
    monkeypatch.setenv("WHENCE_RESALE_UPCITEMDB_BASE_URL", outside.base)
    outside.answer(LOOKUP, b"down", 503)
    desk = await open_desk()
    research = await desk.research(await desk.item(title="A thing", gtin="00012345678905"))
    assert [event.type for event in await desk.events(research)].count("job_paused") == 1
    assert research.dossier["notDone"] == ["UPCitemdb was not searched: it did not answer"]


async def test_absurd_rows_are_refused_with_the_reason_and_the_rest_is_used(
    ebay: Any, open_desk: Any
) -> None:
    absurd = row(1, 1, sold=False) | {"price": {"value": "1e9999", "currency": "USD"}}
    ebay.answer(TOKEN, token())
    ebay.answer(SOLD, {"total": 0})
    ebay.answer(ACTIVE, {"total": 2, "itemSummaries": [absurd, row(2, 60, sold=False)]})
    desk = await open_desk()
    research = await desk.research(await desk.item(title=TITLE))
    assert len(research.comps) == 1
    [source] = [s for s in research.body["sources"] if s["id"] == "ebay"]
    assert len(source["refused"]) == 1
