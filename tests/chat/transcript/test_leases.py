"""An answer that is alive stays its writer's, whoever looks, lists or sends meanwhile."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from uuid import UUID

import pytest
from sqlalchemy import text

from whence.app.platform import Platform
from whence.chat.transcript import messages, sessions
from whence.chat.transcript.messages import Answer, StaleTurn, StartedTurn, TurnRunning
from whence.kernel.ids import new_id
from whence.tenancy.principal import Principal

pytestmark = pytest.mark.anyio
ALIVE, LOST = 60.0, 0.0
"""Leases, in seconds: of a writer that lives, and of one that is gone at once."""


@dataclass
class Talk:
    """One person's conversation, as any process does with it."""

    platform: Platform
    who: Principal
    chat: UUID

    async def send(self, content: str, lease: float) -> StartedTurn:
        async with self.platform.unit(self.who) as session:
            return await messages.begin_turn(session, self.who, self.chat, content, content, lease)

    async def end(self, turn_id: UUID) -> messages.ChatMessage:
        async with self.platform.unit(self.who) as session:
            return await messages.end_turn(session, self.chat, turn_id, Answer("whole"), "complete")

    async def interrupted(self, chat: UUID | None) -> list[UUID]:
        async with self.platform.unit(self.who) as session:
            return await sessions.end_interrupted(session, self.who, chat)


@pytest.fixture
async def talk(platform: Platform) -> Talk:
    async with platform.unit(platform.owner) as session:
        chat = (await sessions.open_session(session, platform.owner, "notes", new_id())).id
    return Talk(platform, platform.owner, chat)


async def test_nobody_ends_an_answer_whose_writer_is_alive(talk: Talk) -> None:
    begun = await talk.send("one", ALIVE)
    async with talk.platform.unit(talk.who) as session:
        [listed] = await sessions.list_sessions(session, talk.who)
        result = await sessions.latest_session(
            session, talk.who, "notes", listed.subject_id or new_id()
        )
        held = await sessions.get(session, talk.who, talk.chat, to_change=True)
        opened = await sessions.get(session, talk.who, talk.chat)
    assert result is not None
    assert {each.turn_id for each in (listed, result, held, opened)} == {begun.turn_id}
    assert await talk.interrupted(None) == await talk.interrupted(talk.chat) == []
    with pytest.raises(TurnRunning):
        await talk.send("two", ALIVE)
    assert (await talk.end(begun.turn_id)).status == "complete"


async def test_of_two_conversations_the_one_of_the_dead_alone_is_ended(talk: Talk) -> None:
    async with talk.platform.unit(talk.who) as session:
        other = await sessions.open_session(session, talk.who, "notes", new_id())
    lost = Talk(talk.platform, talk.who, other.id)
    begun, gone = await talk.send("one", ALIVE), await lost.send("one", LOST)
    assert await talk.interrupted(talk.chat) == []
    assert await talk.interrupted(None) == [gone.answer.id]
    with pytest.raises(StaleTurn):
        await lost.end(gone.turn_id)
    assert (await talk.end(begun.turn_id)).status == "complete"


async def test_whoever_ends_the_turns_of_the_dead_passes_those_that_somebody_else_ends(
    talk: Talk,
) -> None:
    gone = await talk.send("one", LOST)
    async with talk.platform.unit(talk.who) as session:
        held = await sessions.end_interrupted(session, talk.who, talk.chat)
        async with asyncio.timeout(20):  # who waits for the other waits until this is over
            assert await talk.interrupted(None) == []
    assert held == [gone.answer.id]


async def test_a_turn_that_was_taken_over_can_write_nothing_of_the_next_one(talk: Talk) -> None:
    gone = await talk.send("one", LOST)
    begun = await talk.send("two", ALIVE)
    with pytest.raises(StaleTurn):
        await talk.end(gone.turn_id)
    with pytest.raises(StaleTurn):
        async with talk.platform.unit(talk.who) as session:
            await messages.renew(session, talk.chat, gone.turn_id, ALIVE)
    async with talk.platform.unit(talk.who) as session:
        answers = await session.execute(
            text("SELECT content, status FROM whence.chat_messages WHERE turn_id = :turn"
                 " AND role = 'assistant'"),
            {"turn": begun.turn_id},
        )  # fmt: skip
        assert [tuple(row) for row in answers] == [("", "streaming")]
    assert (await talk.end(begun.turn_id)).content == "whole"
