"""The proposals that wait for one person's decision."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.proposals.notifications import versions_of
from whence.chat.proposals.tables import ProposalRow
from whence.chat.proposals.views import ProposalAnswer, proposal_answer
from whence.records.kind import Kinds
from whence.tenancy.principal import Principal


async def waiting_for(
    session: AsyncSession, kinds: Kinds, who: Principal, at: datetime, limit: int
) -> list[ProposalAnswer]:
    """Proposals offered to this person and not decided, the oldest first, at most `limit`.

    Those that expired, and those of records that were deleted, are left out.
    """
    row = ProposalRow
    is_open = (row.user_id == who.user_id, row.status == "proposed", row.expires_at > at)
    query = select(row).where(*is_open).order_by(row.created_at, row.id).limit(limit)
    rows = list(await session.scalars(query))
    versions = await versions_of(session, kinds, rows)
    return [
        proposal_answer(each, versions[each.subject_id], at, who.user_id)
        for each in rows
        if each.subject_id in versions
    ]
