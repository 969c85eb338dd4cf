"""Guided forms inside the chat: the same steps, errors and outcome as on the form's own page."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, Page, expect

from browser.test_chat import open_dock, send
from browser.test_wizards import CARE, FOR_A_PARENT, answer

pytestmark = pytest.mark.anyio


def form(chat: Locator) -> Locator:
    return chat.get_by_role("region", name="Request leave")


def question(chat: Locator, title: str) -> Locator:
    return form(chat).get_by_role("heading", name=title)


async def choose(chat: Locator, label: str) -> None:
    await form(chat).locator("label").get_by_text(label, exact=True).click()


async def go_on(chat: Locator) -> None:
    await form(chat).get_by_role("button", name="Continue", exact=True).click()


async def test_a_form_in_a_conversation_with_a_question_between_and_a_changed_answer(
    page: Page,
) -> None:
    chat = await open_dock(page, "/records/leave-requests")
    await chat.get_by_role("button", name="Request leave").click()
    await expect(question(chat, "What is the leave for?")).to_be_focused()
    await go_on(chat)
    await expect(form(chat).get_by_role("group", name="One answer needs a change")).to_be_focused()
    await choose(chat, CARE)
    await go_on(chat)
    await expect(question(chat, "How is the other person related")).to_be_focused()

    await send(chat, "How many leave requests are there?")
    await expect(chat.get_by_text("waits at “How is the other person")).to_be_visible()
    await expect(chat.get_by_role("article", name="Answer").last).to_contain_text("leave requests")
    await chat.get_by_role("button", name="Continue", exact=True).click()
    await expect(question(chat, "How is the other person related")).to_be_focused()

    await form(chat).get_by_role("button", name="Relation").click()
    await page.get_by_role("option", name="Sibling").click()
    await form(chat).get_by_role("link", name="Open as a page").click()
    await expect(page).to_have_url(re.compile("/wizards/leave.request/"))
    main = page.locator("#page")
    await expect(main.get_by_role("button", name="Sibling")).to_be_visible()
    await chat.get_by_role("button", name="Close the chat").click()
    for title, step in list(FOR_A_PARENT.items())[:-1]:
        await expect(main.get_by_role("heading", name=title, level=1)).to_be_visible()
        await answer(page, step)
        await main.get_by_role("button", name="Continue", exact=True).click()
    await expect(page.get_by_role("heading", name="Was a certification asked for?")).to_be_visible()

    await page.get_by_role("button", name="Chat", exact=True).click()
    await expect(question(chat, "Was a certification asked for?")).to_be_visible()
    await choose(chat, "Not asked for")
    await go_on(chat)
    await expect(question(chat, "Is this right?")).to_be_focused()
    await form(chat).get_by_role("button", name="Change Reason").click()
    await expect(form(chat).get_by_role("radio", name=CARE)).to_be_checked()
    await choose(chat, "The employee's own serious health condition")
    await go_on(chat)
    told = page.get_by_role("dialog", name="Other answers depend on this one")
    await told.get_by_role("button", name="Change the answer").click()
    await expect(question(chat, "Is this right?")).to_be_focused()
    await form(chat).get_by_role("button", name="Save the request").click()
    await expect(question(chat, "Appears eligible under FMLA and CFRA")).to_be_visible()
    await page.reload()
    await expect(question(chat, "Appears eligible under FMLA and CFRA")).to_be_visible()
    await form(chat).get_by_role("link", name="Open the leave request").click()
    await expect(page).to_have_url(re.compile("/records/leave-requests/"))
