"""Applies a change from the answer that proposed it; the conversation learns of refusals too."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.proposals import service as proposals
from whence.chat.proposals.follow_up import FollowUp
from whence.chat.proposals.views import Applied
from whence.chat.transcript import sessions
from whence.chat.transcript.event_types import ActionApplied
from whence.chat.transcript.tables import ChatMessage
from whence.db.database import Database
from whence.events import log
from whence.kernel.errors import NotFound, WhenceError
from whence.records.kind import Kinds
from whence.tenancy.principal import Principal


async def apply_action(
    db: Database,
    who: Principal,
    kinds: Kinds,
    message_id: UUID,
    index: int,
    reason: str | None = None,
    *,
    follow_up: FollowUp | None = None,
) -> Applied:
    """Apply the change with this index that an answer in one's own conversation proposed.

    Raises NotFound, and what `proposals.apply` raises.
    """
    async with db.unit(who.org_id) as session:
        message = await _own(session, who, message_id)
        if index >= len(message.actions):
            raise NotFound("This answer does not propose that change.")
        action = message.actions[index]
    try:
        async with db.unit(who.org_id) as session:
            return await proposals.apply(
                session, who, kinds, UUID(action["id"]), reason, follow_up=follow_up
            )
    except WhenceError as refusal:
        event = ActionApplied(
            message_id=message_id, action_index=index, success=False, error=refusal.message
        )
        async with db.unit(who.org_id) as session:
            await sessions.get(session, who, message.session_id, to_change=True)
            await log.append(session, message.session_id, event)
        raise


async def _own(session: AsyncSession, who: Principal, message_id: UUID) -> ChatMessage:
    query = select(ChatMessage).where(ChatMessage.id == message_id)
    message = (await session.scalars(query)).one_or_none()
    if message is None:
        raise NotFound("There is no such message.")
    await sessions.get(session, who, message.session_id)
    return message
