"""The main ways through the application by keyboard alone, and how much a screen reader is told."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from playwright.async_api import Page, expect

from browser.keyboard import press, tab_to
from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.records import store
from whence.tenancy import invitations
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
PASSWORD = "a quiet river at dawn"
COUNT_ANNOUNCEMENTS = """() => {
    window.announcements = [];
    const LIVE = "[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]";
    const told = new Map();
    const look = () => {
        for (const region of document.querySelectorAll(LIVE)) {
            const text = region.innerText?.trim() ?? "";
            if (text && told.get(region) !== text) window.announcements.push(text);
            told.set(region, text);
        }
    };
    new MutationObserver(look).observe(document, {
        subtree: true, childList: true, characterData: true,
    });
}"""
"""Counts every change of a region that screen readers read out."""
MOST_OF_A_RUN = 10
"""Announcements of one whole run of research: its state, and each step once."""
MOST_OF_AN_ANSWER = 6
"""Announcements of one streamed answer: that it is written, few pieces of its text, its end."""


class TestWithAccounts:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"accounts": True})

    async def test_from_sign_in_to_a_change_taken_back(
        self, new_page: Any, platform: Platform, worker: asyncio.Task[None]
    ) -> None:
        secret = await invitations.invite(platform.db, platform.owner, "a@example.org", Role.MEMBER)
        await invitations.accept(platform.db, secret, "Ada", PASSWORD)
        kind = platform.kind("notes")
        async with platform.unit(platform.owner) as session:
            record = kind.record.model_validate({"title": "A brass lamp", "text": "of four words"})
            await store.create(session, platform.owner, kind, record)
        page: Page = await new_page()
        keys = page.keyboard

        await page.goto("/sign-in")
        await expect(page.get_by_label("E-mail")).to_be_focused()
        await keys.type("a@example.org")
        await tab_to(page, page.get_by_label("Password"))
        await keys.type(PASSWORD)
        await keys.press("Enter")

        navigation = page.get_by_role("navigation", name="Main")
        await press(page, navigation.get_by_role("link", name="Notes"))
        await expect(page.get_by_role("row")).to_have_count(2)
        await keys.press("j")
        await keys.press("Enter")
        await expect(page.get_by_role("heading", name="A brass lamp", level=1)).to_be_visible()

        await press(page, page.get_by_role("button", name="Start research"))
        figure = page.get_by_role("button", name="3", exact=True)
        await expect(figure).to_be_visible(timeout=30_000)
        await press(page, figure)
        sheet = page.get_by_role("complementary", name="Details")
        await press(page, sheet.get_by_role("button", name="A brass lamp"))
        await expect(sheet).to_contain_text("of four words")
        await keys.press("Escape")
        await keys.press("Escape")
        await expect(sheet).to_have_count(0)

        await keys.press("c")
        chat = page.get_by_role("complementary", name="Chat")
        await expect(chat.get_by_role("textbox", name="Message")).to_be_focused()
        await keys.type("Set the title to Kitchen lamp")
        await keys.press("Enter")
        card = chat.get_by_role("region", name="Proposed change")
        await expect(card).to_be_visible(timeout=30_000)
        await press(page, card.get_by_role("button", name="Apply"))
        await expect(page.get_by_role("heading", level=1)).to_have_text("Kitchen lamp")
        await press(page, card.get_by_role("button", name="Undo"))
        await expect(page.get_by_role("heading", level=1)).to_have_text("A brass lamp")


async def test_a_run_and_an_answer_are_announced_in_few_sentences(
    page: Page, platform: Platform, worker: asyncio.Task[None]
) -> None:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        record = kind.record.model_validate({"title": "A brass lamp", "text": "of four words"})
        note = (await store.create(session, platform.owner, kind, record)).id
    await page.goto(f"/records/notes/{note}")
    await expect(page.get_by_role("button", name="Start research")).to_be_visible()
    await page.evaluate(COUNT_ANNOUNCEMENTS)
    await page.get_by_role("button", name="Start research").click()
    await expect(page.get_by_role("button", name="3", exact=True)).to_be_visible(timeout=30_000)
    of_the_run: list[str] = await page.evaluate("announcements.splice(0)")
    assert 1 <= len(of_the_run) <= MOST_OF_A_RUN, of_the_run

    await page.get_by_role("button", name="Chat", exact=True).click()
    chat = page.get_by_role("complementary", name="Chat")
    await chat.get_by_role("textbox", name="Message").fill("How long is it?")
    await chat.get_by_role("textbox", name="Message").press("Enter")
    again = chat.get_by_role("button", name="Answer again")
    await expect(again).to_be_visible(timeout=30_000)
    of_the_answer: list[str] = await page.evaluate("announcements.splice(0)")
    assert 1 <= len(of_the_answer) <= MOST_OF_AN_ANSWER, of_the_answer
