"""A page that no pack offers is answered in general, and the person is told so."""

from __future__ import annotations

import pytest

from agent.desk import Browser
from whence.app.platform import Platform

pytestmark = pytest.mark.anyio


async def test_an_unknown_page_gets_a_general_answer_and_a_notice(browser: Browser) -> None:
    for title in ("Brass lamp", "Glass vase"):
        await browser.client.post("/api/items", json={"title": title})

    reply = await browser.ask("How many items are there?", "shop.dashboard")

    assert "There are 2 items [1]" in reply.text
    [notice] = [event for event in reply.events if event["type"] == "notice"]
    assert "“shop.dashboard” is not known" in notice["message"]
    assert reply.events[0]["context"] == {"page": "shop.dashboard"}
    assert reply.types[-2:] == ["notice", "done"]
    assert "error" not in reply.types


async def test_its_notice_is_kept_with_the_message(browser: Browser) -> None:
    reply = await browser.ask("Which pages can I ask about?", "shop.dashboard")
    conversation = reply.done["conversationId"]

    path = f"/api/agent/conversations/{conversation}/messages"
    stored = (await browser.client.get(path)).json()["items"][0]

    assert "resale.items" in stored["content"]
    assert "shop.dashboard" in stored["meta"]["pageNotice"]


async def test_a_conversation_goes_on_from_an_unknown_page_to_a_known_one(
    browser: Browser,
) -> None:
    first = await browser.ask("How many records are there?", "shop.dashboard")
    conversation = first.done["conversationId"]
    again = await browser.client.post(f"/api/agent/conversations/{conversation}/regenerate")
    assert again.status_code == 202
    anew = await browser.hear(None, path=f"/api/agent/chat/{conversation}/events")
    assert "notice" in anew.types

    known = await browser.ask(
        "How many items are there?", "resale.items", conversationId=conversation
    )

    assert known.done["status"] == "complete"
    assert "notice" not in known.types


async def test_the_general_page_may_be_named_and_brings_no_notice(browser: Browser) -> None:
    reply = await browser.ask("How many records are there?", "general")

    assert "There are 0 items [" in reply.text
    assert "notice" not in reply.types


async def test_a_long_name_is_kept_in_part(browser: Browser, platform: Platform) -> None:
    reply = await browser.ask("How many items are there?", "x" * 5_000)

    assert len(reply.events[0]["context"]["page"]) == 200
    assert reply.done["status"] == "complete"
