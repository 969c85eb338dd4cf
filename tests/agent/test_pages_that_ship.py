"""Every page that ships answers its own examples by rules, each fact with what carries it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agent.desk import Browser
from whence.app.platform import Platform

pytestmark = pytest.mark.anyio

ITEMS = (
    {"title": "Brass lamp", "defaultPrice": 40, "quantity": 2},
    {"title": "Glass vase", "defaultPrice": 60.5, "lifecycleStatus": "listed"},
    {"title": "Old radio", "lifecycleStatus": "draft"},
    {"title": "Sold chair", "defaultPrice": 900, "lifecycleStatus": "sold"},
)
SOON = (datetime.now(UTC) + timedelta(days=9)).date().isoformat()
REQUESTS = (
    {"title": "Spring leave", "reason": "bonding_birth", "startsOn": SOON},
    {"title": "Some day"},
)
LISTING = "id,title,status,price,currency,sold_at,marketplace\n"
LISTINGS = "".join(
    f"l{n},Brass lamp number {n},sold,{40 + n},USD,2026-0{n}-03,ebay\n" for n in range(1, 4)
)

FIGURES = (
    (
        "resale.items",
        "What is the total asking price?",
        "In all is asked: 140.50 USD for 2 items, and 1 more without a price",
    ),
    (
        "resale.items",
        "What is the status of the items?",
        "By lifecycle status the items are: 2 draft, 1 listed, 1 sold",
    ),
    ("resale.items", "How many are listed?", "There is 1 item with the status listed"),
    (
        "resale.items",
        "How many items are there?",
        "There are 4 items: “Sold chair”, “Old radio”",
    ),
    ("resale.market", "How many listings can be searched?", "3 listings were imported: 3 sold"),
    (
        "resale.market",
        "How recent are the sales?",
        "The sales are from 2026-01-03 to 2026-03-03",
    ),
    ("leave.requests", "Which leave begins soon?", "1 leave begins within 30 days"),
    (
        "leave.requests",
        "What is the leave for?",
        "By reason the requests are: 1 bonding birth, 1 without a reason",
    ),
)


@pytest.fixture
async def things(browser: Browser) -> dict[str, str]:
    """Something on every page; the ids of the last of each kind."""
    ids: dict[str, str] = {}
    for path, bodies in (("/api/items", ITEMS), ("/api/leave-requests", REQUESTS)):
        for body in bodies:
            made = await browser.client.post(path, json=body)
            assert made.status_code == 201, made.text
            ids[path] = made.json()["id"]
    sent = await browser.client.post(
        "/api/imports/resale.listings",
        content=(LISTING + LISTINGS).encode(),
        params={"filename": "listings.csv"},
    )
    assert sent.status_code < 300, sent.text
    return {"itemId": ids["/api/items"], "leaveRequestId": ids["/api/leave-requests"]}


async def test_every_example_is_answered_with_references(
    platform: Platform, browser: Browser, things: dict[str, str]
) -> None:
    count = 0
    for page in platform.pages.all_pages:
        for topic in page.topics:
            reply = await browser.ask(topic.example, page.name)
            end = reply.done
            assert (end["status"], end["method"]) == ("complete", "rules:chat@1")
            assert end["references"], (page.name, topic.name, reply.text)
            assert end["references"][0]["path"] == topic.name, (page.name, topic.example)
            assert "checked" not in await meta_of(browser, reply.done)
            count += 1
    assert count >= 20


async def meta_of(browser: Browser, end: dict[str, Any]) -> dict[str, Any]:
    path = f"/api/agent/conversations/{end['conversationId']}/messages"
    [answer] = [
        message
        for message in (await browser.client.get(path)).json()["items"]
        if message["id"] == end["messageId"]
    ]
    return answer["meta"]


async def test_figures_are_those_of_the_data(browser: Browser, things: dict[str, str]) -> None:
    for page, question, words in FIGURES:
        assert words in (await browser.ask(question, page)).text


async def test_a_page_of_one_record_answers_as_the_record_does(
    browser: Browser, things: dict[str, str]
) -> None:
    item = {"itemId": things["itemId"]}
    reply = await browser.ask("What is it worth?", "resale.item", ids=item)
    assert "has not been researched yet" in reply.text
    assert reply.done["offer"] == "research"
    request = {"leaveRequestId": things["leaveRequestId"]}
    reply = await browser.ask("What is the CFRA rule on notice?", "leave.request", ids=request)
    assert "rule" in {reference["kind"] for reference in reply.done["references"]}, reply.text


async def test_what_a_list_cannot_do_is_said_with_what_it_can(browser: Browser) -> None:
    for message in ("Set the price to 10", "Research it again", "gibberish"):
        reply = await browser.ask(message, "resale.items")
        assert "on the page “Items”" in reply.text
        assert "What is the average asking price?" in reply.text
        assert "To change or research a record, open it" in reply.text
        assert reply.done["references"] == []


async def test_only_what_is_researched_counts_as_researched(
    platform: Platform, worker: object, browser: Browser
) -> None:
    made = [
        (await browser.client.post("/api/notes", json={"title": name, "text": "a b"})).json()["id"]
        for name in ("One", "Two", "Three")
    ]
    await _researched(browser, made[0])
    await _researched(browser, made[1])
    changed = await browser.client.patch(f"/api/notes/{made[1]}", json={"text": "c"})
    assert changed.status_code == 200
    reply = await browser.ask("Which notes wait for research?", "sample_pack.notes")
    assert "There is 1 note that waits for research: “Three”" in reply.text
    reply = await browser.ask("Which research is stale?", "sample_pack.notes")
    assert "“Two”" in reply.text
    assert "“One”" not in reply.text


async def _researched(browser: Browser, note: str) -> None:
    job = (await browser.client.post(f"/api/notes/{note}/research")).json()["jobId"]
    path = f"/api/notes/{note}/research/jobs/{job}"
    async with asyncio.timeout(30):
        while not (await browser.client.get(path)).json()["completedAt"]:
            await asyncio.sleep(0.05)
