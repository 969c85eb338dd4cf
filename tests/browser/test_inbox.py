"""The inbox: what waits is decided where it stands, from the keyboard alone."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest
from playwright.async_api import Locator, Page, expect

from chat.proposal_desk import Desk
from whence.app.platform import Platform
from whence.records import store
from whence.tenancy import tokens
from whence.tenancy.principal import Role
from whence.wizards import service

pytestmark = pytest.mark.anyio
QUESTION = '{"key": "identity", "text": "What is it?", "why": "", "kind": "text"}'


@pytest.fixture
def desk(platform: Platform) -> Desk:
    return Desk(platform)


async def waiting(desk: Desk, platform: Platform, database_url: str) -> tuple[Any, Any]:
    """Two proposals, a paused run's question, a doubtful remark and a form, in this order."""
    who = desk.owner
    first, second = await desk.note("One"), await desk.note("Two")
    for note in (first, second):
        await desk.propose(note, text="new words")
    async with platform.unit(who) as session:
        await platform.ask(session, who, platform.kind("notes"), first)
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE whence.work SET status = 'paused'")
        connection.execute("UPDATE whence.runs SET question = %s", (QUESTION,))
    remarks = platform.kind("remarks")
    async with platform.unit(who) as session:
        doubt = {"text": "Is that so?", "note_id": first, "mood": "doubt"}
        await store.create(session, who, remarks, remarks.record.model_validate(doubt))
        run = await service.start(session, who, platform.wizards, "sample_pack.write")
        heading = {"title": "Tea", "length": "short"}
        await service.respond(session, who, platform.wizards, run.wizard_run_id, "about", heading)
    return first, second


def cards(page: Page) -> Locator:
    return page.locator("#page ol > li")


async def test_everything_that_waits_is_decided_by_keyboard_alone(
    page: Page, desk: Desk, platform: Platform, database_url: str
) -> None:
    first, second = await waiting(desk, platform, database_url)
    await page.goto("/inbox")
    await expect(cards(page)).to_have_count(5)
    inbox = page.get_by_role("navigation", name="Main").get_by_role("link", name="Inbox")
    await expect(inbox).to_contain_text("5 waiting")
    await page.keyboard.press("j")
    await page.keyboard.press("a")
    await expect(cards(page)).to_have_count(4)
    await expect(inbox).to_contain_text("4 waiting")
    assert (await desk.values(second))["text"] == "new words"
    await page.keyboard.press("k")
    await page.keyboard.press("d")
    await expect(cards(page)).to_have_count(3)
    assert (await desk.values(first))["text"] == "words"

    question = page.get_by_role("region", name="Question")
    await question.get_by_label("What is it?").fill("A lamp")
    await page.keyboard.press("Enter")
    await expect(question).to_have_count(0)
    await page.keyboard.press("Tab")
    current = page.locator("[aria-current=true]")
    await expect(current).to_contain_text("Is that so?")
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press("a")
    await expect(cards(page)).to_have_count(1)
    await expect(current).to_contain_text("Write a note")
    await page.keyboard.press("o")
    await expect(page).to_have_url(re.compile("/wizards/sample_pack.write/"))


async def test_a_viewer_sees_what_waits_and_decides_nothing(
    new_page: Any, desk: Desk, platform: Platform, database_url: str, new_principal: Any
) -> None:
    await waiting(desk, platform, database_url)
    viewer = new_principal(Role.VIEWER, desk.owner.org_id)
    page = await new_page()
    link = await tokens.issue(platform.db, viewer, "sign-in link", kind="sign_in")
    await page.goto(f"/sign-in?token={link}")
    await page.goto("/inbox")
    await expect(cards(page)).to_have_count(2)  # nobody else's proposals and forms
    for words in ("does not answer", "does not decide"):
        await expect(page.get_by_text(words)).to_be_visible()
    await expect(page.locator("#page").get_by_role("button")).to_have_count(0)
    await page.keyboard.press("a")
    await page.goto("/wizards")
    await expect(page.get_by_text("You can read here, not change.").first).to_be_visible()
    await expect(page.get_by_role("button", name=re.compile("Start"))).to_have_count(0)
