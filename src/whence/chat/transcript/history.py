"""What was said: pages of a conversation, and what a window is cut from."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.transcript import rows
from whence.chat.transcript.tables import ChatMessage


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
