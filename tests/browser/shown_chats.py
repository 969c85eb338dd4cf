"""Conversations with a proposal in each of its states, for pictures of the chat."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import psycopg

EXPIRED = """
    ALTER TABLE whence.proposals DISABLE TRIGGER proposal_step;
    UPDATE whence.proposals SET expires_at = now() - interval '1 day' WHERE id = '{id}';
    ALTER TABLE whence.proposals ENABLE TRIGGER proposal_step;
"""


async def pages_of_chats(api: httpx.AsyncClient, item: str, database_url: str) -> dict[str, str]:
    """Addresses by name: a conversation with answers that cite, and with cards in each state."""
    path = f"/api/items/{item}"
    await _said(api, path, "What is it worth, and how sure are you?")
    await _said(api, path, "Set the price to 149")
    await _decided(api, path, "apply")
    await _said(api, path, "Set the quantity to 3")  # goes out of date with the next change
    await _said(api, path, "Change the condition to like new")
    await _decided(api, path, "apply", "undo")
    await _said(api, path, "Set the model to QB-700 II")
    await _decided(api, path, "decline")
    await _said(api, path, "Set the category to Audio")
    with psycopg.connect(database_url) as connection:
        connection.execute(EXPIRED.format(id=await _newest(api, path)))
    await _said(api, path, "Set the price to 155")
    found = (await api.get(path)).json()["id"]
    tab = f"/records/items/{found}?tab=chat"
    return {"chat-tab": tab, "chat-cards-tall": tab}


async def _said(api: httpx.AsyncClient, path: str, content: str) -> None:
    """A message in the record's conversation, and its whole answer."""
    active = (await api.get(f"{path}/chat/sessions/active")).json()
    if active is None:
        active = {"id": (await api.post(f"{path}/chat/sessions")).json()["sessionId"]}
    messages = f"{path}/chat/sessions/{active['id']}/messages"
    (await api.post(messages, json={"content": content})).raise_for_status()
    async with asyncio.timeout(60):
        while _is_open((await api.get(messages)).json()["items"]):
            await asyncio.sleep(0.05)


def _is_open(newest_first: list[dict[str, Any]]) -> bool:
    last = newest_first[0]
    return last["role"] == "user" or last["status"] == "streaming"


async def _newest(api: httpx.AsyncClient, path: str) -> str:
    return (await api.get(f"{path}/proposals?limit=1")).json()["items"][0]["id"]


async def _decided(api: httpx.AsyncClient, path: str, *decisions: str) -> None:
    """What became of the newest proposal."""
    proposal = await _newest(api, path)
    for decision in decisions:
        (await api.post(f"/api/proposals/{proposal}/{decision}")).raise_for_status()
