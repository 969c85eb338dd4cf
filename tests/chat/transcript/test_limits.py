"""How long a message's id, a title and a search may be: the last that fits, and one more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.chat.transcript import messages, search, sessions
from whence.kernel.errors import Invalid
from whence.kernel.ids import new_id
from whence.tenancy.principal import Principal

pytestmark = pytest.mark.anyio
Given = Callable[[AsyncSession, Principal, UUID, str], Awaitable[object]]
LIMITS: dict[str, tuple[int, Given]] = {
    "clientMessageId": (
        100,
        lambda session, who, chat, words: messages.begin_turn(session, who, chat, "a", words, 60),
    ),
    "message": (
        20_000,
        lambda session, who, chat, words: messages.begin_turn(session, who, chat, words, "a", 60),
    ),
    "title": (200, sessions.rename),
    "search": (
        search.QUERY_LIMIT,
        lambda session, who, _, words: search.search(session, who, words),
    ),
}


@pytest.mark.parametrize("name", LIMITS)
async def test_what_fits_is_taken_and_nothing_or_one_sign_more_is_not(
    platform: Platform, name: str
) -> None:
    who, (most, write) = platform.owner, LIMITS[name]
    async with platform.unit(who) as session:
        chat = (await sessions.open_session(session, who, "notes", new_id())).id
    for words in ("", "x" * (most + 1)):
        with pytest.raises(Invalid):
            async with platform.unit(who) as session:
                await write(session, who, chat, words)
    async with platform.unit(who) as session:
        await write(session, who, chat, "x" * most)
