"""How many conversations one socket follows: as many as tabs need, and no more."""

from __future__ import annotations

from typing import Any

import pytest
import socketio

from chat.turns.conftest import Desk
from whence.chat.transcript import sessions
from whence.tenancy import tokens
from whence.transports.routes.sockets.chat import MAX_JOINED

pytestmark = pytest.mark.anyio
CHAT = "/chat"


async def test_the_one_too_many_is_refused_until_another_is_left(serve: str, desk: Desk) -> None:
    async with desk.platform.unit(desk.who) as session:
        chats = [
            str((await sessions.open_session(session, desk.who, "notes", desk.note)).id)
            for _ in range(MAX_JOINED + 1)
        ]
    token = await tokens.issue(desk.platform.db, desk.who, "many tabs")
    client = socketio.AsyncClient(reconnection=False)
    await client.connect(serve, auth={"token": token}, namespaces=[CHAT], wait_timeout=20)

    async def call(event: str, chat: str) -> dict[str, Any]:
        return await client.call(event, {"sessionId": chat}, namespace=CHAT, timeout=20)

    try:
        *first, last = chats
        assert [(await call("join_session", chat))["ok"] for chat in first] == [True] * 20
        refused = await call("join_session", last)
        assert (refused["ok"], "20 conversations" in str(refused["error"])) == (False, True)
        assert (await call("join_session", first[0]))["ok"]  # again is not one more
        assert (await call("leave_session", first[0]))["ok"]
        assert (await call("join_session", last))["ok"]
    finally:
        await client.shutdown()
