"""What every turn reads and writes in its conversation, directly through the driver.

The rows returned here are copies: changing one has no effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.transcript.tables import ChatMessage, ChatSession
from whence.chat.transcript.views import Answer, FinalStatus
from whence.db import statements
from whence.kernel.clock import now

_COLUMNS = (
    *("org_id", "id", "session_id", "ordinal", "role", "content", "client_message_id", "turn_id"),
    *("reply_to", "superseded_by", "status", "intent", "method", "citations", "tool_calls"),
    *("actions", "meta", "created_at", "completed_at"),
)
_OF_SESSION = (
    *("org_id", "id", "user_id", "kind", "subject_id", "page", "title", "created_at"),
    *("updated_at", "deleted_at", "message_count", "turn_id", "turn_lease"),
)
_SESSION = """
    SELECT org_id, id, user_id, kind, subject_id, page, title, created_at, updated_at, deleted_at,
        message_count, turn_id, turn_lease, turn_lease < clock_timestamp()
    FROM whence.chat_sessions
    WHERE id = %(session)s AND user_id = %(user)s AND deleted_at IS NULL
"""
_CURRENT_MESSAGES = """
    SELECT org_id, id, session_id, ordinal, role, content, client_message_id, turn_id, reply_to,
        superseded_by, status, intent, method, citations, tool_calls, actions, meta, created_at,
        completed_at
    FROM whence.chat_messages
    WHERE session_id = %(session)s AND ordinal < %(before)s AND superseded_by IS NULL
        AND NOT meta ? 'wizardInput' AND intent IS DISTINCT FROM 'wizard'
    ORDER BY ordinal DESC LIMIT %(most)s
"""
_LOCK = """
    SELECT message_count, title, turn_id, turn_lease < clock_timestamp() FROM whence.chat_sessions
    WHERE id = %(session)s AND user_id = %(user)s AND deleted_at IS NULL FOR UPDATE
"""
_WAS_SENT = """
    SELECT 1 FROM whence.chat_messages
    WHERE session_id = %(session)s AND role = 'user' AND client_message_id = %(client)s
"""
_BEGIN = """
    WITH said AS (INSERT INTO whence.chat_messages (org_id, id, session_id, ordinal, role, content,
        client_message_id, turn_id, reply_to, status, meta, created_at, completed_at)
    VALUES (whence.current_org(), %(user)s, %(session)s, %(ordinal)s, 'user', %(content)s,
            %(client)s, %(turn)s, NULL, 'complete', %(meta)s, %(at)s, %(at)s),
        (whence.current_org(), %(answer)s, %(session)s, %(ordinal)s + 1, 'assistant', '',
            NULL, %(turn)s, %(user)s, 'streaming', '{}', %(answered_at)s, NULL))
    UPDATE whence.chat_sessions SET turn_id = %(turn)s, updated_at = %(at)s, title = %(title)s,
        turn_lease = clock_timestamp() + make_interval(secs => %(lease)s),
        message_count = message_count + 2
    WHERE id = %(session)s
"""
_RENEW = """
    UPDATE whence.chat_sessions
    SET turn_lease = clock_timestamp() + make_interval(secs => %(lease)s)
    WHERE id = %(session)s AND turn_id = %(turn)s RETURNING id
"""
_END = """
    WITH freed AS (
        UPDATE whence.chat_sessions SET turn_id = NULL, turn_lease = NULL, updated_at = %(at)s
        WHERE id = %(session)s AND turn_id = %(turn)s RETURNING id, user_id
    )
    UPDATE whence.chat_messages SET content = %(content)s, intent = %(intent)s, method = %(method)s,
        citations = %(citations)s, tool_calls = %(tool_calls)s, actions = %(actions)s,
        meta = %(meta)s, status = %(status)s, completed_at = %(at)s
    FROM freed
    WHERE session_id = freed.id AND turn_id = %(turn)s AND status = 'streaming'
    RETURNING org_id, chat_messages.id, session_id, ordinal, role, content, client_message_id,
        turn_id, reply_to, superseded_by, status, intent, method, citations, tool_calls, actions,
        meta, created_at, completed_at, freed.user_id
