"""Lists of records: saved views, columns, what research concluded, and records that arrive."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from playwright.async_api import Page, expect

from whence.app.platform import Platform
from whence.tenancy import tokens
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio


@pytest.fixture
async def api(serve: str, platform: Platform) -> Any:
    """The owner's API client, to set up what a test begins with."""
    token = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as client:
        yield client


async def add(api: httpx.AsyncClient, kind: str, **fields: Any) -> str:
    answer = await api.post(f"/api/{kind}", json=fields)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def remark(api: httpx.AsyncClient, *moods: str) -> None:
    note = await add(api, "notes", title="A", text="b")
    for number, mood in enumerate(moods):
        await add(api, "remarks", text=f"{mood} {number}", noteId=note, mood=mood, stars=3)


async def test_a_view_is_saved_shared_changed_and_deleted(
    page: Page, new_page: Any, api: httpx.AsyncClient, platform: Platform, new_principal: Any
) -> None:
    await remark(api, "praise", "doubt", "doubt")
    await page.goto("/records/remarks?mood=doubt&sort=-stars")
    await expect(page.get_by_text("Mood is Doubt2")).to_be_visible()  # the chip with its count
    await page.get_by_role("button", name="Save view").click()
    dialog = page.get_by_role("dialog", name="Save view")
    await dialog.get_by_label("Name").fill("Doubts")
    await dialog.get_by_text("Share with everybody").click()
    await dialog.get_by_role("button", name="Save").click()
    views = page.get_by_role("navigation", name="Views")
    tab = views.get_by_role("button", name="Doubts")
    await expect(tab).to_have_attribute("aria-current", "page")
    address = page.url
    await views.get_by_role("button", name="All").click()
    await expect(page.get_by_text("3 in all")).to_be_visible()

    colleague = new_principal(Role.VIEWER, platform.owner.org_id)
    link = await tokens.issue(platform.db, colleague, "link", kind="sign_in")
    other = await new_page()
    await other.goto(f"/sign-in?token={link}")
    await expect(other.get_by_role("heading", level=1)).to_be_visible()
    await other.goto(address)
    await expect(other.get_by_text("2 match")).to_be_visible()
    theirs = other.get_by_role("navigation", name="Views").get_by_role("button", name="Doubts")
    await expect(theirs).to_have_attribute("aria-current", "page")
    await expect(other.get_by_role("button", name="Save view")).to_have_count(0)
    await expect(other.get_by_role("button", name="Actions for the view Doubts")).to_have_count(0)

    await tab.click()
    await expect(page.get_by_text("2 match")).to_be_visible()
    await page.get_by_role("button", name="Remove Mood is Doubt").click()
    await page.get_by_role("button", name="Save changes").click()
    await expect(page.get_by_role("button", name="Save changes")).to_have_count(0)
    await page.get_by_role("button", name="Actions for the view Doubts").click()
    await page.get_by_role("menuitem", name="Delete view").click()
    await expect(views).to_have_count(0)


async def test_columns_are_chosen_and_stand_in_the_address(
    page: Page, api: httpx.AsyncClient
) -> None:
    await remark(api, "praise")
    await page.goto("/records/remarks")
    heads = page.get_by_role("columnheader")
    await expect(heads.filter(has_text="Last change")).to_be_visible()
    await page.get_by_role("button", name="Columns").click()
    dialog = page.get_by_role("dialog", name="Columns")
    await dialog.get_by_text("Last change").click()
    await dialog.get_by_text("Created").click()
    await page.keyboard.press("Escape")
    await expect(heads.filter(has_text="Last change")).to_have_count(0)
    await page.reload()
    await expect(heads.filter(has_text="Created")).to_be_visible()
    await expect(heads.filter(has_text="Last change")).to_have_count(0)


async def test_a_list_shows_conclusions_and_says_what_arrives_without_moving(
    page: Page, api: httpx.AsyncClient, worker: asyncio.Task[None]
) -> None:
    note = await add(api, "notes", title="Minutes", text="Five words in this note")
    await page.clock.install()
    await page.goto(f"/records/notes/{note}")
    await page.get_by_role("button", name="Start research").click()
    await expect(page.get_by_role("button", name="5", exact=True)).to_be_visible(timeout=30_000)
    await page.get_by_role("link", name="Notes").first.click()
    rows = page.get_by_role("row")
    await expect(rows.nth(1)).to_contain_text("5")
    await expect(rows.nth(1)).to_contain_text("certain")  # how sure, for those who cannot see a bar
    await expect(rows.nth(1)).to_contain_text("just now")
    await add(api, "notes", title="Another", text="b")
    await page.clock.fast_forward(20_000)
    arrived = page.get_by_role("button", name="1 new")
    await expect(arrived).to_be_visible()
    await expect(rows).to_have_count(2)
    await arrived.click()
    await expect(rows).to_have_count(3)
    await expect(rows.nth(1)).to_contain_text("Another")
    await expect(arrived).to_have_count(0)
