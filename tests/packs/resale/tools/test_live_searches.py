"""`search_listings` asks live sources where that is asked for, so many times a day."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from packs.resale.flows.conftest import outside
from packs.resale.flows.test_outside_sources import ACTIVE, SOLD, TITLE, TOKEN, ebay, row, token
from whence.app import build
from whence.app.platform import Platform
from whence.kernel.retry import RetryPolicy
from whence.kernel.settings import Settings

__all__ = ["ebay", "outside"]
pytestmark = pytest.mark.anyio


@pytest.fixture
async def shop(
    ebay: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Platform]:
    """The program with eBay as a live source, asked twice a day at most."""
    monkeypatch.setenv("WHENCE_RESALE_LIVE_SEARCHES_PER_DAY", "2")
    monkeypatch.setattr(RetryPolicy, "wait", lambda self, tried, at_least=0.0: 0.01)
    ebay.answer(TOKEN, token())
    async with build.platform(settings) as platform:
        yield platform


async def search(platform: Platform, **arguments: Any) -> Any:
    context = platform.tool_context(platform.owner, "chat")
    query = {"text": TITLE, **arguments}
    return await platform.tools.call("search_listings", query, context)


async def test_live_listings_come_beside_imported_ones_only_where_asked_for(
    shop: Platform, ebay: Any
) -> None:
    ebay.answer(SOLD, {"total": 1, "itemSales": [row(1, 50, sold=True)]})
    ebay.answer(ACTIVE, {"total": 1, "itemSummaries": [row(2, 70, sold=False)]})
    assert (await search(shop)).listings == []
    assert ebay.requests == []
    result = await search(shop, live=True)
    assert [(each.source, each.price) for each in result.listings] == [("ebay", 50), ("ebay", 70)]
    assert result.problems == []


async def test_the_day_has_so_many_live_searches_and_says_when_they_are_used_up(
    shop: Platform, ebay: Any
) -> None:
    ebay.answer(ACTIVE, {"total": 1, "itemSummaries": [row(2, 70, sold=False)]})
    results = [await search(shop, live=True, offer="active") for _ in range(3)]
    assert [len(each.listings) for each in results] == [1, 1, 0]
    assert "2 live searches of today are used up" in results[-1].problems[0]
    assert len(ebay.queries(ACTIVE)) == 2


async def test_a_source_that_is_away_is_named_beside_what_others_have(
    shop: Platform, ebay: Any
) -> None:
    ebay.answer(ACTIVE, {"errors": []}, status=503)
    result = await search(shop, live=True, offer="active")
    assert result.listings == []
    assert result.problems[0].startswith("eBay")


async def test_without_a_live_source_that_is_said(platform: Platform) -> None:
    result = await search(platform, live=True)
    assert result.problems == ["No live source is configured that can search listings."]
