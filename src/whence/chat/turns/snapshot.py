"""A conversation as it is now: what a reader without a past is told before its events."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.proposals.notifications import as_they_stand
from whence.chat.transcript import history
from whence.chat.transcript.tables import ChatSession
from whence.chat.transcript.views import MessageAnswer, SessionAnswer
from whence.records.kind import Kinds

NEWEST = 50
"""Messages that a snapshot holds; older ones are read page by page."""
_SAID = text("SELECT whence.said_so_far(:session, :message, :last)")


async def said_so_far(
    session: AsyncSession, session_id: UUID, message_id: UUID, last_seq: int
) -> str:
    """The text of an answer that is not stored yet, as readers have it who have `last_seq`."""
    values = {"session": session_id, "message": message_id, "last": last_seq}
    return (await session.execute(_SAID, values)).scalar_one()


async def snapshot(
    session: AsyncSession, kinds: Kinds, kept: ChatSession, last_seq: int
) -> dict[str, Any]:
    """The session and its newest messages, oldest first, as JSON for the wire.

    An answer that is being written has its text up to `last_seq`: what comes after that is told.
    """
    rows = await history.page(session, kept.id, limit=NEWEST)
    shown = [MessageAnswer.model_validate(row) for row in reversed(rows)]
    whole = [
        each.model_copy(update={"content": await said_so_far(session, kept.id, each.id, last_seq)})
        if each.status == "streaming"
        else each
        for each in shown
    ]
    whole = await as_they_stand(session, kinds, kept.user_id, whole)
    document = SessionAnswer.model_validate(kept).model_dump(mode="json", by_alias=True)
    return document | {"messages": [each.model_dump(mode="json", by_alias=True) for each in whole]}
