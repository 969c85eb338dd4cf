"""What a token that only reads, and an agent, may do with a conversation: each door by itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.chat.transcript import messages, sessions
from whence.kernel.errors import Forbidden
from whence.kernel.ids import new_id
from whence.tenancy.principal import Principal, Scope, agent_of

pytestmark = pytest.mark.anyio
Door = Callable[[AsyncSession, Principal, UUID], Awaitable[object]]
DOORS: dict[str, Door] = {
    "open": lambda session, who, _: sessions.open_session(session, who, "notes", new_id()),
    "rename": lambda session, who, chat: sessions.rename(session, who, chat, "Mine"),
    "send": lambda session, who, chat: messages.begin_turn(session, who, chat, "a", "a", 60),
    "again": lambda session, who, chat: messages.begin_again(session, who, chat, 60),
    "delete": sessions.delete,
}


@pytest.fixture
async def chat(platform: Platform) -> UUID:
    async with platform.unit(platform.owner) as session:
        conversation = await sessions.open_session(session, platform.owner, "notes", new_id())
        begun = await messages.begin_turn(
            session, platform.owner, conversation.id, "one", "one", 60
        )
        await messages.end_turn(
            session, conversation.id, begun.turn_id, messages.Answer("1"), "complete"
        )
    return conversation.id


@pytest.mark.parametrize("door", DOORS)
async def test_a_door_opens_to_a_person_and_to_no_reading_token_or_agent(
    platform: Platform, chat: UUID, door: str
) -> None:
    owner = platform.owner
    reader = replace(owner, scopes=frozenset({Scope.READ}))
    for who, error in ((reader, sessions.MayNotTalk), (agent_of(owner), Forbidden)):
        with pytest.raises(error):
            async with platform.unit(owner) as session:
                await DOORS[door](session, who, chat)
    async with platform.unit(owner) as session:
        await DOORS[door](session, owner, chat)


async def test_nor_is_an_answer_stopped_by_them(platform: Platform, chat: UUID) -> None:
    owner = platform.owner
    reader = replace(owner, scopes=frozenset({Scope.READ}))
    for who in (reader, agent_of(owner)):
        with pytest.raises(Forbidden):
            await platform.turns.stop(who, chat)
    assert await platform.turns.stop(owner, chat) is None
