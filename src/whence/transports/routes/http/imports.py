"""Imports over HTTP: a file as the body, and the stored report of every import."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from whence.kernel.wire import Wire
from whence.records.imports import reports
from whence.records.imports.background import plain_name
from whence.records.imports.drafts import keep_draft
from whence.records.imports.importer import ImportContext
from whence.records.imports.running import import_file
from whence.records.imports.workplace import workplace
from whence.records.tabular.table import may_be_workbook
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.bodies import NotTheFileItself
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes.import_view import StoredImportAnswer, stored_import
from whence.transports.routes.job_view import STOPPING

router = APIRouter(prefix="/api/imports", tags=["imports"])
_BODY = {"requestBody": {"required": True, "content": {"application/octet-stream": {}}}}
PAGE_LIMIT = 100
WORKBOOKS_AT_ONCE = 2
"""Each workbook is held in memory, up to a few hundred megabytes."""
_CSV: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/csv": {}}, "description": "Line, field, value and reason"}
}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a cell that a spreadsheet would evaluate."""

ClearEmpty = Annotated[
    bool,
    Query(description="An empty cell clears its field; otherwise the record keeps its value"),
]

Start = Annotated[bool, Query(description="Whether the import begins at once, without a preview")]


class RefusalAnswer(Wire):
    """A refused row, with the reason."""

    line: int
    field: str | None
    value: str
    reason: str


class ImportAnswer(Wire):
    """The result of an import; `mapping` shows which column was read as which field."""

    id: UUID
    added: int
    updated: int
    unchanged: int
    repeated: int
    """Rows that exactly repeat an earlier row of the file, its id included."""
    refused: list[RefusalAnswer]
    refused_count: int
    warnings: list[str]
    mapping: Mapping[str, str] = Field(default_factory=dict)
    ignored: list[str]
    encoding: str | None
    """The encoding that the file was read in, such as `utf-8` or `cp1252` (Windows-1252)."""


class SubmittedImport(Wire):
    """An import that waits for a worker, or, with `start=false`, for its start."""

    id: UUID
    created: bool
    """False if an import of this file was already in progress; this is its id."""


class ImportPage(Wire):
    """Imports, newest first."""

    items: list[StoredImportAnswer]
    next_cursor: UUID | None


class RefusalPage(Wire):
    """Refused rows in the order of the file."""

    items: list[RefusalAnswer]
    next_cursor: int | None


@router.post("/{name}", openapi_extra=_BODY)
async def import_upload(
    name: str,
    platform: CurrentPlatform,
    who: Writer,
    request: Request,
    filename: Annotated[str, Query(max_length=255, description="Its ending tells the format")],
    clearEmpty: ClearEmpty = False,  # noqa: N803
) -> ImportAnswer:
    """Import a file; `name` is `<pack>.<importer>`, the body is the file itself."""
    importer = platform.importer(name)
    if request.headers.get("content-type", "").startswith("multipart/"):
        raise NotTheFileItself
    content = await request.body()
    context = ImportContext(who, platform.db, platform.settings, clear_empty=clearEmpty)
    with workplace(platform.files.spool.folder) as folder:
        path = folder / plain_name(filename)
        await asyncio.to_thread(path.write_bytes, content)
        async with _place(request, content):
            report = await import_file(context, importer, path, filename=filename)
    return ImportAnswer.model_validate(report)


@asynccontextmanager
async def _place(request: Request, content: bytes) -> AsyncGenerator[None]:
    """Wait until a workbook may be read: each is held in memory. Other files are read at once."""
    if not may_be_workbook(content[:8]):
        yield
        return
    places = request.app.state.workbooks
    assert isinstance(places, asyncio.Semaphore)
    async with places:
        yield


