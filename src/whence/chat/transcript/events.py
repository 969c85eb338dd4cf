"""Events for the readers of a conversation, in the transaction that changes a message."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.transcript.event_types import (
    AnswerStarted,
    ChatError,
    ChatEvent,
    MessageEvent,
    TurnEnded,
)
from whence.chat.transcript.tables import ChatMessage
from whence.chat.transcript.views import FinalStatus
from whence.db.database import Database
from whence.events import log

MAX_EVENTS = 1000
"""The newest events of a conversation that are kept; a reader further behind gets a snapshot."""
INTERRUPTED_NOTICE = "The program stopped while answering. Try again?"
_PRUNE = """
    DELETE FROM whence.events WHERE stream_id = %(stream)s AND seq <= %(last)s
    AND (type = 'token' OR seq <= %(last)s - %(kept)s)
"""


async def announce(session: AsyncSession, *messages: ChatMessage) -> list[log.Event]:
    """Announce one conversation's messages as they are now; the events for `EventBus.wrote`."""
    return await log.append_all(
        session, messages[0].session_id, [_announcement(each) for each in messages]
    )


async def announce_end(
    session: AsyncSession, message: ChatMessage, status: FinalStatus, *before: ChatEvent
) -> list[log.Event]:
    """Announce the complete answer and the end of its turn, after the events `before`."""
    assert message.turn_id is not None  # every answer is made by a turn
    end_event = TurnEnded(turn_id=message.turn_id, message_id=message.id, status=status)
    return await log.append_all(
        session, message.session_id, [*before, MessageEvent.model_validate(message), end_event]
    )


async def announce_interrupted(session: AsyncSession, ids: Collection[UUID]) -> None:
    """Announce answers whose writers have disappeared."""
    if not ids:
        return
    query = select(ChatMessage).where(ChatMessage.id.in_(ids))
    messages = await session.scalars(query.execution_options(populate_existing=True))
    for message in list(messages):
        error = ChatError(message_id=message.id, error="Interrupted", message=INTERRUPTED_NOTICE)
        await announce_end(session, message, "interrupted", error)


async def prune_tokens(db: Database, org_id: UUID, session_id: UUID, last: int) -> None:
    """Remove tokens up to `last`, whose messages are stored, and very old events."""
    values = {"stream": session_id, "last": last, "kept": MAX_EVENTS}
    await db.together(org_id, (_PRUNE, values))


def _announcement(message: ChatMessage) -> MessageEvent | AnswerStarted:
    """A stored message; for an answer that is still empty, that it begins."""
    if message.status != "streaming":
        return MessageEvent.model_validate(message)
    return AnswerStarted.model_validate(
        {
            "message_id": message.id,
            "reply_to": message.reply_to,
            "turn_id": message.turn_id,
            "ordinal": message.ordinal,
        }
    )
