"""The audit log: who changed what, when, from which value to which; only for owners."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse
from pydantic import AwareDatetime

from whence.kernel.wire import Wire
from whence.records import audit_log
from whence.records.audit_log import AuditEntry, AuditFilter
from whence.transports.edge.access import Owner
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import Cursor, Limit, PageOf, RowCursor, page_of

router = APIRouter(prefix="/api/audit", tags=["audit"])
Word = Annotated[str | None, Query(max_length=100)]


class AuditNameAnswer(Wire):
    """An action on a kind that the log has, and how often."""

    kind: str
    action: str
    count: int


async def filters(
    user_id: Annotated[UUID | None, Query(alias="userId")] = None,
    kind: Word = None,
    action: Word = None,
    subject_id: Annotated[UUID | None, Query(alias="subjectId")] = None,
    since: Annotated[AwareDatetime | None, Query(alias="from")] = None,
    until: Annotated[AwareDatetime | None, Query(alias="to")] = None,
) -> AuditFilter:
    """The filters of a request; `to` itself is not included."""
    return AuditFilter(user_id, kind, action, subject_id, since, until)


Filters = Annotated[AuditFilter, Depends(filters)]


@router.get("")
async def list_entries(
    platform: CurrentPlatform,
    who: Owner,
    wanted: Filters,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> PageOf[AuditEntry]:
    """The organization's audit log, newest first."""
    before = RowCursor.read(cursor)
    async with platform.unit(who) as session:
        rows = await audit_log.entries(session, who, wanted, limit=limit + 1, before=before)
        rows = await audit_log.titled(session, platform.kinds.values(), rows)
    return page_of(rows, limit, lambda row: row, lambda row: RowCursor(row.at, row.id).written())


@router.get("/names")
async def list_names(platform: CurrentPlatform, who: Owner) -> list[AuditNameAnswer]:
    """The kinds and actions that the log has, for its filters."""
    async with platform.unit(who) as session:
        rows = await audit_log.names(session, who)
    return [AuditNameAnswer.model_validate(row) for row in rows]


@router.get("/export", response_class=StreamingResponse)
async def export(platform: CurrentPlatform, who: Owner, wanted: Filters) -> StreamingResponse:
    """The filtered log as CSV, newest first, at most 50,000 lines."""
    lines: AsyncGenerator[str] = audit_log.exported(platform.db, who, wanted)
    headers = {"Content-Disposition": 'attachment; filename="audit-log.csv"'}
    return StreamingResponse(lines, media_type="text/csv; charset=utf-8", headers=headers)
