"""Laws of a conversation that hold after any sequence of sends, ends, losses and looks.

Ordinals are dense; never are two answers being written; a client's id is one message; a turn that
was ended stays as it was ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError

from whence.app.platform import Platform
from whence.chat.transcript import history, messages, sessions
from whence.chat.transcript.messages import Answer, NothingToAnswer, StaleTurn, TurnRunning
from whence.chat.transcript.tables import ChatMessage
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio
ALIVE, LOST = 60.0, 0.0
"""Leases, in seconds: of a writer that lives, and of one that is gone at once."""
IDS = ("a", "b", "c", "d")


@dataclass
class Talk:
    """One conversation, and what its participants remember of it."""

    platform: Platform
    chat: UUID
    turns: list[UUID] = field(default_factory=list[UUID])
    ended: dict[UUID, str] = field(default_factory=dict[UUID, str])
    """What was kept of turns that their own writers ended."""

    async def send(self, client_id: str, lease: float) -> None:
        async with self.platform.unit(self.platform.owner) as session:
            try:
                begun = await messages.begin_turn(
                    session, self.platform.owner, self.chat, client_id, client_id, lease
                )
            except TurnRunning:
                return
        self.turns.append(begun.turn_id)

    async def send_twice(self, client_id: str, other_id: str) -> None:
        await asyncio.gather(self.send(client_id, ALIVE), self.send(other_id, ALIVE))

    async def again(self, lease: float) -> None:
        async with self.platform.unit(self.platform.owner) as session:
            try:
                begun = await messages.begin_again(session, self.platform.owner, self.chat, lease)
            except (TurnRunning, NothingToAnswer):
                return
        self.turns.append(begun.turn_id)

    async def renew(self, which: int, lease: float) -> None:
        if self.turns:
            turn = self.turns[which % len(self.turns)]
            async with self.platform.unit(self.platform.owner) as session:
                try:
                    await messages.renew(session, self.chat, turn, lease)
                except StaleTurn:
                    return
            assert turn not in self.ended

    async def end(self, which: int) -> None:
        if self.turns:
            turn = self.turns[which % len(self.turns)]
            async with self.platform.unit(self.platform.owner) as session:
                try:
                    whole = Answer(f"whole {turn}")
                    await messages.end_turn(session, self.chat, turn, whole, "complete")
                except StaleTurn:
                    return
            assert turn not in self.ended
            self.ended[turn] = f"whole {turn}"

    async def look(self) -> None:
        async with self.platform.unit(self.platform.owner) as session:
            await sessions.get(session, self.platform.owner, self.chat)

    async def notice(self, key: str) -> None:
        async with self.platform.unit(self.platform.owner) as session:
            await messages.post_notice(session, self.chat, key, Answer("Research is done."))

    async def check(self) -> None:
        who = self.platform.owner
        async with self.platform.unit(who) as session:
            conversation = await sessions.get(session, who, self.chat)
            query = select(ChatMessage).where(ChatMessage.session_id == self.chat)
            rows = list(await session.scalars(query.order_by(ChatMessage.ordinal)))
            standing = await history.current_messages(
                session, self.chat, before=10_000, limit=10_000
            )
        assert [row.ordinal for row in rows] == list(range(1, conversation.message_count + 1))
        written = [row for row in rows if row.status == "streaming"]
        assert [row.turn_id for row in written] == (
            [conversation.turn_id] if conversation.turn_id else []
        )
        for role in ("user", "notice"):
            ids = [row.client_message_id for row in rows if row.role == role]
            assert len(ids) == len(set(ids))
        for user in [row for row in rows if row.role == "user"]:
            answers = [row for row in standing if row.reply_to == user.id]
            assert len(answers) == 1
        kept_words = {row.turn_id: (row.content, row.status) for row in rows if row.reply_to}
        for turn, words in self.ended.items():
            assert kept_words[turn] == (words, "complete")


LEASES = st.sampled_from([ALIVE, LOST])
STEPS = st.one_of(
    st.tuples(st.just("send"), st.sampled_from(IDS), LEASES),
    st.tuples(st.just("send_twice"), st.sampled_from(IDS), st.sampled_from(IDS)),
    st.tuples(st.just("again"), LEASES),
    st.tuples(st.just("renew"), st.integers(0, 5), LEASES),
    st.tuples(st.just("end"), st.integers(0, 5)),
    st.tuples(st.just("look")),
    st.tuples(st.just("notice"), st.sampled_from(IDS)),
)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(STEPS, min_size=3, max_size=14))
async def test_no_sequence_of_turns_breaks_a_conversation(
    platform: Platform, steps: list[tuple[object, ...]]
) -> None:
    async with platform.unit(platform.owner) as session:
        opened = await sessions.open_session(session, platform.owner, "notes", new_id())
    talk = Talk(platform, opened.id)
    for name, *values in steps:
        act: Callable[..., Awaitable[None]] = getattr(talk, str(name))
        await act(*values)
        await talk.check()


async def test_of_many_sends_at_once_one_is_answered(platform: Platform) -> None:
    async with platform.unit(platform.owner) as session:
        opened = await sessions.open_session(session, platform.owner, "notes", new_id())
    talk = Talk(platform, opened.id)
    await asyncio.gather(*(talk.send(f"message {n}", ALIVE) for n in range(8)))
    assert len(talk.turns) == 1
    await talk.check()


async def test_the_same_message_sent_many_times_at_once_is_one(platform: Platform) -> None:
    async with platform.unit(platform.owner) as session:
        opened = await sessions.open_session(session, platform.owner, "notes", new_id())
    talk = Talk(platform, opened.id)
    await asyncio.gather(*(talk.send("message", ALIVE) for _ in range(8)))
    assert len(talk.turns) == 8
    assert len(set(talk.turns)) == 1
    await talk.check()


async def test_the_database_itself_refuses_a_second_answer_under_way(platform: Platform) -> None:
    async with platform.unit(platform.owner) as session:
        opened = await sessions.open_session(session, platform.owner, "notes", new_id())
    talk = Talk(platform, opened.id)
    for client_id in IDS[:2]:
        await talk.send(client_id, LOST)
    reopened = update(ChatMessage).where(ChatMessage.session_id == opened.id)
    async with platform.unit(platform.owner) as session:
        with pytest.raises(IntegrityError, match="one_chat_answer_under_way"):
            await session.execute(
                reopened.where(ChatMessage.role == "assistant").values(status="streaming")
            )
        await session.rollback()
