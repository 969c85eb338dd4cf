"""A conversation as it is now: what a new reader gets before the events."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.proposals.notifications import with_current_status
from whence.chat.transcript import history
from whence.chat.transcript.tables import ChatSession
from whence.chat.transcript.views import MessageAnswer, SessionAnswer
from whence.records.kind import Kinds

NEWEST = 50
"""Messages in a snapshot; older ones are read page by page."""
_ANSWER_SO_FAR = text("SELECT whence.said_so_far(:session, :message, :last)")


async def answer_so_far(
    session: AsyncSession, session_id: UUID, message_id: UUID, last_seq: int
) -> str:
    """The text of an answer in progress, up to the event `last_seq`."""
    values = {"session": session_id, "message": message_id, "last": last_seq}
    return (await session.execute(_ANSWER_SO_FAR, values)).scalar_one()


async def snapshot(
    session: AsyncSession, kinds: Kinds, chat_session: ChatSession, last_seq: int
) -> dict[str, Any]:
    """The session and its newest messages, oldest first, as JSON for the wire.

    An answer in progress has its text up to `last_seq`; the rest follows as events.
    """
    rows = await history.page(session, chat_session.id, limit=NEWEST)
    messages = [MessageAnswer.model_validate(row) for row in reversed(rows)]
    complete = [
        each.model_copy(
            update={"content": await answer_so_far(session, chat_session.id, each.id, last_seq)}
        )
        if each.status == "streaming"
        else each
        for each in messages
    ]
    complete = await with_current_status(session, kinds, chat_session.user_id, complete)
    document = SessionAnswer.model_validate(chat_session).model_dump(mode="json", by_alias=True)
    return document | {
        "messages": [each.model_dump(mode="json", by_alias=True) for each in complete]
    }
