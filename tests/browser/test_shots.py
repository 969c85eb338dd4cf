"""`make shots`: pictures of the pages, light and dark, wide and narrow, to be looked at."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Page, expect

from browser.forms import pages_of_forms
from browser.work_pages import pages_of_work
from whence.app.platform import Platform
from whence.tenancy import tokens

FOLDER = os.environ.get("SHOTS")
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FOLDER, reason="pictures are taken by `make shots`"),
]
SETTINGS = ("organization", "members", "tokens", "audit")
WIDTHS = {"wide": 1440, "narrow": 390}
TITLES = (
    "Minutes of the allotment meeting",
    "Why the ferry timetable changed",
    "A very long title that goes on about the history of the lighthouse keepers of the outer isles",
    "רשימת קניות לשבת",  # written from right to left
    "Ideas",
)
ITEMS = (
    ("Sony WH-1000XM4 wireless headphones, black", "Sony", "good", 189.0, "listed"),
    ("Le Creuset cast iron casserole 24 cm, volcanic", "Le Creuset", "like_new", 145.5, "ready"),
    ("Olympus OM-1 35 mm camera with 50 mm f/1.8", "Olympus", "fair", 220.0, "draft"),
    ("Anglepoise Type 75 desk lamp", "Anglepoise", "new", 119.0, "sold"),
)


@pytest.fixture
async def addresses(serve: str, platform: Platform, worker: asyncio.Task[None]) -> dict[str, str]:
    """Pages by name, with something on them."""
    token = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=60) as api:

        async def add(kind: str, **fields: Any) -> str:
            answer = await api.post(f"/api/{kind}", json=fields)
            assert answer.status_code == 201, answer.text
            return answer.json()["id"]

        for title in TITLES:
            text = f"{title}: what was said, by whom, and what follows from it. " * 3
            note = await add("notes", title=title, text=text)
        for mood, stars in (("praise", 5), ("doubt", 2), ("praise", 4)):
            await add("remarks", text=f"It has {stars} stars", noteId=note, mood=mood, stars=stars)
        for title, brand, condition, price, status in ITEMS:
            item = await add(
                "items",
                title=title,
                brand=brand,
                condition=condition,
                defaultPrice=price,
                currency="GBP",
                lifecycleStatus=status,
            )
        for path in (f"notes/{note}", f"items/{item}"):
            started = await api.post(f"/api/{path}/research", json={"anyway": True})
            job = f"/api/{path}/research/jobs/{started.json()['jobId']}"
            while (await api.get(job)).json()["status"] in ("pending", "running"):
                await asyncio.sleep(0.1)
        forms = await pages_of_forms(api)
        work = await pages_of_work(api, note)
    record = f"/records/notes/{note}"
    return {
        **forms,
        **work,
        "home": "/",
        "inbox": "/inbox",
        "account": "/account",
        "notes": "/records/notes",
        "remarks": "/records/remarks",
        "items": "/records/items",
        "empty": "/records/leave-requests",
        "note": record,
        "note-why": f"{record}?sheet=claim:notes/{note}/research/words",
        "note-details": f"{record}?tab=details",
        "note-history": f"{record}?tab=history",
        "item": f"/records/items/{item}",
        "item-details": f"/records/items/{item}?tab=details",
        **{f"settings-{name}": f"/settings/{name}" for name in SETTINGS},
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
async def test_shots(
    new_page: Any, sign_in: Any, addresses: dict[str, str], scheme: str, width: str
) -> None:
    page = await new_page(
        viewport={"width": WIDTHS[width], "height": 900},
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    stranger = await new_page(viewport={"width": WIDTHS[width], "height": 900}, color_scheme=scheme)
    await stranger.goto("/sign-in")
    await _taken(stranger, f"sign-in-{width}-{scheme}")
    await sign_in(page)
    for name, address in addresses.items():
        await page.goto(address)
        await _taken(page, f"{name}-{width}-{scheme}")
    await page.goto(f"{addresses['note']}?tab=chat")
    await _said(page, "How long is it?", "Set the title to Ferry times")
    await page.screenshot(path=Path(FOLDER or "") / f"chat-tab-{width}-{scheme}.png")
    await page.goto(addresses["item"])
    await page.get_by_role("button", name="Chat", exact=True).click()
    await page.screenshot(path=Path(FOLDER or "") / f"chat-empty-{width}-{scheme}.png")
    await _said(page, "What is it worth?", "Set the price to 95")
    await page.screenshot(path=Path(FOLDER or "") / f"chat-dock-{width}-{scheme}.png")
    await page.get_by_role("button", name="Earlier conversations").click()
    await expect(page.get_by_role("button", name="What is it worth?").first).to_be_visible()
    await page.screenshot(path=Path(FOLDER or "") / f"chat-history-{width}-{scheme}.png")
    await page.get_by_role("button", name="Close the chat").click()
    await page.goto("/records/notes")
    await settled(page)
    await page.keyboard.press("Control+k")
    await page.get_by_role("searchbox", name="Search").last.fill("no")
    await expect(page.get_by_role("menuitem").first).to_be_visible()
    await page.screenshot(path=Path(FOLDER or "") / f"palette-{width}-{scheme}.png")


async def _taken(page: Page, name: str) -> None:
    await settled(page)
    await page.screenshot(path=Path(FOLDER or "") / f"{name}.png")


async def settled(page: Page) -> None:
    """Wait until the page shows what it is about."""
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await expect(page.get_by_role("status", name="Loading")).to_have_count(0)
    await page.wait_for_load_state("networkidle")
    await page.evaluate("document.fonts.ready")


async def _said(page: Page, *messages: str) -> None:
    """Each message with its answer."""
    answers = page.get_by_role("article", name="Answer")
    for message in messages:
        before = await answers.count()
        field = page.get_by_role("textbox", name="Message")
        await field.fill(message)
        await field.press("Enter")
        await expect(answers).to_have_count(before + 1, timeout=30_000)
        await expect(page.get_by_role("button", name="Answer again")).to_be_visible()
    await page.evaluate("document.fonts.ready")
