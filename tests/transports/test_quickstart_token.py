"""The token of the quickstart may do all that the quickstart and a conversation do."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from transports.conftest import SignedIn
from whence.app.platform import Platform
from whence.tenancy.principal import Scope

pytestmark = pytest.mark.anyio
QUICKSTART = Path(__file__).parents[2] / "docs" / "quickstart.md"


def documented_scopes() -> set[Scope]:
    """The scopes of the token that the quickstart makes."""
    [command] = re.findall(r"whence token create .*", QUICKSTART.read_text("utf-8"))
    return {Scope(scope) for scope in re.findall(r"--scope (\w+)", command)}


async def test_it_researches_follows_reads_talks_and_applies(
    platform: Platform, worker: object, signed_in: SignedIn
) -> None:
    await platform.turns.load()
    client = await signed_in(platform.owner, documented_scopes())
    note = (await client.post("/api/notes", json={"title": "One", "text": "some words"})).json()
    path = f"/api/notes/{note['id']}"

    job = (await client.post(f"{path}/research")).json()["jobId"]
    async with client.stream("GET", f"/api/runs/{job}/events") as events:
        assert "event: job_complete" in [line async for line in events.aiter_lines()]
    assert (await client.get(f"{path}/research/latest")).json()["jobId"] == job

    chat = (await client.post(f"{path}/chat/sessions")).json()["sessionId"]
    messages = f"{path}/chat/sessions/{chat}/messages"
    sent = await client.post(messages, json={"content": "set the title to Another"})
    assert sent.status_code == 202, sent.text
    async with asyncio.timeout(60):
        while (answer := (await client.get(messages)).json()["items"][0])["status"] == "streaming":
            await asyncio.sleep(0.05)
    [action] = answer["actions"]
    assert (await client.post(f"/api/proposals/{action['id']}/apply")).status_code == 200
    assert (await client.get(path)).json()["title"] == "Another"


async def test_a_token_that_may_only_read_gets_nothing_proposed(
    platform: Platform, signed_in: SignedIn
) -> None:
    client = await signed_in(platform.owner, {Scope.READ})
    made = await client.post("/api/notes", json={"title": "One", "text": "words"})
    assert made.status_code == 403
