"""Whoever's session has expired is told so in words, by every way into chat, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import psycopg
import pytest

from chat.turns.conftest import Desk
from chat.turns.test_sockets import Client
from whence.kernel.ids import new_id
from whence.tenancy import sessions

pytestmark = pytest.mark.anyio
WORDS = "Session expired, please refresh"


@pytest.fixture
async def access(desk: Desk) -> str:
    """The access token of a signed-in browser."""
    started = await sessions.start(
        desk.platform.db, desk.who, label="browser", settings=desk.platform.settings
    )
    return started.access


@pytest.fixture
async def browser(serve: str, access: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {access}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as client:
        yield client


def expire(database_url: str) -> None:
    """Let the session run out by its time, of which nobody is notified."""
    with psycopg.connect(database_url) as admin:
        admin.execute("UPDATE whence.sessions SET expires_at = now() - interval '1 second'")


async def test_over_rest_and_server_sent_events(
    desk: Desk, browser: httpx.AsyncClient, database_url: str
) -> None:
    answer = await desk.say("set the title to Another")
    expire(database_url)
    there, nowhere = (f"/api/notes/{desk.note}/chat/sessions/{i}" for i in (desk.session_id, "x"))
    message = {"content": "How long is it?", "clientMessageId": "1"}
    for path in (there, nowhere):
        response = [
            await browser.get(f"{path}/messages"),
            await browser.post(f"{path}/messages", json=message),
            await browser.post(f"{path}/regenerate"),
            await browser.post(f"{path}/stop"),
            await browser.get(f"/api/chat/sessions/{new_id()}/events"),
            await browser.get(f"/api/chat/sessions/{desk.session_id}/events"),
            await browser.post(f"/api/proposals/{answer.actions[0]['id']}/apply"),
        ]
        for each in response:
            assert each.status_code == 401, each.request.url
            assert each.json().keys() == {"type", "title", "status", "detail"}
            assert each.json()["detail"].startswith(WORDS)
        assert len({each.text for each in response}) == 1, "all the same, whatever there is"
    assert len(await desk.messages()) == 2


async def test_over_a_socket_that_is_open(
    desk: Desk, serve: str, access: str, database_url: str
) -> None:
    async with Client(serve, access, str(desk.session_id)) as person:
        assert (await person.send("How long is it?"))["ok"]
        await person.until("turn_ended")
        expire(database_url)
        refused = await person.send("And now?")
        assert refused["ok"] is False
        assert refused["error"]["type"] == "/problems/unauthorized"
        assert refused["error"]["detail"].startswith(WORDS)
        assert refused["error"].keys() == {"type", "title", "status", "detail"}
    assert len(await desk.messages()) == 2


async def test_over_a_socket_whose_session_is_ended_elsewhere(
    desk: Desk, serve: str, access: str
) -> None:
    async with Client(serve, access, str(desk.session_id)) as person:
        await sessions.end_all(desk.platform.db, desk.who)
        ended = await person.until("access_ended")
        assert ended["detail"].startswith(WORDS)
        received = len(person.events)
        async with asyncio.timeout(10):
            while desk.platform.bus.readers(desk.session_id):
                await asyncio.sleep(0.01)
        await desk.say("How long is it?")  # by another way in
        assert len(person.events) == received
