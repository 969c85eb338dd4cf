"""How much code an item's page loads before it can be used."""

from __future__ import annotations

import asyncio
import gzip
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from whence.app.platform import Platform
from whence.records import store
from whence.transports.edge.web_app import PACKAGED

pytestmark = pytest.mark.anyio
MOST_BYTES = 250_000
"""Of compressed JavaScript: what a slow connection carries in about a second."""
OF_AN_ITEM = ("index", "RecordPage", "ResearchTab", "ItemConclusion")
"""The entry point, and what an item's page loads lazily at once; its chat stays out."""
_IMPORT = re.compile(r'(?:from|import)\s*"\./([\w-]+\.js)"')


def compressed_size(names: tuple[str, ...]) -> int:
    """Bytes of these files and of all that they import, compressed as the server may send them."""
    folder = PACKAGED / "assets"
    files: set[Path] = set()
    waiting = [path for name in names for path in folder.glob(f"{name}-*.js")]
    assert len(waiting) >= len(names), "a page's file has another name; name it here"
    while waiting:
        path = waiting.pop()
        if path not in files:
            files.add(path)
            waiting += [folder / name for name in _IMPORT.findall(path.read_text("utf-8"))]
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)


def test_the_build_of_an_items_page_is_small() -> None:
    assert compressed_size(OF_AN_ITEM) <= MOST_BYTES


async def test_an_items_page_loads_no_more_than_that(
    page: Page, platform: Platform, worker: asyncio.Task[None]
) -> None:
    kind = platform.kind("items")
    async with platform.unit(platform.owner) as session:
        record = kind.record.model_validate({"title": "Desk lamp"})
        item = (await store.create(session, platform.owner, kind, record)).id
        await platform.ask(session, platform.owner, kind, item)
    fresh = await page.context.new_page()
    await fresh.goto(f"/records/items/{item}")
    await expect(fresh.get_by_role("button", name="Research again")).to_be_visible(timeout=60_000)
    await fresh.wait_for_load_state("networkidle")
    loaded: list[tuple[str, int]] = await fresh.evaluate(
        """() => performance.getEntriesByType("resource")
            .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
            .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])"""
    )
    assert len(loaded) > 3
    assert sum(size for _, size in loaded) <= MOST_BYTES, loaded
