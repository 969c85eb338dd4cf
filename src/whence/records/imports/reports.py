"""Read stored imports and their reports."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import NotFound
from whence.records.imports.importer import ImportReport, Refusal
from whence.records.upsert import Upserted

SHOWN_PROBLEMS = 10_000
"""Most refused rows and warnings in a report; the rest is read in pages."""
PAGE_ROWS = 1_000
_COLUMNS = """
    id, name, filename, digest, size, status, position, bytes_done, added, updated, unchanged,
    repeated, refused, warnings, report, error, requested_by, created_at, started_at, ended_at,
    undone_at, clear_empty, mapping, file IS NOT NULL AS has_file,
    is_sample, undo_status, undo_total, undo_deleted, undo_restored, undo_kept, undo_error,
    undo_cancelled_by IS NOT NULL AS is_undo_stopping
"""
_ONE = text(f"SELECT {_COLUMNS} FROM whence.imports WHERE id = :id")
_LIST = text(f"""
    SELECT {_COLUMNS} FROM whence.imports
    WHERE (CAST(:before AS uuid) IS NULL OR id < CAST(:before AS uuid))
        AND (CAST(:record AS uuid) IS NULL OR id IN (
            SELECT import_id FROM whence.import_rows WHERE record_id = CAST(:record AS uuid)))
    ORDER BY id DESC LIMIT :most
""")
_PROBLEMS = text("""
    SELECT ordinal, line, field, value, reason FROM whence.import_problems
    WHERE import_id = :id AND refused = :refused AND ordinal > :after
    ORDER BY ordinal LIMIT :most
""")
_CHANGES = text("""
    SELECT external_id, line, record_id, outcome, before, after, undone FROM whence.import_rows
    WHERE import_id = :id AND record_id IS NOT NULL AND outcome = ANY(:outcomes)
        AND (line, external_id) > (:line, :after)
    ORDER BY line, external_id LIMIT :most
""")


@dataclass(frozen=True)
class StoredImport:
    """A stored import; newer ones have larger ids."""

    id: UUID
    name: str
    filename: str
    digest: str
    size: int
    status: str
    position: int
    bytes_done: int
    added: int
    updated: int
    unchanged: int
    repeated: int
    refused: int
    warnings: int
    report: dict[str, Any]
    error: str | None
    requested_by: UUID
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    undone_at: datetime | None
    clear_empty: bool
    mapping: dict[str, str]
    """The fields that a person chose for columns."""
    has_file: bool
    """Whether its file is still stored, so that it can be resumed."""
    is_sample: bool
    undo_status: str | None
    """`waiting`, `running`, `done`, `stopped` or `failed`; None if nobody has undone it."""
    undo_total: int
    """The records that it wrote."""
    undo_deleted: int
    undo_restored: int
    undo_kept: int
    undo_error: str | None
    is_undo_stopping: bool


@dataclass(frozen=True)
class Problem:
    """A refused row, or a warning about an imported one."""

    ordinal: int
    line: int
    field: str | None
    value: str
    reason: str


@dataclass(frozen=True)
class FieldChange:
    """A field that an import changed, with its value before and after."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True)
class RecordChange:
    """A record that an import added or changed."""

    external_id: str
    line: int
    record_id: UUID
    outcome: str
    fields: list[FieldChange]
    """The changed fields; none for a record that was added."""
    undone: dict[str, Any] | None
    """What an undo did: its `result`, the `fields` that it left and the `reason`."""


async def get_import(session: AsyncSession, import_id: UUID) -> StoredImport:
    """One import of the organization; raises NotFound."""
    row = (await session.execute(_ONE, {"id": import_id})).one_or_none()
    if row is None:
        raise NotFound("There is no such import.")
    return StoredImport(*row)


async def list_imports(
    session: AsyncSession, *, most: int, before: UUID | None = None, record: UUID | None = None
) -> list[StoredImport]:
    """The imports, newest first; `before` is the last id of the previous page.

    `record`: only those that wrote this record.
    """
    values = {"most": most, "before": before, "record": record}
    rows = await session.execute(_LIST, values)
    return [StoredImport(*row) for row in rows]


async def problems(
    session: AsyncSession, import_id: UUID, *, refused: bool, most: int, after: int = 0
) -> list[Problem]:
    """Refused rows (or warnings) in the order of the file; `after` is the previous page's last
    ordinal."""
    values = {"id": import_id, "refused": refused, "most": most, "after": after}
    return [Problem(*row) for row in await session.execute(_PROBLEMS, values)]


async def changes(
    session: AsyncSession,
    import_id: UUID,
    *,
    most: int,
    after: tuple[int, str] = (0, ""),
    outcomes: Sequence[str] = (Upserted.ADDED, Upserted.UPDATED),
) -> list[RecordChange]:
    """The records that an import wrote, in the order of the file; `after` is the line and the id of
    the previous page's last one."""
    values: dict[str, object] = {"id": import_id, "most": most, "outcomes": list(outcomes)}
    values |= {"line": after[0], "after": after[1]}
    rows = await session.execute(_CHANGES, values)
    return [_record_change(tuple(row)) for row in rows]


def _record_change(row: tuple[Any, ...]) -> RecordChange:
    external_id, line, record_id, outcome, before, after, undone = row
    fields = [
        FieldChange(name, value, (after or {}).get(name))
        for name, value in sorted((before or {}).items())
    ]
    return RecordChange(external_id, line, record_id, outcome, fields, undone)


async def every_problem(
    session: AsyncSession, import_id: UUID, *, refused: bool
) -> AsyncIterator[Sequence[Problem]]:
    """All refused rows (or warnings), page by page."""
    after = 0
    while page := await problems(session, import_id, refused=refused, most=PAGE_ROWS, after=after):
        yield page
        after = page[-1].ordinal


async def report_of(
    session: AsyncSession, import_id: UUID, *, most: int = SHOWN_PROBLEMS
) -> ImportReport:
    """An import's report, with its first refused rows and warnings."""
    stored = await get_import(session, import_id)
    refused = await problems(session, import_id, refused=True, most=most)
    warned = await problems(session, import_id, refused=False, most=most)
    notes: list[str] = stored.report.get("notes", [])
    return ImportReport(
        added=stored.added,
        updated=stored.updated,
        unchanged=stored.unchanged,
        repeated=stored.repeated,
        refused=tuple(Refusal(r.line, r.field, r.value, r.reason) for r in refused),
        warnings=(*notes, *(f"line {w.line}: {w.reason}" for w in warned)),
        mapping=stored.report.get("mapping", {}),
        ignored=tuple(stored.report.get("ignored", ())),
        id=import_id,
        refused_count=stored.refused,
        encoding=stored.report.get("encoding"),
    )
