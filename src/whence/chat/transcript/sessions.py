"""Conversations as their owner sees them: open, find, rename and delete.

A session belongs to one person of one organization.  For everybody else, including the
organization's owners, it does not exist.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete as delete_rows
from sqlalchemy import func, select, text, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.transcript import rows, search
from whence.chat.transcript.events import INTERRUPTED_NOTICE, announce_interrupted
from whence.chat.transcript.tables import ChatMessage, ChatSession
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, Invalid, NotFound
from whence.kernel.ids import new_id
from whence.tenancy.principal import SCOPES, Principal, Scope
from whence.wizards.store import erase_runs_of_conversation

TITLE_LIMIT = 200
"""Characters of a title, as many as a list can show."""
TITLE_FROM_MESSAGE = 60
"""Characters that a title takes from the first message: one line of a list."""
PAGE_LIMIT = 100
"""Sessions or messages that one page may hold."""

_END_INTERRUPTED = text(r"""
    WITH ended AS (
        UPDATE whence.chat_sessions SET turn_id = NULL, turn_lease = NULL
        WHERE id IN (
            SELECT id FROM whence.chat_sessions
            WHERE user_id = :user AND turn_lease < clock_timestamp()
                AND id = coalesce(CAST(:session AS uuid), id)
            FOR UPDATE SKIP LOCKED)
        RETURNING id)
    UPDATE whence.chat_messages m SET status = 'interrupted', completed_at = :at,
        meta = m.meta || CAST(:notice AS jsonb),
        -- What the numbers point at was known to the writer alone.
        content = coalesce(nullif(regexp_replace(btrim(
            whence.said_so_far(m.session_id, m.id, 9223372036854775807)
        ), '\s*\[\d+\]', '', 'g'), ''), m.content)
    FROM ended WHERE m.session_id = ended.id AND m.status = 'streaming' RETURNING m.id, m.content
""")


class MayNotTalk(Forbidden):
    """This token is read-only; a conversation needs the scope `write`, or a sign-in."""


def may_talk(who: Principal) -> None:
    """Raise Forbidden if `who` may not read, MayNotTalk for a token with less than its role.

    A viewer may ask questions: a conversation changes no record.  A read-only token may read
    conversations, but not continue or delete them.  An agent cannot hold conversations.
    """
    who.require_person()
    who.require(Scope.READ)
    if Scope.WRITE in SCOPES[who.role] - who.scopes:
        raise MayNotTalk


async def open_session(
    session: AsyncSession,
    who: Principal,
    kind: str | None,
    subject_id: UUID | None,
    page: Mapping[str, Any] | None = None,
) -> ChatSession:
    """Start a conversation about a record, or (both None) on a page.  Raises MayNotTalk.

    The caller has checked that the record exists.
    """
    may_talk(who)
    at = now()
    row = ChatSession(
        id=new_id(),
        user_id=who.user_id,
        kind=kind,
        subject_id=subject_id,
        page=dict(page or {}),
        created_at=at,
        updated_at=at,
    )
    session.add(row)
    await session.flush()
    return row


async def latest_session(
    session: AsyncSession, who: Principal, kind: str, subject_id: UUID
) -> ChatSession | None:
    """The conversation about a record that was used last, or None."""
    newest = await list_sessions(session, who, kind=kind, subject_id=subject_id, limit=1)
    return newest[0] if newest else None


async def list_sessions(
    session: AsyncSession,
    who: Principal,
    *,
    kind: str | None = None,
    subject_id: UUID | None = None,
    on_pages: bool = False,
    before: tuple[datetime, UUID] | None = None,
    limit: int = 50,
) -> list[ChatSession]:
    """One's own conversations (about one record, or only on pages), the last used first.

    `before` is (`updated_at`, id) of the last row of the page before.
    """
    await end_interrupted(session, who)
    row = ChatSession
    query = select(row).where(row.user_id == who.user_id, row.deleted_at.is_(None))
    if kind is not None:
        query = query.where(row.kind == kind, row.subject_id == subject_id)
    if on_pages:
        query = query.where(row.kind.is_(None))
    if before is not None:
        query = query.where(tuple_(row.updated_at, row.id) < before)
    newest = query.order_by(row.updated_at.desc(), row.id.desc()).limit(limit)
    return list(await session.scalars(newest.execution_options(populate_existing=True)))


async def get(
    session: AsyncSession, who: Principal, session_id: UUID, *, to_change: bool = False
) -> ChatSession:
    """One's own conversation; `to_change` locks it until the transaction ends.  Raises NotFound.

    An answer whose writer has been silent for longer than its lease is ended as `interrupted`.
    Without `to_change` the result is a copy.
    """
    if not to_change:
        copy = await rows.read_session(session, session_id, who.user_id)
        if copy is not None and not copy[1]:
            return copy[0]
    row = ChatSession
    query = select(row, row.turn_lease < func.clock_timestamp()).where(
        row.id == session_id, row.user_id == who.user_id, row.deleted_at.is_(None)
    )
    if to_change:
        query = query.with_for_update(of=row)
    row_and_lease = (
        await session.execute(query.execution_options(populate_existing=True))
    ).one_or_none()
    if row_and_lease is None:
        raise NotFound("There is no such conversation.")
    chat_session, lease_expired = row_and_lease
    if lease_expired:
        await end_interrupted(session, who, session_id)
        await session.refresh(chat_session)
    return chat_session


async def end_interrupted(
    session: AsyncSession, who: Principal, session_id: UUID | None = None
) -> list[UUID]:
    """End one's own answers whose lease expired, with the text they have; return their ids.

    Readers of the conversation get a notice with an offer to retry.
    """
    notice = json.dumps({"notice": {"text": INTERRUPTED_NOTICE, "retry": True}})
    values = {"user": who.user_id, "session": session_id, "at": now(), "notice": notice}
    contents = dict((await session.execute(_END_INTERRUPTED, values)).tuples().all())
    await search.put(session, who.user_id, contents)
    await announce_interrupted(session, contents)
    return list(contents)


async def rename(
    session: AsyncSession, who: Principal, session_id: UUID, title: str
) -> ChatSession:
    """Give a conversation a title of 1 to `TITLE_LIMIT` characters.  Raises Invalid, NotFound."""
    may_talk(who)
    words = " ".join(title.split())
    if not 0 < len(words) <= TITLE_LIMIT:
        raise Invalid(f"A title must have 1 to {TITLE_LIMIT} characters.")
    row = await get(session, who, session_id, to_change=True)
    row.title = words
    await session.flush()
    return row


async def delete(session: AsyncSession, who: Principal, session_id: UUID) -> None:
    """Delete a conversation with all its text and the wizard answers given in it.

    A running turn becomes stale.  Applied changes stay in the record and the audit log.  Raises
    NotFound.
    """
    may_talk(who)
    row = await get(session, who, session_id, to_change=True)
    await search.remove(session, sessions=[session_id])
    await session.execute(delete_rows(ChatMessage).where(ChatMessage.session_id == session_id))
    await erase_runs_of_conversation(session, session_id)
    await session.execute(
        update(ChatSession)
        .where(ChatSession.id == row.id)
        .values(deleted_at=now(), title="", page={}, message_count=0, turn_id=None, turn_lease=None)
    )


def title_of(content: str) -> str:
    """The first words of a message, as a title."""
    words = " ".join(content.split())
    if len(words) <= TITLE_FROM_MESSAGE:
        return words
    cut = words[: TITLE_FROM_MESSAGE - 2]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut) + " …"
