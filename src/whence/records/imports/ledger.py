"""The stored state of an import: its position, its report, the records that it touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import Conflict, Invalid, StaleAttempt
from whence.kernel.ids import new_id
from whence.records.imports.importer import Batch, Progress
from whence.records.tabular.raw import shorten
from whence.records.tabular.reading import Refused, Repeat, Row, contradiction
from whence.records.upsert import Upserted
from whence.tenancy.principal import Principal

ARRAY_OF_JSON = ARRAY(JSONB(none_as_null=True))
_UNFINISHED = text("""
    SELECT id FROM whence.imports WHERE name = :name AND digest = :digest
        AND status = 'running' AND requested_by = :user AND clear_empty = :clear_empty
        AND mapping = :mapping
    ORDER BY created_at DESC LIMIT 1
""").bindparams(bindparam("mapping", type_=JSONB))
_NEW = text("""
    INSERT INTO whence.imports
        (id, name, filename, digest, size, requested_by, clear_empty, mapping, is_sample)
    VALUES (:id, :name, :filename, :digest, :size, :user, :clear_empty, :mapping, :is_sample)
""").bindparams(bindparam("mapping", type_=JSONB))
_CLAIM = text("""
    UPDATE whence.imports SET status = 'running', attempt = attempt + 1,
        started_at = coalesce(started_at, now())
    WHERE id = :id AND status IN ('waiting', 'running')
    RETURNING attempt, position, clear_empty, mapping
""")
_FENCE = text("""
    SELECT attempt, status, error,
        EXISTS (SELECT FROM whence.cancel_requests WHERE id = :id) AS cancelled
    FROM whence.imports WHERE id = :id FOR UPDATE
""")
_SEEN = text("""
    SELECT external_id, line, fingerprint FROM whence.import_rows
    WHERE import_id = :id AND external_id = ANY(:ids)
""")
_ROWS = text("""
    INSERT INTO whence.import_rows
        (import_id, external_id, line, fingerprint, outcome, record_id, before, after, version)
    SELECT :id, r.external_id, r.line, r.fingerprint, r.outcome, r.record_id, r.before, r.after,
        r.version
    FROM unnest(
        CAST(:ids AS text[]), CAST(:lines AS bigint[]), CAST(:fingerprints AS bigint[]),
        CAST(:outcomes AS text[]), CAST(:records AS uuid[]), CAST(:befores AS jsonb[]),
        CAST(:afters AS jsonb[]), CAST(:versions AS int[])
    ) AS r (external_id, line, fingerprint, outcome, record_id, before, after, version)
""")
_PROBLEMS = text("""
    INSERT INTO whence.import_problems
        (import_id, ordinal, line, refused, field, value, reason, external_id)
    SELECT :id, :first + r.ordinal, r.line, :refused, r.field, r.value, r.reason, r.external_id
    FROM unnest(
        CAST(:lines AS bigint[]), CAST(:fields AS text[]), CAST(:values AS text[]),
        CAST(:reasons AS text[]), CAST(:external_ids AS text[])
    ) WITH ORDINALITY AS r (line, field, value, reason, external_id, ordinal)
""")
_SAVE = text("""
    UPDATE whence.imports SET tries = 0, position = :position, bytes_done = :bytes_done,
        added = added + :added, updated = updated + :updated,
        unchanged = unchanged + :unchanged, repeated = repeated + :repeated,
        refused = refused + :refused, warnings = warnings + :warnings, report = :report
    WHERE id = :id
""").bindparams(bindparam("report", type_=JSONB))
_END = text("""
    UPDATE whence.imports SET status = :status, error = :error, ended_at = now(),
        file = CASE WHEN :status <> 'done' THEN file END
    WHERE id = :id AND attempt = :attempt AND status = 'running' RETURNING id
