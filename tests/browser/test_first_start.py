"""The first start: sign in by the link, sample data, and the three first steps."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from whence.app.platform import Platform
from whence.tenancy import tokens
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio


async def test_a_newcomer_loads_samples_researches_one_and_asks_about_it(
    page: Page, worker: asyncio.Task[None]
) -> None:
    await page.goto("/")
    steps = page.get_by_role("region", name="First steps").get_by_role("listitem")
    await expect(steps).to_have_count(3)
    await steps.nth(0).get_by_role("button", name="Load sample data").click()
    await expect(steps.nth(0)).to_contain_text("(done)", timeout=30_000)
    await steps.nth(1).get_by_role("link", name="Open a record").click()
    await expect(page).to_have_url(re.compile(r"/records/items/.*tab=research"))
    await expect(page.get_by_text("Sample", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Start research").click()
    await expect(page.get_by_role("button", name="Research again")).to_be_visible(timeout=90_000)
    await page.get_by_role("link", name="whence: first page").click()
    await expect(steps.nth(1)).to_contain_text("(done)")
    await steps.nth(2).get_by_role("link", name="Ask").click()
    field = page.get_by_role("textbox", name="Message")
    await field.fill("What is it worth?")
    await field.press("Enter")
    await expect(page.get_by_role("button", name="Answer again")).to_be_visible(timeout=30_000)
    await page.get_by_role("link", name="whence: first page").click()
    await expect(page.get_by_text("Sample data is loaded")).to_be_visible()
    await expect(steps).to_have_count(0)  # all of them are done

    await page.get_by_role("button", name="Remove it…").click()
    await page.get_by_role("button", name="Remove it", exact=True).click()
    await expect(page.get_by_text("Sample data is loaded")).to_have_count(0)
    await page.goto("/records/items")
    await expect(page.get_by_text("No items yet")).to_be_visible()


async def test_a_viewer_is_offered_no_sample_data(
    new_page: Any, platform: Platform, new_principal: Any
) -> None:
    page = await new_page()
    viewer = new_principal(Role.VIEWER, org_id=platform.owner.org_id)
    link = await tokens.issue(platform.db, viewer, "sign-in link", kind="sign_in")
    await page.goto(f"/sign-in?token={link}")
    await expect(page.get_by_role("region", name="First steps")).to_be_visible()
    await expect(page.get_by_role("button", name="Load sample data")).to_have_count(0)