"""


@dataclass(frozen=True)
class LockedSession:
    """A conversation whose row is locked until the end of the transaction."""

    message_count: int
    title: str
    turn_id: UUID | None
    lease_expired: bool
    """Whether the turn's writer has been silent for longer than its lease."""


async def read_session(
    session: AsyncSession, session_id: UUID, user_id: UUID
) -> tuple[ChatSession, bool] | None:
    """A copy of a person's own conversation, and whether its turn's lease has expired."""
    row = await statements.row(session, _SESSION, {"session": session_id, "user": user_id})
    if row is None:
        return None
    *columns, lease_expired = row
    return ChatSession(**dict(zip(_OF_SESSION, columns, strict=True))), bool(lease_expired)


async def current_messages(
    session: AsyncSession, session_id: UUID, *, before: int, limit: int
) -> list[ChatMessage]:
    """The last messages with an ordinal below `before`, oldest first, without superseded ones."""
    values = {"session": session_id, "before": before, "most": limit}
    return [
        _message(row) for row in reversed(await statements.rows(session, _CURRENT_MESSAGES, values))
    ]


async def lock_session(
    session: AsyncSession, session_id: UUID, user_id: UUID
) -> LockedSession | None:
    """A person's own conversation, locked; None if there is none."""
    row = await statements.row(session, _LOCK, {"session": session_id, "user": user_id})
    return LockedSession(*row[:3], lease_expired=bool(row[3])) if row else None


async def was_sent(session: AsyncSession, session_id: UUID, client_message_id: str) -> bool:
    """Whether a message was sent under this id.

    Call it with the conversation locked, so that earlier sends are visible.
    """
    values = {"session": session_id, "client": client_message_id}
    return bool(await statements.rows(session, _WAS_SENT, values))


async def begin(
    session: AsyncSession, user: ChatMessage, answer: ChatMessage, title: str, lease_seconds: float
) -> None:
    """Write a message and its answer, and make their turn the locked conversation's."""
    values = {
        "session": user.session_id,
        "user": user.id,
        "answer": answer.id,
        "ordinal": user.ordinal,
        "content": user.content,
        "client": user.client_message_id,
        "turn": user.turn_id,
        "meta": user.meta,
        "at": user.created_at,
        "answered_at": answer.created_at,
        "title": title,
        "lease": lease_seconds,
    }
    await statements.rows(session, _BEGIN, values)


async def renew(
    session: AsyncSession, session_id: UUID, turn_id: UUID, lease_seconds: float
) -> bool:
    """Renew a turn's lease; False if the turn has ended."""
    values = {"session": session_id, "turn": turn_id, "lease": lease_seconds}
    return bool(await statements.rows(session, _RENEW, values))


async def end(
    session: AsyncSession, session_id: UUID, turn_id: UUID, answer: Answer, status: FinalStatus
) -> tuple[ChatMessage, UUID] | None:
    """Write a turn's answer and free the conversation: the message, and whose conversation it is.

    None if the turn has ended already.
    """
    place = {"session": session_id, "turn": turn_id, "at": now(), "status": status}
    columns = {
        name: statements.as_json(value) if isinstance(value, list | dict) else value
        for name, value in answer.columns().items()
    }
    row = await statements.row(session, _END, place | columns)
    return (_message(row[:-1]), row[-1]) if row else None


def new(
    session_id: UUID, ordinal: int, role: str, status: str, at: datetime, **more: Any
) -> ChatMessage:
    """A new message with all columns filled in."""
    empty: dict[str, Any] = dict.fromkeys(_COLUMNS) | {"content": "", "meta": {}}
    lists: dict[str, Any] = {"citations": [], "tool_calls": [], "actions": []}
    given_fields = {"session_id": session_id, "ordinal": ordinal, "role": role, "status": status}
    return ChatMessage(**(empty | lists | given_fields | {"created_at": at} | more))


def _message(row: Sequence[Any]) -> ChatMessage:
    return ChatMessage(**dict(zip(_COLUMNS, row, strict=True)))
