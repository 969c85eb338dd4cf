"""What was said: pages of a conversation, what a window is cut from, and search over one's own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.transcript import rows
from whence.chat.transcript.tables import ChatMessage, ChatSession
from whence.kernel.errors import Invalid
from whence.tenancy.principal import Principal

QUERY_LIMIT = 200
"""Characters of a search."""
SNIPPET_BEFORE, SNIPPET_AFTER = 60, 120
"""Characters around what was found: two lines of a list."""


@dataclass(frozen=True)
class Found:
    """A message in which all the words occur, and the place where the first of them does."""

    message: ChatMessage
    session: ChatSession
    snippet: str


async def page(
    session: AsyncSession, session_id: UUID, *, before: int | None = None, limit: int = 50
) -> list[ChatMessage]:
    """The newest messages of a conversation with an ordinal below `before`, newest first.

    The caller has seen that the conversation is one's own (`sessions.get`).
    """
    row = ChatMessage
    query = select(row).where(row.session_id == session_id)
    if before is not None:
        query = query.where(row.ordinal < before)
    newest = query.order_by(row.ordinal.desc()).limit(limit)
    return list(await session.scalars(newest.execution_options(populate_existing=True)))


async def current_messages(
    session: AsyncSession, session_id: UUID, *, before: int, limit: int
) -> list[ChatMessage]:
    """The last messages with an ordinal below `before`, oldest first, without superseded answers.

    What a model's window is cut from; `before` is the ordinal of the message to answer.  They are
    copies: to change them changes nothing.  What a wizard asked and was told is none of it.
    """
    return await rows.current_messages(session, session_id, before=before, limit=limit)


async def batch(
    session: AsyncSession, session_id: UUID, *, after: int, up_to: int, limit: int
) -> list[ChatMessage]:
    """Messages with ordinals above `after` up to `up_to`, oldest first."""
    row = ChatMessage
    query = select(row).where(
        row.session_id == session_id, row.ordinal > after, row.ordinal <= up_to
    )
    return list(await session.scalars(query.order_by(row.ordinal).limit(limit)))


async def answers_to(
    session: AsyncSession, session_id: UUID, message_id: UUID
) -> Sequence[ChatMessage]:
    """All answers to a message, the first one first."""
    row = ChatMessage
    query = select(row).where(row.session_id == session_id, row.reply_to == message_id)
    return (await session.scalars(query.order_by(row.ordinal))).all()


async def search(
    session: AsyncSession,
    who: Principal,
    query: str,
    *,
    before: tuple[datetime, UUID] | None = None,
    limit: int = 50,
) -> list[Found]:
    """One's own messages in which all words of `query` occur, newest first.

    `before` is (`created_at`, id) of the last message of the page before.  Raises Invalid.
    """
    words = query.split()
    if not words or len(query) > QUERY_LIMIT:
        raise Invalid(f"Search for words of 1 to {QUERY_LIMIT} characters.")
    row, of = ChatMessage, ChatSession
    found = (
        select(row, of)
        .join(of, (of.org_id == row.org_id) & (of.id == row.session_id))
        .where(of.user_id == who.user_id, of.deleted_at.is_(None))
        .where(*(row.content.icontains(word, autoescape=True) for word in words))
    )
    if before is not None:
        found = found.where(tuple_(row.created_at, row.id) < before)
    rows = await session.execute(found.order_by(row.created_at.desc(), row.id.desc()).limit(limit))
    return [Found(message, its, snippet(message.content, words[0])) for message, its in rows]


def snippet(content: str, word: str) -> str:
    """The words around the first place where `word` occurs; the beginning where it does not."""
    text = " ".join(content.split())
    place = re.search(re.escape(word), text, re.IGNORECASE)
    at, end = place.span() if place else (0, 0)
    start, stop = max(0, at - SNIPPET_BEFORE), min(len(text), end + SNIPPET_AFTER)
    if start and " " in text[start:at]:
        start += text[start:at].index(" ") + 1
    if stop < len(text) and " " in text[end:stop]:
        stop = end + text[end:stop].rindex(" ")
    return ("… " if start else "") + text[start:stop] + (" …" if stop < len(text) else "")
