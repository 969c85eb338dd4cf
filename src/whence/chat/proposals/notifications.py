"""Updates a conversation about the changes it proposed: when decided, and when read again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.proposals.tables import ProposalRow
from whence.chat.proposals.views import action_of, changes_of
from whence.chat.transcript.event_types import ActionApplied
from whence.chat.transcript.tables import ChatMessage, ChatSession
from whence.chat.transcript.views import MessageAnswer
from whence.events import log
from whence.kernel.clock import now
from whence.records.kind import Kinds


async def notify_conversation(session: AsyncSession, proposal: ProposalRow) -> None:
    """Notify the conversation a proposal comes from of the decision on it.

    Runs in the transaction of the decision, so it happens once, however the decision was made.  A
    conversation that was deleted gets no notification.
    """
    if proposal.chat_session_id is None or proposal.message_id is None:
        return
    conversation = select(ChatSession.id).where(
        ChatSession.id == proposal.chat_session_id, ChatSession.deleted_at.is_(None)
    )
    if (await session.scalars(conversation.with_for_update(read=True))).one_or_none() is None:
        return
    stored = select(ChatMessage.actions).where(ChatMessage.id == proposal.message_id)
    actions = (await session.scalars(stored)).one_or_none() or []
    # The answer may still be in progress when its proposal is applied.
    ids = [action.get("id") for action in actions] + [str(proposal.id)]
    event = ActionApplied.model_validate(
        {
            "message_id": proposal.message_id,
            "action_index": ids.index(str(proposal.id)),
            "success": True,
            "status": proposal.status,
            "field": ", ".join(change.field for change in changes_of(proposal)),
        }
    )
    await log.append(session, proposal.chat_session_id, event)


async def with_current_status(
    session: AsyncSession, kinds: Kinds, reader: UUID, messages: Sequence[MessageAnswer]
) -> list[MessageAnswer]:
    """The messages, with the current status of each proposed change."""
    ids = {UUID(action["id"]) for each in messages for action in each.actions}
    if not ids:
        return list(messages)
    rows = list(await session.scalars(select(ProposalRow).where(ProposalRow.id.in_(ids))))
    versions = await versions_of(session, kinds, rows)
    at = now()
    actions = {
        str(row.id): action_of(row, versions.get(row.subject_id), at, reader) for row in rows
    }
    return [
        each.model_copy(
            update={"actions": [{**a, **actions.get(a["id"], {})} for a in each.actions]}
        )
        for each in messages
    ]


async def versions_of(
    session: AsyncSession, kinds: Kinds, proposals: Sequence[ProposalRow]
) -> dict[UUID, int]:
    """The records' versions by id; a deleted record has none."""
    of_kind: defaultdict[str, set[UUID]] = defaultdict(set)
    for proposal in proposals:
        of_kind[proposal.kind].add(proposal.subject_id)
    versions: dict[UUID, int] = {}
    for name, ids in of_kind.items():
        if kind := kinds.get(name):
            row = kind.row
            query = select(row.id, row.version).where(row.id.in_(ids), row.deleted_at.is_(None))
            versions |= {
                record_row.id: record_row.version for record_row in await session.execute(query)
            }
    return versions
