"""What the program says of its own accord: once for each key, whoever says it at the same time."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import psycopg
import pytest
from sqlalchemy.exc import IntegrityError

from chat.waiting import until_it_waits
from whence.app.platform import Platform
from whence.chat.transcript import messages, sessions
from whence.chat.transcript.messages import Answer
from whence.chat.transcript.tables import ChatMessage
from whence.kernel.clock import now
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio


@pytest.fixture
async def chat(platform: Platform) -> UUID:
    async with platform.unit(platform.owner) as session:
        return (await sessions.open_session(session, platform.owner, "notes", new_id())).id


async def post(platform: Platform, chat: UUID, key: str) -> ChatMessage | None:
    async with platform.unit(platform.owner) as session:
        return await messages.post_notice(session, chat, key, Answer(f"{key} is done."))


@pytest.mark.parametrize(("key", "place"), [("run 1", None), ("run 2", 2)])
async def test_who_comes_second_waits_and_then_sees_what_was_said(
    platform: Platform,
    chat: UUID,
    looker: psycopg.Connection[Any],
    key: str,
    place: int | None,
) -> None:
    async with platform.unit(platform.owner) as session:
        first = await messages.post_notice(session, chat, "run 1", Answer("run 1 is done."))
        second = asyncio.create_task(post(platform, chat, key))
        await until_it_waits(looker, second)
    assert first is not None
    later = await second
    assert (first.ordinal, later and later.ordinal) == (1, place)


async def test_the_database_itself_refuses_a_second_notice_of_a_key(
    platform: Platform, chat: UUID
) -> None:
    text = await post(platform, chat, "run 1")
    assert text is not None
    async with platform.unit(platform.owner) as session:
        session.add(
            ChatMessage(
                id=new_id(),
                session_id=chat,
                ordinal=2,
                role="notice",
                client_message_id="run 1",
                status="complete",
                created_at=now(),
                completed_at=now(),
                **Answer("again").columns(),
            )
        )
        with pytest.raises(IntegrityError, match="one_chat_message_per_client_id"):
            await session.flush()
        await session.rollback()
