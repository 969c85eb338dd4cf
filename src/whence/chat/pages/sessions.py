"""Conversations that are held from page to page, and about no one record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from whence.chat.transcript import sessions
from whence.chat.transcript.tables import ChatMessage, ChatSession
from whence.kernel.clock import now
from whence.kernel.errors import NotFound
from whence.tenancy.principal import Principal

_SESSION_NAMESPACE = UUID("0e4b7a52-4f53-4b8e-9a57-6f7d1b8f6c11")
"""The name space of conversations that a first message begins."""


class NoSuchTurn(NotFound):
    """There is no such turn; its conversation may be deleted."""


@dataclass(frozen=True)
class PageTurn:
    """One turn of one's own conversation about pages: the message and its answer."""

    chat_session: ChatSession
    user: ChatMessage
    answer: ChatMessage


def session_id_for(who: Principal, client_message_id: str) -> UUID:
    """The conversation that a first message begins: sent again, it finds the same one."""
    return uuid5(_SESSION_NAMESPACE, f"{who.org_id}:{who.user_id}:{client_message_id}")


async def ensure(
    session: AsyncSession, who: Principal, session_id: UUID, context: Mapping[str, Any]
) -> None:
    """Begin the conversation that a first message begins, unless it is there already."""
    sessions.may_talk(who)
    at = now()
    row = {
        "id": session_id,
        "user_id": who.user_id,
        "page": dict(context),
        "created_at": at,
        "updated_at": at,
    }
    await session.execute(insert(ChatSession).values(row).on_conflict_do_nothing())


async def get(session: AsyncSession, who: Principal, session_id: UUID) -> ChatSession:
    """One's own conversation about pages; raises NotFound, also for one about a record."""
    chat_session = await sessions.get(session, who, session_id)
    if chat_session.kind is not None:
        raise NotFound("There is no such conversation.")
    return chat_session


async def set_page(session: AsyncSession, session_id: UUID, context: Mapping[str, Any]) -> None:
    """The person is on this page now."""
    statement = update(ChatSession).where(ChatSession.id == session_id).values(page=dict(context))
    await session.execute(statement, execution_options={"synchronize_session": False})


async def of_turn(session: AsyncSession, who: Principal, turn_id: UUID) -> ChatSession:
    """One's own conversation that a turn is of; raises NoSuchTurn, also for others' and a record's.

    An answer whose writer has gone is ended first, as by everybody who looks.
    """
    row = ChatMessage
    query = select(row.session_id).where(row.turn_id == turn_id, row.role == "assistant")
    session_id = await session.scalar(query)
    if session_id is None:
        raise NoSuchTurn
    try:
        return await get(session, who, session_id)
    except NotFound as error:
        # In the same words for a colleague's turn as for one that there is not.
        raise NoSuchTurn from error


async def turn(session: AsyncSession, chat_session: ChatSession, turn_id: UUID) -> PageTurn:
    """A turn of a conversation as it is now; raises NotFound."""
    answer, user = aliased(ChatMessage), aliased(ChatMessage)
    query = (
        select(answer, user)
        .join(user, (user.org_id == answer.org_id) & (user.id == answer.reply_to))
        .where(
            answer.session_id == chat_session.id,
            answer.turn_id == turn_id,
            answer.role == "assistant",
        )
    )
    fresh = query.execution_options(populate_existing=True)
    messages = (await session.execute(fresh)).one_or_none()
    if messages is None:
        raise NoSuchTurn
    return PageTurn(chat_session, messages[1], messages[0])


async def last_turn_id(session: AsyncSession, who: Principal, session_id: UUID) -> UUID | None:
    """The turn that was begun last, None where nothing was said yet.  Raises NotFound."""
    await get(session, who, session_id)
    row = ChatMessage
    query = select(row.turn_id).where(row.session_id == session_id, row.role == "assistant")
    return await session.scalar(query.order_by(row.ordinal.desc()).limit(1))
