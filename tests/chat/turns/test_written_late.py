"""Pieces of an answer and its end, at the same instant: the end comes after all of them, or alone.

Both ways to write pieces are held to it: processes of the version before use the older one.
"""

from __future__ import annotations

import asyncio
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import pytest
from psycopg.errors import LockNotAvailable

from chat.turns.conftest import Desk
from chat.waiting import until_it_waits
from whence.chat.transcript import messages
from whence.chat.transcript.messages import Answer, StartedTurn
from whence.db import statements

pytestmark = pytest.mark.anyio
WAYS: dict[str, LiteralString] = {
    "now": "SELECT turn FROM whence.write_turn_events(%(items)s) WHERE seq IS NULL",
    "before": "SELECT * FROM whence.append_turn_events(%(items)s)",
}
"""Each answers the turns that are under way no more."""
_HELD: LiteralString = "SELECT FROM whence.chat_sessions WHERE id = %(id)s FOR UPDATE NOWAIT"


@pytest.fixture(params=sorted(WAYS))
def write(request: pytest.FixtureRequest) -> LiteralString:
    return WAYS[request.param]


@pytest.fixture
async def begun(desk: Desk) -> StartedTurn:
    """A turn under way that no process runs; 1 and 2 are all of its conversation's events."""
    async with desk.platform.unit(desk.who) as session:
        return await messages.begin_turn(session, desk.who, desk.session_id, "one", "one", 60)


def items(desk: Desk, begun: StartedTurn, *words: str) -> dict[str, object]:
    payloads = [
        {"type": "token", "payload": {"messageId": str(begun.answer.id), "token": word}}
        for word in words
    ]
    place = {"org": desk.who.org_id, "stream": desk.session_id, "turn": begun.turn_id}
    named: dict[str, Any] = {name: str(value) for name, value in place.items()}
    return {"items": {"items": [named | {"events": payloads}]}}


async def tokens(desk: Desk) -> list[str]:
    return [event.payload["token"] for event in await desk.events()]


async def test_a_piece_that_comes_while_the_turn_is_ended_waits_and_is_not_written(
    desk: Desk, begun: StartedTurn, write: LiteralString, looker: psycopg.Connection[Any]
) -> None:
    async with desk.platform.unit(desk.who) as session:
        await messages.end_turn(
            session, desk.session_id, begun.turn_id, Answer("whole"), "complete"
        )
        late = asyncio.create_task(desk.platform.db.rows(write, items(desk, begun, "late")))
        await until_it_waits(looker, late)
    assert await late == [(begun.turn_id,)]
    assert await tokens(desk) == []


async def test_a_turn_is_not_ended_while_a_piece_of_it_is_written(
    desk: Desk, begun: StartedTurn, write: LiteralString, looker: psycopg.Connection[Any]
) -> None:
    async with desk.platform.unit(desk.who) as session:
        assert await statements.rows(session, write, items(desk, begun, "in", "time")) == []
        with pytest.raises(LockNotAvailable):
            looker.execute(_HELD, {"id": desk.session_id})
    looker.execute(_HELD, {"id": desk.session_id})
    assert await tokens(desk) == ["in", "time"]


async def test_pieces_of_an_older_turn_are_not_written_into_the_next_one(
    desk: Desk, write: LiteralString
) -> None:
    turns: list[StartedTurn] = []
    for words, lease in (("one", 0.0), ("two", 60.0)):
        async with desk.platform.unit(desk.who) as session:
            turns.append(
                await messages.begin_turn(session, desk.who, desk.session_id, words, words, lease)
            )
    before = len(await desk.events())
    gone, alive = turns
    stale: list[tuple[UUID]] = await desk.platform.db.rows(write, items(desk, gone, "late"))
    assert stale == [(gone.turn_id,)]
    assert await desk.platform.db.rows(write, items(desk, alive, "in time")) == []
    assert [event.payload["token"] for event in (await desk.events())[before:]] == ["in time"]
