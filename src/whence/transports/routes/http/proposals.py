"""Proposed changes of a record: apply, undo or decline them; and the history of the record."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import Field

from whence.app.platform import Platform
from whence.chat.proposals import service as proposals
from whence.chat.proposals.views import Applied, ProposalAnswer, proposal_answer
from whence.kernel.clock import now
from whence.kernel.wire import Wire
from whence.records import store
from whence.records.history import HistoryEntry, history
from whence.records.kind import SubjectKind
from whence.tenancy.principal import Principal
from whence.transports.edge import paging as pages
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import DEFAULT_LIMIT, Cursor, Limit, PageOf
from whence.transports.routes.http.subjects import Reference

router = APIRouter(prefix="/api/proposals", tags=["proposals"])
ProposalId = Annotated[UUID, Path(alias="id")]


class Decision(Wire):
    """The reason for the decision; by default the proposal's own."""

    reason: Annotated[str, Field(max_length=proposals.MAX_REASON)] | None = None


@router.post("/{id}/apply")
async def apply_proposal(
    platform: CurrentPlatform, who: Writer, proposal_id: ProposalId, body: Decision | None = None
) -> Applied:
    """Apply the proposed change, once; a repeated call returns the same result."""
    async with platform.unit(who) as session:
        return await proposals.apply(
            session,
            who,
            platform.kinds,
            proposal_id,
            body.reason if body else None,
            follow_up=platform.follow_ups,
        )


@router.post("/{id}/undo")
async def undo_proposal(
    platform: CurrentPlatform, who: Writer, proposal_id: ProposalId, body: Decision | None = None
) -> Applied:
    """Restore the record's old values, unless it has changed again since."""
    async with platform.unit(who) as session:
        return await proposals.undo(
            session,
            who,
            platform.kinds,
            proposal_id,
            body.reason if body else None,
            follow_up=platform.follow_ups,
        )


@router.post("/{id}/decline")
async def decline_proposal(
    platform: CurrentPlatform, who: Writer, proposal_id: ProposalId
) -> ProposalAnswer:
    """Decline the proposal for good."""
    async with platform.unit(who) as session:
        row = await proposals.decline(session, who, proposal_id)
        return proposal_answer(row, row.subject_version, now(), who.user_id)


def record_routes(kind: SubjectKind) -> APIRouter:
    """The proposals and the history of a kind's records."""
    routes = APIRouter(prefix=f"/api/{kind.kind}/{{id}}", tags=[kind.kind])

    @routes.get("/proposals", name=f"proposals_of_{kind.kind}")
    async def listed(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> PageOf[ProposalAnswer]:
        """The proposals for the record, newest first."""
        return await _proposals(platform, who, kind, reference, cursor, limit)

    @routes.get("/audit", name=f"audit_of_{kind.kind}")
    async def audited(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> PageOf[HistoryEntry]:
        """The record's changes, with who made them and why; newest first."""
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            entries, after = await history(
                session, kind.kind, row.id, limit=limit, after=pages.RowCursor.read(cursor)
            )
        return PageOf(items=entries, next_cursor=after.written() if after else None)

    del listed, audited
    return routes


async def _proposals(
    platform: Platform,
    who: Principal,
    kind: SubjectKind,
    reference: str,
    cursor: str | None,
    limit: int,
) -> PageOf[ProposalAnswer]:
    async with platform.unit(who) as session:
        row = await store.resolve(session, kind, reference)
        listed, after = await proposals.of_record(
            session, kind.kind, row.id, limit=limit, after=pages.RowCursor.read(cursor)
        )
    at = now()
    return PageOf(
        items=[proposal_answer(one, row.version, at, who.user_id) for one in listed],
        next_cursor=after.written() if after else None,
    )
