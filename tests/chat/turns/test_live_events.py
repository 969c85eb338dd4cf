"""What an answer says while the database holds its writer up, or cuts it off: all, in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

import psycopg
import pytest

from chat.turns.conftest import Desk
from chat.waiting import until_it_waits
from whence.chat.transcript import messages
from whence.chat.transcript.event_types import Token
from whence.chat.turns.live import LiveEvents, TurnKey
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio
_CUT_OFF = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()
"""


@dataclass
class Writer:
    """The live events of a turn that no process runs."""

    live: LiveEvents
    line: TurnKey
    answer: UUID
    stale: list[UUID]

    def say(self, words: str) -> None:
        self.live.put(self.line, Token(message_id=self.answer, token=words))


@pytest.fixture
async def writer(desk: Desk) -> AsyncIterator[Writer]:
    async with desk.platform.unit(desk.who) as session:
        begun = await messages.begin_turn(session, desk.who, desk.session_id, "one", "one", 60)
    stale: list[UUID] = []
    live = LiveEvents(desk.platform.db, desk.platform.bus, stale.append)
    line = TurnKey(desk.who.org_id, desk.session_id, begun.turn_id)
    yield Writer(live, line, begun.answer.id, stale)
    await live.close()


@pytest.fixture
def holder(database_url: str, desk: Desk) -> Iterator[psycopg.Connection[Any]]:
    """Somebody who holds the conversation, until they roll back."""
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "SELECT FROM whence.chat_sessions WHERE id = %s FOR UPDATE", (desk.session_id,)
        )
        yield connection
        connection.rollback()


async def streamed(desk: Desk) -> str:
    return "".join(event.payload["token"] for event in await desk.events())


async def test_what_is_being_written_is_not_taken_for_written_before_it_is(
    desk: Desk, writer: Writer, looker: psycopg.Connection[Any], holder: psycopg.Connection[Any]
) -> None:
    writer.say("all of it")
    never = asyncio.create_task(asyncio.Event().wait())
    await until_it_waits(looker, never)
    taking = asyncio.create_task(writer.live.take(writer.line.turn_id))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not taking.done()
    holder.rollback()
    async with asyncio.timeout(90):
        assert await taking == []
    assert await streamed(desk) == "all of it"
    never.cancel()


async def test_what_could_not_be_written_stands_before_what_came_later(
    desk: Desk, writer: Writer, looker: psycopg.Connection[Any], holder: psycopg.Connection[Any]
) -> None:
    writer.say("first ")
    never = asyncio.create_task(asyncio.Event().wait())
    await until_it_waits(looker, never)
    writer.say("then ")
    assert looker.execute(_CUT_OFF).fetchall() == [(True,)]
    holder.rollback()
    writer.say("last")
    async with asyncio.timeout(90):
        while not (await streamed(desk)).endswith("last"):
            await asyncio.sleep(0.02)
    assert (await streamed(desk), writer.stale) == ("first then last", [])
    never.cancel()


async def test_the_writer_goes_on_after_an_error_that_nobody_foresaw_and_loses_nothing(
    desk: Desk, writer: Writer, looker: psycopg.Connection[Any]
) -> None:
    looker.execute("ALTER FUNCTION whence.write_turn_events RENAME TO elsewhere")
    writer.say("first ")
    async with asyncio.timeout(90):
        while not writer.live.failures:
            await asyncio.sleep(0.02)
    writer.say("then ")
    looker.execute("ALTER FUNCTION whence.elsewhere RENAME TO write_turn_events")
    writer.say("last")
    async with asyncio.timeout(90):
        while not (await streamed(desk)).endswith("last"):
            await asyncio.sleep(0.02)
    assert (await streamed(desk), writer.stale) == ("first then last", [])


async def test_an_answer_that_cannot_be_written_holds_up_no_other_and_is_kept_for_its_end(
    desk: Desk, writer: Writer
) -> None:
    odd = TurnKey(desk.who.org_id, cast("UUID", "no id"), new_id())
    writer.live.put(odd, Token(message_id=writer.answer, token="mine"))
    writer.say("all of it")
    async with asyncio.timeout(90):
        while await streamed(desk) != "all of it":
            await asyncio.sleep(0.02)
    [token] = await writer.live.take(odd.turn_id)
    assert isinstance(token, Token)
    assert token.token == "mine"


async def test_what_was_written_is_not_written_again_where_its_readers_could_not_be_told(
    desk: Desk, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(desk.platform.bus, "wrote", fails)
        writer.say("once ")
        async with asyncio.timeout(90):
            while not writer.live.failures:
                await asyncio.sleep(0.02)
    writer.say("only")
    async with asyncio.timeout(90):
        while not (await streamed(desk)).endswith("only"):
            await asyncio.sleep(0.02)
    assert await streamed(desk) == "once only"
