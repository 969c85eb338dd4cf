"""Excluding a comparable on an item's page: first its effect, then the decision, then its undo."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.async_api import Locator, Page, expect

from browser.items import api_of, import_sample, researched
from whence.app.platform import Platform
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
ITEM = "items/KT-014"
REPRICED = 60_000


@pytest.fixture
async def api(serve: str, platform: Platform, worker: Any) -> httpx.AsyncClient:
    """A researched item of the sample."""
    api = await api_of(platform, serve)
    await import_sample(api)
    assert (await researched(api, ITEM))["status"] == "success"
    return api


async def test_an_excluded_comparable_moves_the_price_as_shown_before_until_it_is_undone(
    page: Page, api: httpx.AsyncClient
) -> None:
    before = await _target(api)
    await page.goto(f"/records/{ITEM}")
    price = page.get_by_role("region", name="Price")
    await expect(price).to_contain_text(f"{before:.2f}")

    dots = price.get_by_role("list", name="Listings by price").get_by_role("button")
    await dots.first.click()
    sheet = page.get_by_role("complementary", name="Details")
    await sheet.get_by_role("button", name="Exclude").click()
    panel = page.get_by_role("region", name="Before you apply")
    after = await _shown_target(panel)
    assert after != before
    assert await _target(api) == before, "a preview wrote something"

    await page.reload()  # what is being tried stands in the address
    assert await _shown_target(panel) == after
    await panel.get_by_role("textbox", name="Why").fill("another size")
    await panel.get_by_role("button", name="Apply").click()
    await expect(panel).to_have_count(0)
    await expect(price).to_contain_text(f"{after:.2f}", timeout=REPRICED)
    assert await _target(api) == after
    history = (await api.get(f"/api/{ITEM}/audit")).json()["items"]
    [applied] = [each for each in history if each["action"] == "apply_proposal"]
    assert "another size" in applied["reason"]

    await page.get_by_role("region", name="Evidence").get_by_role("button", name="Undo").click()
    await expect(price).to_contain_text(f"{before:.2f}", timeout=REPRICED)


async def test_what_was_tried_on_older_research_is_refused(
    page: Page, api: httpx.AsyncClient
) -> None:
    await page.goto(f"/records/{ITEM}")
    await page.get_by_role("button", name="Exclude").first.click()
    panel = page.get_by_role("region", name="Before you apply")
    await _shown_target(panel)
    await researched(api, ITEM)
    await panel.get_by_role("button", name="Apply").click()
    await expect(panel.get_by_role("alert")).to_contain_text("changed after this was shown")
    await panel.get_by_role("button", name="Show the newest").click()
    await expect(panel).to_have_count(0)


async def test_a_viewer_chooses_nothing(
    new_page: Any, api: httpx.AsyncClient, platform: Platform, new_principal: Any, sign_in: Any
) -> None:
    page = await new_page()
    await sign_in(page, new_principal(Role.VIEWER, platform.owner.org_id))
    evidence = (await api.get(f"/api/{ITEM}/evidence")).json()["items"][0]["id"]
    await page.goto(f"/records/{ITEM}?choices=out.{evidence}")
    await expect(page.get_by_role("region", name="Price")).to_be_visible()
    for name in ("Exclude", "Include", "Apply", "Research again", "Undo"):
        await expect(page.get_by_role("button", name=name)).to_have_count(0)


async def _target(api: httpx.AsyncClient) -> float:
    dossier = (await api.get(f"/api/{ITEM}/research/latest")).json()
    return dossier["body"]["price"]["target"]["amount"]


async def _shown_target(panel: Locator) -> float:
    """What the target would be, as the page says."""
    target = panel.locator("dl > div").filter(has_text="Target")
    await expect(target).to_contain_text("then")
    words = await target.inner_text()
    return float(words.split("then")[1].split("$")[1].split()[0])