""")
_EARLIER = text("""
    SELECT ended_at FROM whence.imports
    WHERE name = :name AND digest = :digest AND status = 'done' AND id <> :id
    ORDER BY ended_at DESC LIMIT 1
""")
_PAGE_END = text("""
    SELECT max(external_id) FROM (
        SELECT external_id FROM whence.import_rows
        WHERE import_id = :id AND external_id > :after ORDER BY external_id LIMIT :most
    ) AS page
""")
_DROP_UNCHANGED = text("""
    DELETE FROM whence.import_rows
    WHERE import_id = :id AND external_id > :after AND external_id <= :end
    AND outcome = 'unchanged' AND record_id IS NULL
""")
PAGE_ROWS = 10_000
"""Rows examined per transaction."""


class ImportDone(Conflict):
    """Another request for the same file has finished this import; read its report."""


class ImportCancelled(Conflict):
    """This import was cancelled; what it had written stays. Import the file again to continue."""


@dataclass(frozen=True)
class Claim:
    """The right to write for an import, until another process claims it."""

    import_id: UUID
    attempt: int
    position: int
    """Rows of the file that are already committed."""
    clear_empty: bool = False
    """Whether an empty cell clears a field; as the import was requested."""
    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    """The fields chosen for columns; as the import was requested."""


@dataclass(frozen=True)
class Source:
    """The file of an import."""

    name: str
    """The importer's name: `<pack>.<importer>`."""
    filename: str
    digest: str
    size: int
    clear_empty: bool = False
    """Whether an empty cell clears a field."""
    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    """The fields chosen for columns."""
    is_sample: bool = False


async def enter(
    session: AsyncSession, who: Principal, source: Source, import_id: UUID | None
) -> Claim:
    """Claim an import: the one given, the person's own unfinished one of this file, or a new one.

    For an import that has ended, raises what `fence` raises.
    """
    values: dict[str, object] = {"name": source.name, "digest": source.digest}
    values |= {"user": who.user_id, "clear_empty": source.clear_empty}
    values["mapping"] = dict(source.mapping)
    chosen = import_id or (await session.execute(_UNFINISHED, values)).scalar_one_or_none()
    if chosen is None:
        chosen = new_id()
        more = {"id": chosen, "filename": source.filename, "size": source.size}
        more |= {"is_sample": source.is_sample}
        await session.execute(_NEW, values | more)
    row = (await session.execute(_CLAIM, {"id": chosen})).one_or_none()
    if row is None:
        await _fenced(session, chosen)
        raise ImportCancelled
    return Claim(chosen, row.attempt, row.position, row.clear_empty, row.mapping)


async def fence(session: AsyncSession, claim: Claim) -> None:
    """Lock the import for this transaction.

    Raises StaleAttempt if another process has claimed it, ImportCancelled, and if another process
    has ended it, ImportDone or Invalid with the reason of the failure.
    """
    if await _fenced(session, claim.import_id) != claim.attempt:
        raise StaleAttempt


async def _fenced(session: AsyncSession, import_id: UUID) -> int:
    """The number of the active attempt."""
    row = (await session.execute(_FENCE, {"id": import_id})).one_or_none()
    if row is not None and row.status == "done":
        raise ImportDone
    if row is not None and row.status == "failed":
        raise Invalid(row.error or "This import failed.")
    if row is None or row.status != "running" or row.cancelled:
        raise ImportCancelled
    return int(row.attempt)


async def only_new(
    session: AsyncSession, claim: Claim, rows: Sequence[Row[Any]]
) -> tuple[list[Row[Any]], list[Refused], list[Repeat]]:
    """The rows whose id no earlier row of the file has; the refused and the repeated ones."""
    ids = [row.external_id for row in rows]
    earlier = await session.execute(_SEEN, {"id": claim.import_id, "ids": ids})
    seen: dict[str, tuple[int, int]] = {each.external_id: (each[1], each[2]) for each in earlier}
    fresh: list[Row[Any]] = []
    refused: list[Refused] = []
    repeats: list[Repeat] = []
    for row in rows:
        line, fingerprint = seen.setdefault(row.external_id, (row.line, row.fingerprint))
        if line == row.line:
            fresh.append(row)
        elif fingerprint == row.fingerprint:
            repeats.append(Repeat(row.line, line))
        else:
            refused.append(Refused(row.line, "id", shorten(row.external_id), contradiction(line)))
    return fresh, refused, repeats


