"""Items whose research is in each of its states, for pictures of their pages."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx

from browser.items import researched
from whence.app.platform import Platform
from whence.kernel.errors import Unavailable
from whence.kernel.services import Services
from whence.packs.resale.flows.sources import OutsideSources
from whence.packs.resale.sources.base import (
    Availability,
    CatalogueEntry,
    CompQuery,
    NotOffered,
    Offer,
    SearchResult,
)

RUNNING, PAUSED, PARTIAL, FAILED = "Halden", "Meridian", "Fennmark", "Corvane"
"""Brands: what the marketplace does when it is asked for one."""
COMPLETE, STALE = "HP-001", "BP-230"
"""Of the sample: researched to the end, and changed since."""
HOURS = 5_400.0
AT_ONCE = 0.01


class Marketplace:
    """An outside source that answers, is away, breaks, or does not come to an end, by brand."""

    id = "marketplace"
    title = "Marketplace"
    offers = frozenset({Offer.ACTIVE})

    def availability(self) -> Availability:
        return Availability(True)

    async def search(self, query: CompQuery, offer: Offer, limit: int) -> SearchResult:
        words = query.text.lower()
        if RUNNING.lower() in words:
            await asyncio.Event().wait()
        if PAUSED.lower() in words:
            raise Unavailable("Marketplace limits requests at the moment.", retry_after=HOURS)
        if PARTIAL.lower() in words:
            raise Unavailable("Marketplace did not answer.", retry_after=AT_ONCE)
        if FAILED.lower() in words:
            raise RuntimeError("Marketplace sent a page that cannot be read.")
        return SearchResult()

    async def lookup(self, gtin: str) -> Sequence[CatalogueEntry]:
        raise NotOffered


def with_marketplace(platform: Platform) -> Services:
    """The platform's services, with a marketplace beside the imported listings."""
    objects = platform.services._objects  # pyright: ignore[reportPrivateUsage]
    return Services([*objects.values(), OutsideSources((Marketplace(),))])


async def pages_of_research(api: httpx.AsyncClient) -> dict[str, str]:
    """Addresses by name: items whose research goes on, waits, asks, failed, is partial or stale."""
    rows = (await api.get("/api/items?limit=100")).json()["items"]
    ids = {each["brand"]: each["id"] for each in rows}
    lamp = await api.post("/api/items", json={"title": "Desk lamp with a green glass shade"})
    asking = lamp.json()["id"]
    complete = (await researched(api, f"items/{COMPLETE}"))["id"]
    await researched(api, f"items/{STALE}")
    await _changed(api, f"items/{STALE}", condition="fair")
    await researched(api, f"items/{ids[PARTIAL]}")
    failed = await _until(api, f"items/{ids[FAILED]}", "error")
    paused = await _until(api, f"items/{ids[PAUSED]}", "paused")
    await _until(api, f"items/{asking}", "paused", interactive=True)
    running = await _until(api, f"items/{ids[RUNNING]}", "running")
    record, shown = "/records/items", (await api.get(f"/api/items/{COMPLETE}")).json()["id"]
    claim = f"claim:items/{shown}/research/price.target.amount"
    return {
        "item": f"{record}/{shown}",
        "item-tall": f"{record}/{shown}",
        "item-details": f"{record}/{shown}?tab=details",
        "item-history": f"{record}/{shown}?tab=history",
        "item-why": f"{record}/{shown}?sheet={claim}",
        "item-running": f"{record}/{ids[RUNNING]}",
        "item-paused": f"{record}/{ids[PAUSED]}",
        "item-question": f"{record}/{asking}",
        "item-failed": f"{record}/{ids[FAILED]}",
        "item-partial": f"{record}/{ids[PARTIAL]}",
        "item-stale": f"{record}/{ids['Orrin']}",
        "item-none": f"{record}/{ids['Tessel']}",
        "run": f"/runs/{complete}",
        "run-node": f"/runs/{complete}?sheet=node:{complete}/analyze_comps/",
        "run-evidence": f"/runs/{complete}?tab=evidence",
        "run-calls": f"/runs/{complete}?tab=calls",
        "run-log": f"/runs/{complete}?tab=log",
        "run-running": f"/runs/{running}",
        "run-paused": f"/runs/{paused}",
        "run-failed": f"/runs/{failed}",
    }


async def _changed(api: httpx.AsyncClient, path: str, **fields: Any) -> None:
    (await api.patch(f"/api/{path}", json=fields)).raise_for_status()


async def _until(api: httpx.AsyncClient, path: str, status: str, **body: Any) -> str:
    """Start research and wait until it is so; the job."""
    started = await api.post(f"/api/{path}/research", json=body)
    assert started.status_code == 202, started.text
    job = started.json()["jobId"]
    async with asyncio.timeout(90):
        while (shown := (await api.get(f"/api/{path}/research/jobs/{job}")).json())[
            "status"
        ] != status or (status == "running" and shown["currentNode"] != "search_comps"):
            await asyncio.sleep(0.05)
    return job
