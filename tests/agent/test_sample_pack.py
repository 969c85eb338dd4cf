"""What the sample pack asks of chats and pages, in small."""

from __future__ import annotations

import pytest

from agent.desk import Browser

pytestmark = pytest.mark.anyio
PAGE = "sample_pack.notes"


async def note(browser: Browser, title: str) -> str:
    body = {"title": title, "text": "a b"}
    return (await browser.client.post("/api/notes", json=body)).json()["id"]


async def test_a_topic_computes_an_entry_for_its_question(browser: Browser) -> None:
    for title in ("Shopping list", "Guest list", "Recipe"):
        await note(browser, title)
    reply = await browser.ask("How many are called list?", PAGE)
    assert reply.text.startswith("Titles with “list”: 2 [1].")


async def test_what_a_page_refuses_is_not_answered_by_another_figure(browser: Browser) -> None:
    reply = await browser.ask("Which notes were researched last week?", PAGE)
    assert reply.text.startswith(
        "Without a language model I cannot answer that on the page “Notes”"
    )


async def test_words_of_the_packs_own_ask_for_a_change(browser: Browser) -> None:
    ids = {"noteId": await note(browser, "A title of far too many words")}
    reply = await browser.ask("please shorten it", "sample_pack.note", ids=ids)
    assert reply.text.startswith("I propose to change the title as you asked.")


async def test_a_question_on_no_topic_is_answered_from_the_records_own_words(
    browser: Browser,
) -> None:
    body = {"title": "Shopping", "text": "milk and eggs"}
    ids = {"noteId": (await browser.client.post("/api/notes", json=body)).json()["id"]}
    reply = await browser.ask("are there eggs on it?", "sample_pack.note", ids=ids)
    assert reply.text.startswith("The note says “milk and eggs” [1].")
    reply = await browser.ask("what is the capital of Peru?", "sample_pack.note", ids=ids)
    assert reply.text.startswith("Without a language model I cannot answer that. I can answer")
