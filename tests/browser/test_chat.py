"""The chat: beside every page and in a record's tab, from the conversation's event log."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest
from playwright.async_api import Locator, Page, expect

from chat.slow_model import SlowModel, slow_model
from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.records import store

pytestmark = pytest.mark.anyio
expect.set_options(timeout=20_000)  # the first answer of a process reads the classifier's examples


@pytest.fixture
async def note(platform: Platform) -> UUID:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        record = kind.record.model_validate({"title": "A brass lamp", "text": "of four words"})
        return (await store.create(session, platform.owner, kind, record)).id


def dock(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Chat")


async def open_dock(page: Page, address: str) -> Locator:
    await page.goto(address)
    await page.get_by_role("button", name="Chat", exact=True).click()
    return dock(page)


async def send(place: Locator, words: str) -> None:
    await place.get_by_role("textbox", name="Message").fill(words)
    await place.get_by_role("textbox", name="Message").press("Enter")


class TestWithAModel:
    @pytest.fixture
    async def model(self) -> AsyncIterator[SlowModel]:
        async with slow_model() as slow:
            yield slow

    @pytest.fixture
    def settings(self, settings: Settings, model: SlowModel) -> Settings:
        return model.for_answers(settings)

    async def test_an_answer_goes_on_after_a_reload_and_a_cut_and_two_tabs_agree(
        self, page: Page, model: SlowModel, note: UUID
    ) -> None:
        chat = await open_dock(page, f"/records/notes/{note}")
        await send(chat, "Describe it in your own words, please, as a poem about the sea")
        model.say("It is a **lamp** ", "of brass, ", "dear. ")  # the last word waits for the next
        answer = chat.get_by_role("article", name="Answer")
        await expect(answer).to_contain_text("It is a lamp of brass")
        await page.reload()
        await expect(answer).to_contain_text("It is a lamp of brass")
        other = await page.context.new_page()
        await other.goto(f"/records/notes/{note}")
        there = dock(other).get_by_role("article", name="Answer")
        await expect(there).to_contain_text("It is a lamp of brass")
        await page.context.set_offline(True)
        model.say("It costs 40 USD today. ")
        await page.context.set_offline(False)
        await expect(answer).to_contain_text("It costs 40 USD")
        model.say("Really.")
        model.end()
        for tab in (answer, there):
            await expect(tab.get_by_role("button", name="Answer again")).to_be_visible()
            await expect(tab).to_contain_text("(no source)")
        assert await answer.inner_text() == await there.inner_text()

    async def test_a_stopped_answer_keeps_its_text_and_is_announced_in_sentences(
        self, page: Page, model: SlowModel, note: UUID
    ) -> None:
        chat = await open_dock(page, f"/records/notes/{note}")
        await send(chat, "Describe it in your own words, please, as a poem about the sea")
        model.say("It is ")
        announced = chat.locator("p[aria-live=polite]")
        await expect(announced).to_have_text("An answer is being written.")
        model.say("a lamp of ")
        await expect(chat.get_by_role("article", name="Answer")).to_contain_text("a lamp")
        await expect(announced).to_have_text("An answer is being written.")
        await chat.get_by_role("button", name="Stop the answer").click()
        await expect(chat.get_by_text("Stopped", exact=True)).to_be_visible()
        await expect(announced).to_contain_text("It is a lamp")


async def test_a_change_is_proposed_applied_once_and_taken_back(
    page: Page, platform: Platform, note: UUID
) -> None:
    chat = await open_dock(page, f"/records/notes/{note}")
    await send(chat, "Set the title to Kitchen lamp")
    card = chat.get_by_role("region", name="Proposed change")
    await expect(card).to_contain_text("A brass lamp")
    await expect(card).to_contain_text("Kitchen lamp")
    await card.get_by_role("button", name="Apply").dblclick()
    await expect(card).to_contain_text("Applied")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Kitchen lamp")
    await card.get_by_role("button", name="Undo").click()
    await expect(card).to_contain_text("Taken back")
    await expect(page.get_by_role("heading", level=1)).to_have_text("A brass lamp")
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        assert (await store.get(session, kind, note)).version == 3


async def test_the_conversation_stays_through_navigation_and_is_found_again(
    page: Page, note: UUID
) -> None:
    chat = await open_dock(page, f"/records/notes/{note}")
    await send(chat, "How long is it?")
    await expect(chat.get_by_role("article", name="Answer")).to_contain_text("research")
    await page.get_by_role("navigation", name="Main").get_by_role("link", name="Notes").click()
    await expect(chat).to_contain_text("Looking at A brass lamp")
    await expect(chat.get_by_role("article", name="Answer")).to_be_visible()
    await chat.get_by_role("button", name="New conversation").click()
    await expect(chat).to_contain_text("Looking at Notes")
    await chat.get_by_role("button", name="Earlier conversations").click()
    await chat.get_by_role("searchbox", name="Search conversations").fill("how long")
    await chat.get_by_role("button", name="How long is it?").first.click()
    await expect(chat.get_by_role("article", name="Answer")).to_contain_text("research")


async def test_an_edited_message_leads_on_and_its_old_branch_stays_readable(
    page: Page, note: UUID
) -> None:
    chat = await open_dock(page, f"/records/notes/{note}")
    await send(chat, "Set the title to Kitchen lamp")
    await expect(chat.get_by_role("region", name="Proposed change")).to_contain_text("Kitchen")
    await chat.get_by_role("button", name="Edit", exact=True).click()
    await chat.get_by_role("textbox", name="Edit your message").fill("Set the title to Hall lamp")
    await page.reload()  # what is typed and not sent survives, and so does the conversation
    await chat.get_by_role("button", name="Edit", exact=True).click()
    editor = chat.get_by_role("textbox", name="Edit your message")
    await expect(editor).to_have_value("Set the title to Hall lamp")
    await chat.locator("form").get_by_role("button", name="Send").click()
    await expect(chat.get_by_text("An earlier version (2 messages)")).to_be_visible()
    card = chat.get_by_role("region", name="Proposed change").last
    await expect(card).to_contain_text("Hall lamp")
    await page.reload()
    await chat.get_by_text("An earlier version (2 messages)").click()
    log = chat.get_by_role("log", name="Messages")
    await expect(log.get_by_text("Set the title to Kitchen lamp")).to_be_visible()


AWAY = """() => {
    Object.defineProperty(document, "hidden", { get: () => window.isAway, configurable: true });
    window.isAway = true;
}"""
BACK = """() => {
    window.isAway = false;
    document.dispatchEvent(new Event("visibilitychange"));
}"""


async def test_a_hidden_tab_tells_that_an_answer_has_come(page: Page, note: UUID) -> None:
    chat = await open_dock(page, f"/records/notes/{note}")
    answers = chat.get_by_role("article", name="Answer")
    await send(chat, "How long is it?")
    await expect(chat.get_by_role("button", name="Answer again")).to_be_visible()
    await page.evaluate(AWAY)
    await send(chat, "How long is it?")
    await expect(answers).to_have_count(2)
    await expect(page).to_have_title(re.compile("^● "))
    await expect(page.locator("link[rel=icon]")).to_have_attribute("href", "/favicon-new.svg")
    await page.evaluate(BACK)
    await expect(page).to_have_title(re.compile("^[^●]"))


async def test_what_is_typed_survives_the_end_of_a_session_and_goes_with_signing_out(
    page: Page, sign_in: Any, note: UUID
) -> None:
    chat = await open_dock(page, f"/records/notes/{note}")
    await chat.get_by_role("textbox", name="Message").fill("Half a thou")
    await page.context.clear_cookies()
    await page.reload()
    await expect(page).to_have_url(re.compile("/sign-in"))
    await sign_in(page)
    await page.goto(f"/records/notes/{note}")
    await expect(chat.get_by_role("textbox", name="Message")).to_have_value("Half a thou")
    await page.get_by_role("button", name="Owner").click()
    await page.get_by_role("menuitem", name="Sign out").click()
    await expect(page).to_have_url(re.compile("/sign-in"))
    assert await page.evaluate("Object.keys(sessionStorage).filter(k => k.includes('draft'))") == []
