"""What an import changed, record by record and field by field, and how it is undone."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import quote, unquote
from uuid import UUID

from fastapi import APIRouter, Query, Response

from whence.kernel.paging import BadCursor, read_cursor, write_cursor
from whence.kernel.wire import Wire
from whence.records.imports import reports
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes.import_view import StoredImportAnswer, stored_import

router = APIRouter(prefix="/api/imports", tags=["imports"])
PAGE_LIMIT = 100


class FieldChangeAnswer(Wire):
    """A field's value before the import and after it."""

    field: str
    before: Any
    after: Any


class UndoneAnswer(Wire):
    """What an undo did with a record."""

    result: Literal["deleted", "restored", "kept"]
    fields: list[str]
    """The fields that stay, as they were changed after the import."""
    reason: str | None


class RecordChangeAnswer(Wire):
    """A record that the import added or updated."""

    external_id: str
    record_id: UUID
    line: int
    outcome: Literal["added", "updated"]
    fields: list[FieldChangeAnswer]
    """The changed fields; empty for a record that was added."""
    undone: UndoneAnswer | None


class ChangePage(Wire):
    """Changed records in the order of the file."""

    items: list[RecordChangeAnswer]
    next_cursor: str | None


@router.get("/{importId}/changes")
async def list_changes(
    importId: UUID,  # noqa: N803
    platform: CurrentPlatform,
    who: Reader,
    cursor: str | None = None,
    limit: Annotated[int, Query(ge=1, le=PAGE_LIMIT)] = 50,
) -> ChangePage:
    """The records that the import wrote, with every changed field."""
    after = _read(cursor) if cursor else (0, "")
    async with platform.unit(who) as session:
        await reports.get_import(session, importId)
        rows = await reports.changes(session, importId, most=limit + 1, after=after)
    items = [RecordChangeAnswer.model_validate(row) for row in rows[:limit]]
    last = rows[limit - 1] if len(rows) > limit else None
    next_cursor = write_cursor(last.line, quote(last.external_id, safe="")) if last else None
    return ChangePage(items=items, next_cursor=next_cursor)


class WarningAnswer(Wire):
    """Something about a row that was written: what was left out, or read in a doubtful way."""

    line: int
    warning: str


class WarningPage(Wire):
    """Warnings in the order of the file."""

    items: list[WarningAnswer]
    next_cursor: int | None


@router.get("/{importId}/warnings")
async def list_warnings(
    importId: UUID,  # noqa: N803
    platform: CurrentPlatform,
    who: Reader,
    cursor: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE_LIMIT)] = 50,
) -> WarningPage:
    """The warnings, page by page."""
    async with platform.unit(who) as session:
        await reports.get_import(session, importId)
        rows = await reports.problems(
            session, importId, refused=False, most=limit + 1, after=cursor
        )
    items = [WarningAnswer(line=row.line, warning=row.reason) for row in rows[:limit]]
    return WarningPage(
        items=items, next_cursor=rows[limit - 1].ordinal if len(rows) > limit else None
    )


UNDOING: dict[int | str, dict[str, Any]] = {
    202: {"model": StoredImportAnswer, "description": "A worker undoes it"}
}


@router.post("/{importId}/undo", responses=UNDOING)
async def undo_import(
    importId: UUID,  # noqa: N803
    platform: CurrentPlatform,
    who: Writer,
    response: Response,
) -> StoredImportAnswer:
    """Let a worker undo a finished import: delete what it added, set back what it changed.

    202: `undo` of the import shows how far it is; `POST …/cancel` stops it before its next batch.
    Records and fields that were changed since stay as they are; `GET …/changes` names them.
    Calling it again goes on with what is left; a finished undo is unchanged (200).
    """
    async with platform.unit(who) as session:
        stored = await platform.import_undo.request(session, who, importId)
    response.status_code = 200 if stored.undone_at else 202
    return stored_import(stored)


def _read(cursor: str) -> tuple[int, str]:
    line, external_id = read_cursor(cursor, 2)
    if not line.isascii() or not line.isdigit():
        raise BadCursor
    return int(line), unquote(external_id)
