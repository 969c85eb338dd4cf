"""The stream of a conversation that is deleted ends, also for another page that follows it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from chat.turns.conftest import Desk
from chat.turns.test_sockets import Client
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio


@pytest.fixture
async def page(serve: str, desk: Desk) -> AsyncIterator[httpx.AsyncClient]:
    token = await tokens.issue(desk.platform.db, desk.who, "page")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as client:
        yield client


async def test_the_stream_of_a_deleted_conversation_ends(
    desk: Desk, page: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whence.transports.routes.sse.stream.PING_SECONDS", 0.1)
    path = f"/api/chat/sessions/{desk.session_id}/events"
    lines: list[str] = []
    async with asyncio.timeout(20), page.stream("GET", path) as answer:
        async for line in answer.aiter_lines():
            lines.append(line)
            if line == ": ping" and lines.count(line) == 2:
                there = f"/api/notes/{desk.note}/chat/sessions/{desk.session_id}"
                assert (await page.delete(there)).status_code == 204
    at = lines.index("event: access_ended")
    [data] = [line for line in lines[at:] if line.startswith("data: ")]
    assert json.loads(data.removeprefix("data: "))["type"] == "/problems/not-found"
    assert (await page.get(path)).status_code == 404


async def test_a_socket_is_told_of_a_deleted_conversation_and_stays(
    desk: Desk, serve: str, page: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whence.transports.routes.sockets.chat.CHECK_SECONDS", 0.1)
    token = await tokens.issue(desk.platform.db, desk.who, "socket")
    async with Client(serve, token, str(desk.session_id)) as client:
        there = f"/api/notes/{desk.note}/chat/sessions/{desk.session_id}"
        assert (await page.delete(there)).status_code == 204
        async with asyncio.timeout(20):
            while client.events[-1][0] != "access_ended":
                await asyncio.sleep(0.02)
        assert client.events[-1][1]["type"] == "/problems/not-found"
        assert client.events[-1][1]["sessionId"] == str(desk.session_id)
        again = await client.call("join_session", sessionId=str(desk.session_id))
        assert again["error"]["status"] == 404


async def test_an_empty_last_event_id_is_none(
    desk: Desk, page: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/chat/sessions/{desk.session_id}/events"
    async with (
        asyncio.timeout(20),
        page.stream("GET", path, headers={"Last-Event-ID": ""}) as answer,
    ):
        assert answer.status_code == 200
        async for line in answer.aiter_lines():
            if line.startswith("event: "):
                assert line == "event: chat_status"
                break
