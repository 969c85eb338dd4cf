"""The page of an item: its price on an axis, every figure a door to what carries it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

from browser.items import api_of, import_sample
from whence.app.platform import Platform

pytestmark = pytest.mark.anyio
RESEARCHED = 60_000
"""Milliseconds for research on a machine with much other work."""


@pytest.fixture
async def sample(serve: str, platform: Platform) -> None:
    """The sample's items without their photographs, and its listings."""
    await import_sample(await api_of(platform, serve))


async def test_the_price_of_an_item_leads_to_its_claim_and_its_listings(
    page: Page, sample: None, worker: Any
) -> None:
    await page.goto("/records/items/KT-014")
    await page.get_by_role("button", name="Start research").click()
    price = page.get_by_role("region", name="Price")
    await expect(price).to_be_visible(timeout=RESEARCHED)
    dots = price.get_by_role("list", name="Listings by price").get_by_role("button")
    await expect(price.get_by_text("sold").first).to_be_visible()
    listings = await dots.count()
    assert listings >= 3, "the axis has no listings"

    await price.get_by_role("button", name="$").first.click()
    sheet = page.get_by_role("complementary", name="Details")
    await expect(sheet.get_by_text("Computed by the rule").first).to_be_visible()
    await page.keyboard.press("Escape")

    await dots.first.focus()
    await page.keyboard.press("ArrowRight")
    await expect(dots.nth(1)).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(sheet.get_by_text("Fetched")).to_be_visible()

    await price.get_by_text("listings as a table").click()
    rows = price.get_by_role("table").get_by_role("row")
    assert await rows.count() - 1 >= listings  # besides those beyond the axis
