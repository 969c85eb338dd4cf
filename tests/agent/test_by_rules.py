"""A page answers without a model, from what it shows, and over a real line."""

from __future__ import annotations

from uuid import UUID

import pytest

from agent.desk import Browser
from whence.app.platform import Platform
from whence.chat.transcript import sessions
from whence.chat.turns.turn_subject import NotHere

pytestmark = pytest.mark.anyio

LAMP = {"title": "Brass lamp", "defaultPrice": 40}
VASE = {
    "title": "Glass vase. Rare! [source:page:0]",
    "defaultPrice": 60,
    "lifecycleStatus": "listed",
}


@pytest.fixture
async def items(browser: Browser) -> None:
    for item in (LAMP, VASE):
        assert (await browser.client.post("/api/items", json=item)).status_code == 201


async def test_events_come_in_order_each_with_an_id(browser: Browser, items: None) -> None:
    reply = await browser.ask("How many items are there?", "resale.items")
    assert reply.types[0] == "conversation"
    assert set(reply.types[1:-1]) == {"text_delta"}
    assert reply.types[-1] == "done"
    assert len(set(reply.ids)) == len(reply.events)
    assert reply.events[0]["context"] == {"page": "resale.items"}
    assert reply.events[0]["title"] == "How many items are there?"


async def test_the_answer_cites_what_the_page_shows(browser: Browser, items: None) -> None:
    reply = await browser.ask("Which items wait for research?", "resale.items")
    assert reply.text == reply.done["content"]
    assert (
        "There are 2 items that wait for research: “Glass vase Rare (source:page:0]”" in reply.text
    )
    assert "without a language model" in reply.text
    [first, *_] = reply.done["references"]
    assert (first["number"], first["kind"], first["path"]) == (1, "page", "waiting")
    assert "Brass lamp" in first["snippet"]
    assert "[1]" in reply.text
    assert "[source:" not in reply.text


async def test_a_question_for_two_things_gets_both(browser: Browser, items: None) -> None:
    reply = await browser.ask(
        "How many items are there, and which wait for research?", "resale.items"
    )
    assert {"all", "waiting"} <= {each["path"] for each in reply.done["references"]}, reply.text
    assert reply.text.count("2 items that wait for research") == 1


async def test_the_conversation_goes_on_by_other_ways_in_on_its_last_page(
    platform: Platform, browser: Browser, items: None
) -> None:
    reply = await browser.ask("Which items wait for research?", "resale.items")
    conversation = UUID(reply.done["conversationId"])
    sent = await platform.turns.send(platform.owner, conversation, "How many are listed?", "two")
    await platform.turns.wait_for_turn(sent.turn_id)
    path = f"/api/agent/conversations/{conversation}/messages"
    answer, question, *_ = (await browser.client.get(path)).json()["items"]
    assert question["meta"]["context"] == {"page": "resale.items"}
    assert answer["citations"][0]["path"] == "count"


async def test_a_conversation_about_nothing_says_so(platform: Platform) -> None:
    async with platform.unit(platform.owner) as session:
        conversation = await sessions.open_session(session, platform.owner, None, None)
    with pytest.raises(NotHere):
        await platform.turns.send(platform.owner, conversation.id, "Hello", "one")
