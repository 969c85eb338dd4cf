"""The research of a record: what would sharpen it, its history, and what to do when it waits."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import httpx
import pytest
from playwright.async_api import Page, expect

from browser.items import api_of, import_sample, researched
from whence.app import build
from whence.app.platform import Platform
from whence.kernel.errors import Unavailable
from whence.kernel.health import Health
from whence.kernel.services import Services
from whence.work import transitions

pytestmark = pytest.mark.anyio
KETTLE = {
    "title": "Fennmark K2-90 gooseneck electric kettle 0.9 L matte black",
    "brand": "Fennmark",
    "model": "K2-90",
}
PATIENT = 60_000


@pytest.fixture
async def api(serve: str, platform: Platform, worker: Any) -> httpx.AsyncClient:
    """The sample's listings, to research an item whose condition nobody stated."""
    api = await api_of(platform, serve)
    await import_sample(api)
    return api


async def test_missing_information_is_given_in_place_and_two_dossiers_say_what_it_changed(
    page: Page, api: httpx.AsyncClient
) -> None:
    item = f"items/{(await api.post('/api/items', json=KETTLE)).json()['id']}"
    await researched(api, item)
    await page.goto(f"/records/{item}")
    sharpen = page.get_by_role("region", name="What would sharpen this")
    await sharpen.get_by_role("button", name="Enter the condition").click()
    await sharpen.get_by_role("button", name="Condition").click()
    await page.get_by_role("option", name="Like new").click()
    await sharpen.get_by_role("button", name="Save").click()
    changed = page.get_by_text("The record changed after this research")
    await expect(changed).to_be_visible()
    assert (await api.get(f"/api/{item}")).json()["condition"] == "like_new"

    await page.get_by_role("button", name="Research again").last.click()
    await expect(changed).to_have_count(0, timeout=PATIENT)

    await page.get_by_role("tab", name="History").click()
    await page.get_by_role("button", name="Compare with the one before").click()
    await expect(page.get_by_role("heading", name="What changed")).to_be_visible()
    address = page.url
    assert "compare=" in address
    await page.goto(address)  # it can be linked
    conclusions = page.locator("section").filter(
        has=page.get_by_role("heading", name="Conclusions", exact=True)
    )
    await expect(conclusions.get_by_role("listitem").first).to_be_visible()
    [later, earlier] = (await api.get(f"/api/{item}/research/history")).json()["items"]
    for claims in (earlier["claims"], later["claims"]):
        moved = next(each for each in claims if each["path"] == "price.target.amount")
        await expect(conclusions.get_by_text(moved["statement"])).to_be_visible()


async def test_the_question_of_a_paused_run_is_answered_on_the_page(
    page: Page, api: httpx.AsyncClient
) -> None:
    item = (await api.post("/api/items", json={"title": "A lamp"})).json()["id"]
    await page.goto(f"/records/items/{item}")
    await page.get_by_role("button", name="Start research").click()
    answer = page.get_by_role("textbox", name="What brand and exact model is it")
    await expect(answer).to_be_visible(timeout=PATIENT)
    await expect(page.get_by_role("status").filter(has_text="Paused").first).to_be_visible()
    await answer.fill("Lumora TL-40")
    await page.get_by_role("button", name="Answer", exact=True).click()
    await expect(answer).to_have_count(0)
    await expect(page.get_by_text("Concluded")).to_be_visible(timeout=PATIENT)
    dossier = (await api.get(f"/api/items/{item}/research/latest")).json()
    assert "TL-40" in str(dossier["body"]["identification"])


async def test_a_source_that_is_away_leaves_research_that_says_so_and_offers_another_try(
    new_page: Any, sign_in: Any, serve: str, platform: Platform, monkeypatch: Any
) -> None:
    async def away(text: str) -> list[str]:
        raise Unavailable("The spelling service is away.", retry_after=0.01)

    monkeypatch.setattr(transitions, "MAX_OUTAGES", 2)
    checker = sys.modules["whence.packs.sample_pack.spelling"].SpellChecker
    api = await api_of(platform, serve)
    note = (await api.post("/api/notes", json={"title": "A", "text": "a b"})).json()["id"]
    async with build.worker(replace(platform, services=Services([Health(), checker(away)]))):
        assert (await researched(api, f"notes/{note}", type="spelling"))["status"] == "success"
        page = await new_page()
        await sign_in(page)
        await page.goto(f"/records/notes/{note}?flow=spelling")
        incomplete = page.get_by_role("status").filter(has_text="This research is incomplete")
        await expect(incomplete).to_contain_text("the spelling was not checked")
        await incomplete.get_by_role("button", name="Try again").click()
        await expect(page.get_by_role("button", name="Cancel")).to_be_visible()
