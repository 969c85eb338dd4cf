"""Conversations on pages, which are not about a single record."""

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
"""The UUID namespace for conversations that a first message starts."""


class NoSuchTurn(NotFound):
    """There is no such turn; its conversation may have been deleted."""


@dataclass(frozen=True)
class PageTurn:
    """One turn of one's own conversation about pages: the message and its answer."""

    chat_session: ChatSession
    user: ChatMessage
    answer: ChatMessage


def session_id_for(who: Principal, client_message_id: str) -> UUID:
    """The id of the conversation that a first message starts; sent again, it finds the same one."""
    return uuid5(_SESSION_NAMESPACE, f"{who.org_id}:{who.user_id}:{client_message_id}")


async def ensure(
    session: AsyncSession, who: Principal, session_id: UUID, context: Mapping[str, Any]
) -> None:
    """Create the conversation of a first message unless it exists already."""
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
    """One's own conversation on pages; raises NotFound, also for one about a record."""
    chat_session = await sessions.get(session, who, session_id)
    if chat_session.kind is not None:
        raise NotFound("There is no such conversation.")
    return chat_session


async def set_page(session: AsyncSession, session_id: UUID, context: Mapping[str, Any]) -> None:
    """Store that the person is on this page now."""
    statement = update(ChatSession).where(ChatSession.id == session_id).values(page=dict(context))
    await session.execute(statement, execution_options={"synchronize_session": False})


async def of_turn(session: AsyncSession, who: Principal, turn_id: UUID) -> ChatSession:
    """One's own conversation of this turn; raises NoSuchTurn, also for other people's turns and
    those of a conversation about a record.

    An answer whose writer has disappeared is ended first, as on every read.
    """
    row = ChatMessage
    query = select(row.session_id).where(row.turn_id == turn_id, row.role == "assistant")
    session_id = await session.scalar(query)
    if session_id is None:
        raise NoSuchTurn
    try:
        return await get(session, who, session_id)
    except NotFound as error:
        # The same error for a colleague's turn as for one that does not exist.
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
    """The last turn, None if there is none yet.  Raises NotFound."""
    await get(session, who, session_id)
    row = ChatMessage
    query = select(row.turn_id).where(row.session_id == session_id, row.role == "assistant")
    return await session.scalar(query.order_by(row.ordinal.desc()).limit(1))
