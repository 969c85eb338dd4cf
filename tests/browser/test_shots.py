"""`make shots`: pictures of the pages, light and dark, wide and narrow, to be looked at."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

FOLDER = os.environ.get("SHOTS")
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FOLDER, reason="pictures are taken by `make shots`"),
]
WIDTHS = {"wide": 1440, "narrow": 390}
PAGES = {"home": "/", "notes": "/records/notes"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
async def test_shots(new_page: Any, sign_in: Any, scheme: str, width: str) -> None:
    page = await new_page(
        viewport={"width": WIDTHS[width], "height": 900},
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    await sign_in(page)
    for name, address in PAGES.items():
        await page.goto(address)
        await _settled(page)
        await page.screenshot(path=Path(FOLDER or "") / f"{name}-{width}-{scheme}.png")


async def _settled(page: Page) -> None:
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await expect(page.get_by_role("status", name="Loading")).to_have_count(0)
    await page.evaluate("document.fonts.ready")
