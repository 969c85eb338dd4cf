"""The web application with 10,000 items and a list of 100,000 records, in a real browser.

Each figure stands beside a page of the same browser that does nothing: what the machine itself
takes at that minute.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from playwright.async_api import Page
from sqlalchemy import text

from bench import browser
from bench.figures import Figure, median, p95
from bench.sample import SAMPLE_PACKS
from bench.server import serving
from whence.app import build
from whence.kernel.settings import Settings

ITEMS, RECORDS = 10_000, 100_000
LOADS = 3
STEP, SECONDS = 600, 8.0
"""Pixels a frame and seconds of scrolling: eleven rows a frame, faster than anybody reads."""
MOST_SECONDS_TO_LOAD = 600
FIRST_LOAD_KB, PAINT_MS, REACTION_MS, FRAME_MS = 250.0, 1500.0, 100.0, 20.0
_ITEMS = text("""
    INSERT INTO resale.items (id, created_at, updated_at, title, description, condition, attributes,
        media, brand, category, quantity, default_price, currency, lifecycle_status,
        ai_review_state)
    SELECT gen_random_uuid(), now() - n * interval '1 minute', now() - n * interval '1 minute',
        (ARRAY['Leather satchel', 'Desk lamp', 'Film camera', 'Wool coat'])[1 + n % 4] || ' ' || n,
        '', (ARRAY['good', 'fair', 'new'])[1 + n % 3], '{}', '[]',
        (ARRAY['Aurelia', 'Halden', 'Norvik'])[1 + n % 3], 'Home', 1, 20 + n % 200, 'GBP',
        (ARRAY['draft', 'listed', 'sold'])[1 + n % 3], 'not_started'
    FROM generate_series(1, :count) n
""")
_NOTE = text("""
    INSERT INTO sample_pack.notes (id, version, created_at, updated_at, title, text)
    VALUES (gen_random_uuid(), 1, now(), now(), 'bench', 'five words in this note') RETURNING id
""")
_REMARKS = text("""
    INSERT INTO sample_pack.remarks (id, version, created_at, updated_at, text, note_id, mood,
        stars, made_on)
    SELECT gen_random_uuid(), 1, now() - n * interval '1 second', now() - n * interval '1 second',
        'A remark of some length, as people write them, number ' || n, CAST(:note AS uuid),
        (ARRAY['praise', 'doubt'])[1 + n % 2], 1 + n % 5, date '2026-01-01' + n % 300
    FROM generate_series(1, :count) n
""")


async def fill(home: Path) -> None:
    """A database with the items, a note, and its remarks."""
    settings = Settings(home=home, pack_dirs=[SAMPLE_PACKS], database_url=None)
    async with build.platform(settings) as platform, platform.unit(platform.owner) as session:
        await session.execute(_ITEMS, {"count": ITEMS})
        note = (await session.execute(_NOTE)).scalar_one()
        await session.execute(_REMARKS, {"count": RECORDS, "note": note})


async def measure(home: Path) -> list[Figure]:
    """First load, paint, reactions and scrolling."""
    await fill(home)
    figures: list[Figure] = []
    with serving(home, WHENCE_PACK_DIRS=str(SAMPLE_PACKS)) as server:
        async with browser.opened(server) as page:
            figures += await _loading(page)
            figures += await _reacting(page)
        async with browser.opened(server) as page:
            figures += await _scrolling(page)
    return figures


async def _loading(page: Page) -> list[Figure]:
    plain = [await browser.largest_paint(page, "/problems/not-found", "HTTP") for _ in range(LOADS)]
    lists = [await browser.largest_paint(page, "/records/items", "Leather") for _ in range(LOADS)]
    await page.get_by_role("link", name="Leather satchel 8", exact=True).click()
    await page.get_by_role("heading", level=1).wait_for()
    address = page.url
    async with browser.without_cache(page):
        items = [await browser.largest_paint(page, address, "Start research") for _ in range(LOADS)]
        size = await browser.scripts(page)
    beside = ("a page without scripts", median(plain))
    return [
        Figure("first load of an item: scripts, compressed", size, "kB", target=FIRST_LOAD_KB),
        Figure("largest paint, an item, nothing cached", median(items), "ms", *beside, PAINT_MS),
        Figure("largest paint, the list of items", median(lists), "ms", *beside, PAINT_MS),
    ]


async def _reacting(page: Page) -> list[Figure]:
    await page.goto("about:blank")
    await page.set_content("<button>Nothing</button>")
    for _ in range(10):
        await page.get_by_role("button").click()
    plain = await browser.reactions(page)
    await page.goto("/records/items")
    await page.get_by_text("Leather").first.wait_for()
    for key in ("j", "j", "j", "x", "x", "k", " ", "Escape", "j", "j"):
        await page.keyboard.press(key)
        await page.wait_for_timeout(100)
    await page.get_by_role("button", name="Filter").click()
    await page.get_by_role("button", name="Condition").click()
    await page.keyboard.press("Escape")
    await page.get_by_role("searchbox", name="Search this list").press_sequentially(
        "lamp", delay=80
    )
    await page.get_by_role("button", name="Columns").click()
    await page.keyboard.press("Escape")
    taken = await browser.reactions(page)
    name = f"reaction to {len(taken)} inputs in the list, p95 (most {max(taken):.0f})"
    return [Figure(name, p95(taken), "ms", "a button that does nothing", max(plain), REACTION_MS)]


async def _scrolling(page: Page) -> list[Figure]:
    await page.set_content(f"<div id=box style='height:600px;overflow:auto'>{'<p>text' * 9000}")
    plain = await browser.frames(page, "#box", STEP, SECONDS / 2)
    await page.goto("/records/remarks")
    await page.get_by_role("row").nth(5).wait_for()
    whole = RECORDS * 52
    began = time.monotonic()
    async with asyncio.timeout(MOST_SECONDS_TO_LOAD):
        while await page.evaluate("document.querySelector('[role=grid]').scrollHeight") < whole:
            await page.evaluate(
                "() => { const box = document.querySelector('[role=grid]');"
                " box.scrollTop = box.scrollHeight; }"
            )
            await page.wait_for_timeout(20)
    print(f"  {RECORDS:,} rows loaded page by page in {time.monotonic() - began:.0f} s")
    taken = await browser.frames(page, "[role=grid]", STEP, SECONDS)
    mean = sum(taken) / len(taken)
    name = f"frame while {RECORDS:,} rows scroll ({1000 / mean:.0f} a second, p95 {p95(taken):.0f})"
    return [Figure(name, mean, "ms", "plain text that scrolls", sum(plain) / len(plain), FRAME_MS)]
