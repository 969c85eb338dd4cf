"""A client that joins while a turn ends hears of its end, in the snapshot or as an event."""

from __future__ import annotations

from typing import Any

import pytest

from chat.turns.conftest import Desk
from whence.events import log
from whence.transports.routes.streams import chat_stream

pytestmark = pytest.mark.anyio


async def test_a_turn_that_ends_while_a_client_joins_is_not_missed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = chat_stream.sessions.get

    async def read_just_before_the_turn(*arguments: Any) -> Any:
        conversation = await real(*arguments)
        monkeypatch.undo()
        await desk.say("How long is it?")
        return conversation

    monkeypatch.setattr(chat_stream.sessions, "get", read_just_before_the_turn)
    begin = await chat_stream.opening(desk.platform, desk.who, desk.session_id, None)
    async with desk.platform.unit(desk.who) as session:
        assert begin.after < await log.last_seq(session, desk.session_id)
