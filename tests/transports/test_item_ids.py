"""`itemId` stands beside `subjectId` where the record is an item, and is null elsewhere."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from whence.app.platform import Platform

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
async def loaded(platform: Platform) -> None:
    """What answers is loaded before the first message, as a server does when it starts."""
    await platform.turns.load()


async def proposed(owner: httpx.AsyncClient, record: str, change: str) -> dict[str, Any]:
    """A conversation about the record, and the action of the answer to a change."""
    chats = f"/api/{record}/chat/sessions"
    sid = (await owner.post(chats)).json()["sessionId"]
    sent = await owner.post(f"{chats}/{sid}/messages", json={"content": change})
    assert sent.status_code == 202, sent.text
    async with asyncio.timeout(60):
        while True:
            answer = (await owner.get(f"{chats}/{sid}/messages")).json()["items"][0]
            if answer["status"] != "streaming":
                break
            await asyncio.sleep(0.05)
    conversation = (await owner.get(f"/api/chat/sessions/{sid}")).json()
    return {"conversation": conversation, "action": answer["actions"][0]}


async def test_an_item_has_its_id_under_both_names(owner: httpx.AsyncClient) -> None:
    item = (await owner.post("/api/items", json={"title": "Brass lamp"})).json()["id"]

    shown = await proposed(owner, f"items/{item}", "set the asking price to 40")

    action = shown["action"]
    for each in (shown["conversation"], action, action["payload"]):
        assert (each["subjectId"], each["itemId"]) == (item, item)
    assert action["payload"]["values"]["defaultPrice"] in (40, "40", "40.00", 40.0)
    applied = (await owner.post(f"/api/proposals/{action['id']}/apply")).json()
    assert (applied["subjectId"], applied["itemId"]) == (item, item)
    result = (await owner.get("/api/chat/search", params={"q": "asking price"})).json()["items"]
    assert {each["itemId"] for each in result} == {item}


async def test_other_kinds_have_no_item(owner: httpx.AsyncClient) -> None:
    note = (await owner.post("/api/notes", json={"title": "A", "text": "b"})).json()["id"]

    shown = await proposed(owner, f"notes/{note}", "set the title to Another")

    assert shown["conversation"]["subjectId"] == note
    assert shown["conversation"]["itemId"] is None
    assert shown["action"]["itemId"] is None
