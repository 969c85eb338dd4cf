"""What an item's page proves: pictures of evidence, its source, old research, typed text."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from PIL import Image
from playwright.async_api import Page, expect

from browser.items import api_of, import_sample, researched
from whence.app.platform import Platform
from whence.evidence.pictures import FOLDER

pytestmark = pytest.mark.anyio
WORKED = 60_000


@pytest.fixture
async def api(serve: str, platform: Platform) -> AsyncIterator[httpx.AsyncClient]:
    async with await api_of(platform, serve) as client:
        yield client


def keep_picture(home: Path, org: Any, url: str) -> None:
    """A picture of another site as this server keeps it once it has fetched it."""
    content = io.BytesIO()
    Image.new("RGB", (320, 240), "teal").save(content, "JPEG")
    place = home / FOLDER / f"{hashlib.sha256(f'{org} {url}'.encode()).hexdigest()}.jpg"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content.getvalue())


async def test_evidence_shows_its_picture_a_citation_opens_it_and_old_research_offers_new(
    page: Page, api: httpx.AsyncClient, platform: Platform, worker: Any, database_url: str
) -> None:
    await import_sample(api)
    await researched(api, "items/KT-014")
    with psycopg.connect(database_url) as connection:
        named = connection.execute(
            "UPDATE whence.evidence SET data = data || jsonb_build_object('image_url',"
            " 'https://pictures.example/' || id || '.jpg') RETURNING data->>'image_url'"
        ).fetchall()
    for (url,) in named:
        keep_picture(platform.settings.home, platform.owner.org_id, url)
    outside: list[str] = []
    page.on("request", lambda request: outside.append(request.url))

    await page.goto("/records/items/KT-014")
    price = page.get_by_role("region", name="Price")
    await expect(price).to_be_visible(timeout=WORKED)
    await page.get_by_role("button", name="Chat", exact=True).click()
    chat = page.get_by_role("complementary", name="Chat")
    await chat.get_by_role("textbox", name="Message").fill("What should I ask for it?")
    await chat.get_by_role("textbox", name="Message").press("Enter")
    answer = chat.get_by_role("article", name="Answer")
    await expect(answer.get_by_role("button", name="Answer again")).to_be_visible(timeout=WORKED)
    kinds = (await api.get("/api/chat/sessions")).json()["items"]
    [told] = [
        each
        for each in (await api.get(f"/api/chat/sessions/{kinds[0]['id']}/messages")).json()["items"]
        if each["role"] == "assistant"
    ]
    cited = next(each for each in told["citations"] if each["kind"] == "evidence")
    number = answer.locator(f'[data-cite="{cited["number"]}"]').first
    await number.focus()
    marked = "[...(CSS.highlights.get('cited-sentence') ?? [])].map(String).join('')"
    await page.wait_for_function(f'{marked} !== ""')
    await number.press("Enter")
    sheet = page.get_by_role("complementary", name="Details")
    await expect(sheet.get_by_role("heading", name=cited["title"]).first).to_be_visible()
    picture = sheet.locator("img[src*=picture]").first
    await expect(picture).to_be_visible()
    assert await picture.evaluate("img => img.decode().then(() => img.naturalWidth)") == 320
    assert not [url for url in outside if not url.startswith(str(api.base_url))]
    await page.keyboard.press("Escape")

    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE whence.dossiers SET created_at = created_at - interval '1 year'")
        for table in ("dossiers", "sections"):  # what the research itself says of its day
            connection.execute(
                f"UPDATE whence.{table} SET body = body || jsonb_build_object('asOf',"  # type: ignore[arg-type]
                " '2025-01-01T00:00:00+00:00') WHERE body ? 'asOf'"
            )
    await page.reload()
    old = page.get_by_text("counts as out of date after")
    await expect(old).to_be_visible()
    await page.get_by_role("button", name="Research again").first.click()
    await expect(old).to_have_count(0, timeout=WORKED)


async def test_text_in_a_form_survives_the_end_of_a_session(
    page: Page, sign_in: Any, api: httpx.AsyncClient
) -> None:
    note = (await api.post("/api/notes", json={"title": "Before", "text": "b"})).json()["id"]
    await page.goto("/records/notes")
    await page.get_by_role("button", name="All fields at once").first.click()
    dialog = page.get_by_role("dialog", name="New note")
    await dialog.get_by_label("Title").fill("Half a thought")
    await page.context.clear_cookies()
    await dialog.get_by_role("button", name="Add").click()
    await expect(page).to_have_url(re.compile("/sign-in"))
    await sign_in(page)
    await page.goto("/records/notes")
    await page.get_by_role("button", name="All fields at once").first.click()
    await expect(dialog.get_by_label("Title")).to_have_value("Half a thought")
    await dialog.get_by_role("button", name="Add").click()
    await expect(page.get_by_role("heading", name="Half a thought", level=1)).to_be_visible()
    await page.goto("/records/notes")
    await page.get_by_role("button", name="All fields at once").first.click()
    await expect(dialog.get_by_label("Title")).to_have_value("")  # what is stored is typed no more

    await page.goto(f"/records/notes/{note}?tab=details")
    await page.get_by_role("button", name="Edit").click()
    await page.get_by_label("Title").fill("Mine")
    await api.patch(f"/api/notes/{note}", json={"text": "by somebody else"})
    await page.reload()
    await page.get_by_role("button", name="Edit").click()
    await expect(page.get_by_label("Title")).to_have_value("Mine")
    await expect(page.get_by_text("The record changed after you typed this.")).to_be_visible()
    await expect(page.get_by_label("Text")).to_have_value("by somebody else")


async def test_a_phone_takes_a_photograph(new_page: Any, sign_in: Any, api: Any) -> None:
    item = (await api.post("/api/items", json={"title": "Olympus OM-1"})).json()["id"]
    page: Page = await new_page(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    await sign_in(page)
    await page.goto(f"/records/items/{item}?tab=details")
    async with page.expect_file_chooser() as opened:
        await page.get_by_role("button", name="Take a photograph").tap()
    chooser = await opened.value
    taken = io.BytesIO()
    Image.new("RGB", (640, 480), "teal").save(taken, "JPEG")
    # The back camera of a device that has one; this browser gives the picture that it would take.
    assert await chooser.element.get_attribute("capture") == "environment"
    assert await chooser.element.get_attribute("accept") == "image/*"
    picture = {"name": "image.jpg", "mimeType": "image/jpeg", "buffer": taken.getvalue()}
    await chooser.set_files([picture])  # pyright: ignore[reportArgumentType]
    await expect(page.get_by_role("button", name="Look at image.jpg")).to_be_visible()
