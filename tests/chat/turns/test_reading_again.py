"""What a reader is told first ends exactly where the events after it begin."""

from __future__ import annotations

import pytest

from chat.slow_model import SlowModel
from chat.turns.conftest import Desk
from whence.chat.transcript import history, sessions
from whence.chat.turns.snapshot import snapshot

pytestmark = pytest.mark.anyio


async def test_an_answer_that_is_written_is_shown_up_to_the_readers_cursor(
    slow: Desk, model: SlowModel
) -> None:
    await slow.send("How long is it?")
    model.say("one ", "two ")
    await slow.until(lambda events: any(e.type == "token" for e in events))
    model.say("three ", "four ")
    tokens = await slow.until(
        lambda events: (result := [e for e in events if e.type == "token"])[1:] and result
    )
    async with slow.platform.unit(slow.who) as session:
        conversation = await sessions.get(session, slow.who, slow.session_id)
        for at in range(len(tokens)):
            shown = await snapshot(session, slow.platform.kinds, conversation, tokens[at].seq)
            messages = "".join(each.payload["token"] for each in tokens[: at + 1])
            assert shown["messages"][-1]["content"] == messages


async def test_an_export_holds_what_was_said_when_it_began(desk: Desk) -> None:
    await desk.say("How long is it?")
    async with desk.platform.unit(desk.who) as session:
        began = (await sessions.get(session, desk.who, desk.session_id)).message_count
    await desk.say("And now?")
    async with desk.platform.unit(desk.who) as session:
        rows = await history.batch(session, desk.session_id, after=0, up_to=began, limit=100)
        rest = await history.batch(session, desk.session_id, after=1, up_to=began, limit=100)
    assert [each.ordinal for each in rows] == [1, 2]
    assert [each.ordinal for each in rest] == [2]