@router.post("/{name}/files", status_code=202, openapi_extra=_BODY)
async def submit_import(
    name: str,
    platform: CurrentPlatform,
    who: Writer,
    request: Request,
    filename: Annotated[str, Query(max_length=255, description="Its ending tells the format")],
    clearEmpty: ClearEmpty = False,  # noqa: N803
    start: Start = True,
) -> SubmittedImport:
    """Store a file of any size and queue its import; a file is imported only once at a time.

    With `start=false` it is only stored: `POST /api/imports/{importId}/preview` shows what its
    import would do, and `…/start` begins it.
    """
    platform.importer(name)
    if request.headers.get("content-type", "").startswith("multipart/"):
        raise NotTheFileItself
    async with (
        platform.files.spool.receive(request.stream()) as spooled,
        platform.unit(who) as session,
    ):
        file = await platform.files.keep(session, spooled, "application/octet-stream")
        if not start:
            draft, created = await keep_draft(session, who, name, filename, file)
            return SubmittedImport(id=draft, created=created)
        submission = await platform.imports.submit(
            session, who, name, filename, file, clear_empty=clearEmpty
        )
    return SubmittedImport(id=submission.id, created=submission.created)


@router.get("")
async def list_imports(
    platform: CurrentPlatform,
    who: Reader,
    cursor: UUID | None = None,
    limit: Annotated[int, Query(ge=1, le=PAGE_LIMIT)] = 50,
    record: Annotated[UUID | None, Query(description="Only those that wrote this record")] = None,
) -> ImportPage:
    """The organization's imports, newest first."""
    async with platform.unit(who) as session:
        stored = await reports.list_imports(session, most=limit + 1, before=cursor, record=record)
    more = len(stored) > limit
    items = [stored_import(each) for each in stored[:limit]]
    return ImportPage(items=items, next_cursor=items[-1].id if more else None)


@router.get("/{importId}")
async def get_import(importId: UUID, platform: CurrentPlatform, who: Reader) -> StoredImportAnswer:  # noqa: N803
    """One import: its progress, its result, and how it read the columns."""
    async with platform.unit(who) as session:
        return stored_import(await reports.get_import(session, importId))


@router.get("/{importId}/refusals")
async def list_refusals(
    importId: UUID,  # noqa: N803
    platform: CurrentPlatform,
    who: Reader,
    cursor: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE_LIMIT)] = 50,
) -> RefusalPage:
    """The refused rows, page by page."""
    async with platform.unit(who) as session:
        await reports.get_import(session, importId)
        rows = await reports.problems(session, importId, refused=True, most=limit + 1, after=cursor)
    items = [RefusalAnswer.model_validate(row, extra="ignore") for row in rows[:limit]]
    next_cursor = rows[limit - 1].ordinal if len(rows) > limit else None
    return RefusalPage(items=items, next_cursor=next_cursor)


@router.get("/{importId}/refusals.csv", response_class=StreamingResponse, responses=_CSV)
async def download_refusals(
    importId: UUID,  # noqa: N803
    platform: CurrentPlatform,
    who: Reader,
) -> StreamingResponse:
    """All refused rows as a CSV file."""
    async with platform.unit(who) as session:
        await reports.get_import(session, importId)

    async def parts() -> AsyncIterator[str]:
        yield _csv([("line", "field", "value", "reason")])
        after = 0
        while True:
            async with platform.unit(who) as session:
                page = await reports.problems(
                    session, importId, refused=True, most=reports.PAGE_ROWS, after=after
                )
            if not page:
                return
            yield _csv([(row.line, row.field or "", row.value, row.reason) for row in page])
            after = page[-1].ordinal

    disposition = {"Content-Disposition": f'attachment; filename="refused-{importId}.csv"'}
    return StreamingResponse(parts(), media_type="text/csv; charset=utf-8", headers=disposition)


@router.post("/{importId}/cancel", responses=STOPPING)
async def cancel_import(
    importId: UUID,  # noqa: N803
    platform: CurrentPlatform,
    who: Writer,
    response: Response,
) -> StoredImportAnswer:
    """Stop an import, or its undo, before its next batch; what was written or undone stays.  A
    finished import is unchanged.

    202: the import ends after the batch that is being written, or once a worker has finished it.
    """
    async with platform.unit(who) as session:
        stored = await platform.imports.cancel(session, who, importId)
    active = ("waiting", "running")
    is_active = stored.status in active or stored.undo_status in active
    response.status_code = 202 if is_active else 200
    return stored_import(stored)


def _csv(rows: list[tuple[object, ...]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([[_harmless(cell) for cell in row] for row in rows])
    return text.getvalue()


def _harmless(cell: object) -> object:
    """Text that a spreadsheet would take for a formula gets a leading apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