async def save(
    session: AsyncSession,
    batch: Batch[Any],
    repeated: int,
    progress: Progress,
    report: Mapping[str, object],
    problems_so_far: int,
) -> None:
    """Store a batch's outcomes and the import's position, in the batch's transaction."""
    written = [row for row in batch.rows if row.external_id in batch.outcomes]
    outcomes = [batch.outcomes[row.external_id] for row in written]
    if written:
        await session.execute(
            _ROWS.bindparams(
                bindparam("befores", type_=ARRAY_OF_JSON), bindparam("afters", type_=ARRAY_OF_JSON)
            ),
            {
                "id": batch.import_id,
                "ids": [row.external_id for row in written],
                "lines": [row.line for row in written],
                "fingerprints": [row.fingerprint for row in written],
                "outcomes": [each.outcome.value for each in outcomes],
                "records": [each.record_id for each in outcomes],
                "befores": [each.before for each in outcomes],
                "afters": [each.after for each in outcomes],
                "versions": [each.version for each in outcomes],
            },
        )
    warnings = [Refused(line, None, "", warning) for line, warning in batch.warnings]
    external_ids = {row.line: row.external_id for row in batch.rows}
    for is_refused, problems in ((True, batch.refused), (False, warnings)):
        if problems:
            await session.execute(
                _PROBLEMS,
                {
                    "id": batch.import_id,
                    "first": problems_so_far,
                    "refused": is_refused,
                    "lines": [each.line for each in problems],
                    "fields": [each.field for each in problems],
                    "values": [each.value for each in problems],
                    "reasons": [each.reason for each in problems],
                    "external_ids": [external_ids.get(each.line) for each in problems],
                },
            )
            problems_so_far += len(problems)
    counts = {each.value: sum(o.outcome is each for o in outcomes) for each in Upserted}
    more = {"position": progress.rows, "bytes_done": progress.done, "repeated": repeated}
    more |= {"refused": len(batch.refused), "warnings": len(warnings), "report": dict(report)}
    await session.execute(_SAVE, {"id": batch.import_id, **counts, **more})


async def drop_unchanged(session: AsyncSession, claim: Claim, after: str) -> str | None:
    """After the file is read, delete the rows of unchanged records, needed only to detect repeated
    ids.

    Handles one page of rows after this id; returns the page's last id, None after the last page.
    """
    values = {"id": claim.import_id, "after": after}
    end = await session.scalar(_PAGE_END, values | {"most": PAGE_ROWS})
    if end is not None:
        await session.execute(_DROP_UNCHANGED, values | {"end": end})
    return end


async def end(session: AsyncSession, claim: Claim, status: str, error: str | None = None) -> bool:
    """Set an import's final status; false if it has ended or another process has claimed it."""
    values = {"id": claim.import_id, "attempt": claim.attempt, "status": status, "error": error}
    return (await session.execute(_END, values)).one_or_none() is not None


async def earlier_import(session: AsyncSession, source: Source, import_id: UUID) -> Any:
    """When the same file was last imported, or None."""
    values = {"name": source.name, "digest": source.digest, "id": import_id}
    return (await session.execute(_EARLIER, values)).scalar_one_or_none()


async def problems(session: AsyncSession, import_id: UUID) -> int:
    """The number of refused rows and warnings of an import so far."""
    query = text("SELECT refused + warnings FROM whence.imports WHERE id = :id")
    return (await session.execute(query, {"id": import_id})).scalar_one()
