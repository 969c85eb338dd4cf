"""`make shots`: pictures of the pages, light and dark, wide and narrow, to be looked at."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Error, Page, expect

from browser.forms import pages_of_forms
from browser.items import SAMPLE, import_sample, researched
from browser.shown_chats import pages_of_chats
from browser.shown_imports import pages_of_imports
from browser.shown_research import COMPLETE, STALE, pages_of_research, with_marketplace
from browser.work_pages import pages_of_work
from whence.app import build
from whence.app.platform import Platform
from whence.tenancy import tokens
from whence.work import transitions

FOLDER = os.environ.get("SHOTS")
ONLY = tuple(os.environ.get("SHOTS_ONLY", "").split(","))
"""How the names of the pictures begin that are to be taken; `chat` for all of the chat."""
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FOLDER, reason="pictures are taken by `make shots`"),
]
SETTINGS = (
    *("organization", "members", "tokens", "models", "sources", "spending", "packs/resale/fees"),
    *("retention", "audit"),
)
WIDTHS = {"wide": 1440, "narrow": 390}
SCHEMES = ("light", "dark")
TITLES = (
    "Minutes of the allotment meeting",
    "Why the ferry timetable changed",
    "A very long title that goes on about the history of the lighthouse keepers of the outer isles",
    "רשימת קניות לשבת",  # written from right to left
    "Ideas",
)
MORE_ITEMS = (
    ("Halden 35 mm rangefinder camera with case", "Halden", "good", 189.0, "listed"),
    ("Norvik cast iron casserole 24 cm, orange enamel", "Norvik", "like_new", 145.5, "listed"),
    ("Meridian folding bicycle, 6 gears, green", "Meridian", "fair", 420.0, "draft"),
    ("Lumora Arc floor lamp, brass", "Lumora", "new", 119.0, "sold"),
    ("Tessel mechanical keyboard, 87 keys, brown switches", "Tessel", "good", 64.0, "listed"),
    ("Wool blanket, hand woven, 140 × 200 cm, undyed", None, "like_new", 80.0, "ready"),
    ("Corvane ST-2 turntable with spare belt", "Corvane", "fair", 135.0, "ready"),
    ("Set of six teak dining chairs, designer unknown, 1960s", None, "good", None, "draft"),
)
SILENT = 3_000
"""Milliseconds of waiting for a page to fetch nothing more."""
TALL = 2_400
"""Height of the window for pages named so: what one scrolls to is in the picture."""


@pytest.fixture
async def shown_worker(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """A worker that soon gives up what is away or breaks."""
    monkeypatch.setattr(transitions, "MAX_OUTAGES", 2)
    monkeypatch.setattr(transitions, "MAX_CRASHES", 1)
    async with build.worker(replace(platform, services=with_marketplace(platform))):
        yield


@pytest.fixture
async def addresses(
    serve: str, platform: Platform, shown_worker: None, database_url: str
) -> dict[str, str]:
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
        await import_sample(api)
        for view in (
            {"title": "Listed", "parameters": {"lifecycleStatus": "listed"}},
            {"title": "Like new or better", "parameters": {"condition": ["new", "like_new"]}},
        ):
            (await api.post("/api/views/items", json=view)).raise_for_status()
        for title, brand, condition, price, status in MORE_ITEMS:
            await add(
                "items",
                title=title,
                brand=brand,
                condition=condition,
                defaultPrice=price,
                currency="USD",
                lifecycleStatus=status,
            )
        photographs = await _photographed(api, COMPLETE)
        await researched(api, f"notes/{note}", anyway=True)
        pages = {
            **await pages_of_forms(api),
            **await pages_of_research(api),
            **await pages_of_work(api, note),
            **await pages_of_imports(api),
            **await pages_of_chats(api, STALE, database_url),
        }
    record = f"/records/notes/{note}"
    return {
        **pages,
        "home": "/",
        "inbox": "/inbox",
        "account": "/account",
        "notes": "/records/notes",
        "remarks": "/records/remarks",
        "unknown": "/no/such/page",
        "items": "/records/items",
        "items-view": "/records/items?condition=new&condition=like_new",
        "empty": "/records/leave-requests",
        "note": record,
        "note-why": f"{record}?sheet=claim:notes/{note}/research/words",
        "note-details": f"{record}?tab=details",
        "note-history": f"{record}?tab=history",
        "item-photograph": f"{pages['item-details']}&sheet={photographs}",
        "settings": "/settings",
        **{f"settings-{name.split('/')[-1]}": f"/settings/{name}" for name in SETTINGS},
    }


@pytest.mark.timeout(1800)
async def test_shots(new_page: Any, sign_in: Any, addresses: dict[str, str]) -> None:
    for width, scheme in product(WIDTHS, SCHEMES):
        await _shots(new_page, sign_in, addresses, scheme, width)


async def _shots(
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
        if not name.startswith(ONLY):
            continue
        if name.endswith("-tall"):
            await page.set_viewport_size({"width": WIDTHS[width], "height": TALL})
        await page.goto(address)
        await _taken(page, f"{name}-{width}-{scheme}")
        if name.endswith("-tall"):
            await page.set_viewport_size({"width": WIDTHS[width], "height": 900})
    if "chat".startswith(ONLY):
        await _chats(page, addresses, f"{width}-{scheme}")
    await page.goto("/records/notes")
    await settled(page)
    await page.keyboard.press("Control+k")
    await page.get_by_role("searchbox", name="Search").last.fill("no")
    await expect(page.get_by_role("menuitem").first).to_be_visible()
    await page.screenshot(path=Path(FOLDER or "") / f"palette-{width}-{scheme}.png")


async def _chats(page: Page, addresses: dict[str, str], look: str) -> None:
    """The chat beside a page: empty, with an answer, its history, and with a form."""
    await page.goto(addresses["item"])
    await page.get_by_role("button", name="Chat", exact=True).click()
    await _anew(page)
    await page.screenshot(path=Path(FOLDER or "") / f"chat-empty-{look}.png")
    await _said(page, "What is it worth?", "Set the price to 155")
    await page.screenshot(path=Path(FOLDER or "") / f"chat-dock-{look}.png")
    await page.get_by_role("button", name="Earlier conversations").click()
    await expect(page.get_by_role("button", name="What is it worth?").first).to_be_visible()
    await page.screenshot(path=Path(FOLDER or "") / f"chat-history-{look}.png")
    await page.get_by_role("button", name="Close the chat").click()
    await page.goto(addresses["empty"])
    await page.get_by_role("button", name="Chat", exact=True).click()
    await _anew(page)
    await (
        page.get_by_role("complementary", name="Chat")
        .get_by_role("button", name="Request leave")
        .click()
    )
    await expect(page.get_by_role("heading", name="What is the leave for?")).to_be_visible()
    await page.screenshot(path=Path(FOLDER or "") / f"chat-form-{look}.png")
    await page.get_by_role("button", name="Close the chat").click()


async def _photographed(api: httpx.AsyncClient, item: str) -> str:
    """Put the sample's photographs with an item; the view of the first in the side sheet."""
    for name in ("front.jpg", "back.jpg", "label.jpg"):
        content = (SAMPLE / "photos" / name).read_bytes()
        path = f"/api/items/{item}/files?filename={name}"
        (await api.post(path, content=content)).raise_for_status()
    first = (await api.get(f"/api/items/{item}/files")).json()["items"][0]
    return "file:" + first["url"].removeprefix("/api/").replace("/files/", "/")


async def _taken(page: Page, name: str) -> None:
    await settled(page)
    await page.screenshot(path=Path(FOLDER or "") / f"{name}.png")


async def settled(page: Page) -> None:
    """Wait until the page shows what it is about."""
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await expect(page.get_by_role("status", name="Loading")).to_have_count(0)
    with suppress(Error):  # a page that follows a run never falls silent
        await page.wait_for_load_state("networkidle", timeout=SILENT)
    await page.evaluate("document.fonts.ready")


async def _anew(page: Page) -> None:
    """A new conversation, where there is an earlier one."""
    new = page.get_by_role("button", name="New conversation")
    empty = page.get_by_role("heading", name="New conversation")
    await expect(new.or_(empty).first).to_be_visible()
    if await new.is_visible():
        await new.click()
        await expect(page.get_by_role("article", name="Answer")).to_have_count(0)


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
