"""Photographs of an item: dropped, pasted, refused, looked at, captioned and removed."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from playwright.async_api import Page, expect

from browser.dropping import drop
from whence.app.platform import Platform
from whence.tenancy import tokens
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
PASTE = """
async (bytes) => {
  const transfer = new DataTransfer();
  const file = new File([new Uint8Array(bytes)], "pasted.png", { type: "image/png" });
  transfer.items.add(file);
  document.body.dispatchEvent(
    new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: transfer }),
  );
}
"""


@pytest.fixture
async def item(serve: str, platform: Platform) -> Any:
    """An item without pictures: its path, and the API to look at it."""
    token = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as client:
        made = await client.post("/api/items", json={"title": "Olympus OM-1"})
        yield client, f"items/{made.json()['id']}"


def picture(colour: str) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (320, 240), colour).save(content, "PNG")
    return content.getvalue()


async def names(client: httpx.AsyncClient, path: str) -> list[str]:
    return [each["name"] for each in (await client.get(f"/api/{path}/files")).json()["items"]]


async def test_pictures_are_dropped_pasted_refused_ordered_and_removed(
    page: Page, item: Any, tmp_path: Path
) -> None:
    client, path = item
    await page.goto(f"/records/{path}?tab=details")
    front, broken = tmp_path / "front.png", tmp_path / "broken.png"
    front.write_bytes(picture("teal"))
    broken.write_bytes(b"no picture at all")
    await drop(page, page.get_by_text("or drop them here"), front, broken)
    await expect(page.get_by_role("button", name="Look at front.png")).to_be_visible()
    refused = page.get_by_role("listitem", name="broken.png")
    await expect(refused.get_by_role("alert")).to_be_visible()  # at the picture itself
    await page.evaluate(PASTE, list(picture("salmon")))
    await expect(page.get_by_role("button", name="Look at pasted.png")).to_be_visible()
    assert await names(client, path) == ["front.png", "pasted.png"]
    await refused.get_by_role("button", name="Dismiss broken.png").click()
    await expect(refused).to_have_count(0)

    await page.get_by_role("button", name="Look at pasted.png").click()
    sheet = page.get_by_role("complementary", name="Details")
    await expect(sheet.get_by_text("2 of 2")).to_be_visible()
    await sheet.get_by_label("Caption").fill("From behind")
    await sheet.get_by_role("button", name="Save the caption").click()
    await expect(page.get_by_role("button", name="Look at From behind")).to_be_visible()
    await sheet.get_by_role("button", name="Move forward").click()
    await expect(sheet.get_by_text("1 of 2")).to_be_visible()
    await page.reload()  # the picture stands in the address
    await expect(sheet.get_by_text("1 of 2")).to_be_visible()
    await sheet.get_by_role("button", name="Remove").click()
    await expect(page.get_by_role("button", name="Look at From behind")).to_have_count(0)
    assert await names(client, path) == ["front.png"]


async def test_a_viewer_looks_at_pictures_and_changes_none(
    new_page: Any, platform: Platform, item: Any, new_principal: Any
) -> None:
    client, path = item
    await client.post(
        f"/api/{path}/files", params={"filename": "front.png"}, content=picture("teal")
    )
    page = await new_page(viewport={"width": 390, "height": 844})
    viewer = new_principal(Role.VIEWER, org_id=platform.owner.org_id)
    link = await tokens.issue(platform.db, viewer, "sign-in link", kind="sign_in")
    await page.goto(f"/sign-in?token={link}")
    await page.goto(f"/records/{path}?tab=details")
    await page.get_by_role("button", name="Look at front.png").click()
    sheet = page.get_by_role("complementary", name="Details")
    await expect(sheet.get_by_text("1 of 1")).to_be_visible()
    await expect(sheet.get_by_role("button", name="Remove")).to_have_count(0)
    await expect(page.get_by_role("button", name="Choose files")).to_have_count(0)
