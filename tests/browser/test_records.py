"""Records of a pack that brings no JavaScript: its lists, its records, its research."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from playwright.async_api import Page, expect

from whence.app.platform import Platform
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio


@pytest.fixture
async def api(serve: str, platform: Platform) -> Any:
    """The owner's API client, to set up what a test begins with."""
    token = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as client:
        yield client


async def add(api: httpx.AsyncClient, kind: str, **fields: Any) -> dict[str, Any]:
    answer = await api.post(f"/api/{kind}", json=fields)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_an_empty_list_leads_to_the_first_record(page: Page) -> None:
    await page.goto("/records/notes")
    await expect(page.get_by_text("No notes yet")).to_be_visible()
    await page.get_by_role("button", name="All fields at once").first.click()
    dialog = page.get_by_role("dialog", name="New note")
    await dialog.get_by_role("button", name="Add").click()
    await expect(dialog.get_by_role("alert")).to_be_visible()  # a title is required
    await dialog.get_by_label("Title").fill("Minutes")
    await dialog.get_by_label("Text").fill("Two words")
    await dialog.get_by_role("button", name="Add").click()
    await expect(page.get_by_role("heading", name="Minutes", level=1)).to_be_visible()


async def test_a_list_is_narrowed_by_chips_that_stay_in_the_address(
    page: Page, api: httpx.AsyncClient
) -> None:
    note = await add(api, "notes", title="A", text="b")
    for mood, stars in (("praise", 5), ("doubt", 2), ("doubt", 1)):
        await add(api, "remarks", text=f"{mood} {stars}", noteId=note["id"], mood=mood, stars=stars)
    await page.goto("/records/remarks")
    await expect(page.get_by_text("3 in all")).to_be_visible()
    await page.get_by_role("button", name="Filter").click()
    await page.get_by_role("button", name="Mood").click()
    # The box itself is hidden; its words are pressed.
    await page.get_by_role("dialog").get_by_text("Doubt", exact=True).click()
    await expect(page.get_by_text("2 match")).to_be_visible()
    await page.keyboard.press("Escape")
    await page.reload()
    await expect(page.get_by_text("Mood is Doubt")).to_be_visible()
    await expect(page.get_by_role("row")).to_have_count(3)  # with the head
    await page.get_by_role("button", name="Stars").click()
    await expect(page.get_by_role("row").nth(1)).to_contain_text("doubt 2")
    await page.get_by_role("button", name="Remove Mood is Doubt").click()
    await expect(page.get_by_text("3 in all")).to_be_visible()


async def test_a_list_works_by_keyboard(page: Page, api: httpx.AsyncClient) -> None:
    for number in range(3):
        await add(api, "notes", title=f"Note {number}", text="some words")
    await page.goto("/records/notes")
    await expect(page.get_by_role("row")).to_have_count(4)
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    await expect(page.get_by_role("region", name="Selected records")).to_contain_text("1 selected")
    await page.keyboard.press("Space")
    sheet = page.get_by_role("complementary", name="Details")
    await expect(sheet.get_by_role("heading", name="Note 1")).to_be_visible()
    await page.keyboard.press("k")
    await expect(sheet.get_by_role("heading", name="Note 2")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(sheet).to_have_count(0)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Note 2", level=1)).to_be_visible()


async def test_a_change_meanwhile_is_not_overwritten(page: Page, api: httpx.AsyncClient) -> None:
    note = await add(api, "notes", title="Before", text="b")
    await page.goto(f"/records/notes/{note['id']}?tab=details")
    await page.get_by_role("button", name="Edit").click()
    await api.patch(f"/api/notes/{note['id']}", json={"text": "by somebody else"})
    await page.get_by_label("Title").fill("Mine")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Somebody else changed this record")).to_be_visible()
    await expect(page.get_by_text("Text is now by somebody else")).to_be_visible()
    await page.get_by_role("button", name="Save mine too").click()
    await expect(page.get_by_role("heading", name="Mine", level=1)).to_be_visible()
    await expect(page.get_by_text("by somebody else").last).to_be_visible()


async def test_a_double_click_sends_a_form_once(page: Page, api: httpx.AsyncClient) -> None:
    await page.goto("/records/notes")
    await expect(page.get_by_text("No notes yet")).to_be_visible()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.locator("main")).to_be_focused()  # the way past the navigation
    await page.get_by_role("button", name="All fields at once").first.click()
    await expect(page.get_by_label("Title")).to_be_focused()
    await page.keyboard.type("Once")
    await page.get_by_label("Text").fill("words")
    await page.get_by_role("button", name="Add").dblclick()
    await expect(page.get_by_role("heading", name="Once", level=1)).to_be_visible()
    await page.get_by_role("tab", name="Details").click()
    await page.get_by_role("button", name="Edit").click()
    await page.get_by_label("Title").fill("Twice")
    await page.get_by_role("button", name="Save").dblclick()
    await expect(page.get_by_role("heading", name="Twice", level=1)).to_be_visible()
    assert len((await api.get("/api/notes")).json()["items"]) == 1
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_text("No notes yet")).to_be_visible()
    for number in range(2):
        await add(api, "notes", title=f"Note {number}", text="some words")
    await page.reload()
    await expect(page.get_by_role("row")).to_have_count(3)
    for key in "jxjx":
        await page.keyboard.press(key)
    await (
        page.get_by_role("region", name="Selected records")
        .get_by_role("button", name="Delete")
        .click()
    )
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("Deleted: 2 of 2")).to_be_visible()
    await expect(page.get_by_text("No notes yet")).to_be_visible()


async def test_research_is_started_watched_and_opened_down_to_its_evidence(
    page: Page, api: httpx.AsyncClient, worker: asyncio.Task[None]
) -> None:
    note = await add(api, "notes", title="Minutes", text="Five words in this note")
    await page.goto(f"/records/notes/{note['id']}")
    await page.get_by_role("button", name="Start research").click()
    figure = page.get_by_role("button", name="5", exact=True)
    await expect(figure).to_be_visible(timeout=30_000)
    await figure.click()
    sheet = page.get_by_role("complementary", name="Details")
    await expect(sheet).to_contain_text("The note has 5 words.")
    await expect(sheet).to_contain_text("Computed by the rule count words, version 1")
    await sheet.get_by_role("button", name="Minutes").click()
    await expect(sheet).to_contain_text("Five words in this note")
    address = page.url
    await page.reload()
    await expect(sheet).to_contain_text("Five words in this note")
    assert page.url == address
    await page.keyboard.press("Escape")
    await expect(sheet).to_contain_text("The note has 5 words.")
    await page.get_by_role("tab", name="History").click()
    await expect(page.get_by_text("Research requested")).to_be_visible()


async def test_research_that_no_worker_takes_is_cancelled(
    page: Page, api: httpx.AsyncClient
) -> None:
    note = await add(api, "notes", title="Minutes", text="Five words in this note")
    await page.goto(f"/records/notes/{note['id']}")
    await page.get_by_role("button", name="Start research").click()
    await expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    await expect(page.get_by_text("Read note")).to_be_visible()  # a step of the flow, to come
    await page.get_by_role("button", name="Cancel").click()
    await expect(page.get_by_text("Not researched yet")).to_be_visible()
