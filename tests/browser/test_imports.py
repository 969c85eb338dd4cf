"""Imports in the browser: dropped, looked at, remapped, reported and undone, for any pack."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Page, expect

from browser.dropping import drop
from whence.app.platform import Platform
from whence.tenancy import tokens
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
NOTES = (
    "Key,Heading,Remark,Body\nn1,Ferry times,kept aside,the body\nn2,,x,no heading\nn3,Tide,y,z\n"
)


@pytest.fixture
async def api(serve: str, platform: Platform) -> Any:
    """The owner's API client, to look at what was written."""
    token = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as client:
        yield client


async def titles(api: httpx.AsyncClient) -> dict[str, str]:
    notes = (await api.get("/api/notes")).json()["items"]
    return {each["title"]: each["text"] for each in notes}


async def test_a_file_is_dropped_remapped_imported_and_undone(
    page: Page, api: httpx.AsyncClient, worker: asyncio.Task[None], tmp_path: Path
) -> None:
    """A pack without any JavaScript: its importer is found from its empty table."""
    await page.goto("/records/notes")
    await page.get_by_role("main").get_by_role("link", name="Import").last.click()
    await expect(page).to_have_url(re.compile(r"/imports\?of=sample_pack\.notes$"))
    await expect(page.get_by_role("button", name="Choose a file")).to_be_visible()
    path = tmp_path / "notes.csv"
    path.write_text(NOTES)
    await drop(page, page.get_by_text("Drop a file of notes here"), path)
    await expect(page.get_by_role("heading", name="notes.csv")).to_be_visible()

    await expect(page.get_by_text("2 rows can be imported")).to_be_visible()
    refused = page.get_by_role("listitem").filter(has_text="Line 3")
    await expect(refused).to_contain_text("The title is empty.")
    rows = page.get_by_role("region", name="First rows")
    await expect(rows).to_contain_text("the body")
    assert await titles(api) == {}  # nothing is written yet

    await page.get_by_role("button", name="Read “Remark” as").click()
    await page.get_by_role("option", name="Text").click()
    await expect(rows).to_contain_text("kept aside")
    await expect(rows).not_to_contain_text("the body")
    await page.reload()  # the choice stands in the address
    await expect(rows).to_contain_text("kept aside")
    await page.get_by_role("button", name="Import 2 rows").click()

    await expect(page.get_by_text("Done", exact=True)).to_be_visible(timeout=30_000)
    assert await titles(api) == {"Ferry times": "kept aside", "Tide": "y"}
    await expect(page.get_by_role("tab", name="Refused rows (1)")).to_have_attribute(
        "aria-selected", "true"
    )
    async with page.expect_download() as download:
        await page.get_by_role("link", name="All as CSV").click()
    report = await (await download.value).path()
    assert "The title is empty." in report.read_text()
    await page.get_by_role("tab", name="Columns").click()
    await expect(page.get_by_role("row").filter(has_text="Remark")).to_contain_text("Your choice")
    await page.get_by_role("tab", name="Records (2)").click()
    await expect(page.get_by_role("link", name="n1")).to_be_visible()

    await page.get_by_role("button", name="Undo…").click()
    await page.get_by_role("button", name="Undo it").click()
    await expect(page.get_by_text("Undone", exact=True)).to_be_visible()
    assert await titles(api) == {}
    await page.get_by_role("navigation", name="Main").get_by_role("link", name="Imports").click()
    await expect(page.get_by_role("link").filter(has_text="notes.csv")).to_contain_text("Undone")


async def test_an_import_shows_each_changed_field_and_works_by_keyboard(
    page: Page, api: httpx.AsyncClient, worker: asyncio.Task[None]
) -> None:
    await api.post(
        "/api/imports/sample_pack.notes",
        params={"filename": "a.jsonl"},
        content=b'{"id": "n1", "title": "Old heading", "text": "the body"}\n',
    )
    await page.goto("/imports?of=sample_pack.notes")
    await expect(page.get_by_role("link").filter(has_text="a.jsonl")).to_be_visible()
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name="Choose a file").press("Enter")
    await (await chooser.value).set_files(
        {"name": "notes.csv", "mimeType": "text/csv", "buffer": NOTES.encode()}
    )
    rows = page.get_by_role("region", name="First rows")
    await expect(rows.get_by_role("row").nth(1)).to_contain_text("Changes")
    await page.get_by_role("button", name="Import 2 rows").focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("tab", name="Records (2)").click(timeout=30_000)
    change = page.get_by_role("listitem").filter(has_text="Line 2")
    await expect(change).to_contain_text("Old heading")
    await expect(change).to_contain_text("Ferry times")


async def test_a_viewer_and_another_organization_import_nothing(
    new_page: Any, platform: Platform, api: httpx.AsyncClient, new_principal: Any
) -> None:
    stored = await api.post(
        "/api/imports/sample_pack.notes/files",
        params={"filename": "notes.csv", "start": "false"},
        content=NOTES.encode(),
    )
    address = f"/imports/{stored.json()['id']}"

    async def signed_in(who: Any) -> Page:
        page = await new_page()
        link = await tokens.issue(platform.db, who, "sign-in link", kind="sign_in")
        await page.goto(f"/sign-in?token={link}")
        return page

    viewer = await signed_in(new_principal(Role.VIEWER, org_id=platform.owner.org_id))
    await viewer.goto(address)
    await expect(viewer.get_by_text("This file was not imported yet.")).to_be_visible()
    await expect(viewer.get_by_role("button", name="Discard")).to_have_count(0)
    await viewer.goto("/imports")
    await expect(viewer.get_by_role("link").filter(has_text="notes.csv")).to_be_visible()
    await expect(viewer.get_by_role("button", name="Choose a file")).to_have_count(0)
    await viewer.goto("/records/notes")
    await expect(viewer.get_by_text("No notes yet")).to_be_visible()
    await expect(viewer.get_by_role("main").get_by_role("link", name="Import")).to_have_count(0)

    stranger = await signed_in(new_principal())
    await stranger.goto("/imports")
    await expect(stranger.get_by_text("Nothing was imported yet")).to_be_visible()
    await stranger.goto(address)
    await expect(stranger.get_by_text("There is no such import")).to_be_visible()
