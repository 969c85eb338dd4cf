"""The stored state of an undo: who requested it, how far it is, and how it ended.

Several processes may carry out one undo: each takes its batch under the lock of the import's row,
and none starts a batch after the undo has ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.records.imports.ledger import ARRAY_OF_JSON
from whence.records.imports.undo_batch import UndoneRecord, WrittenRecord
from whence.tenancy.principal import Principal
from whence.work.queue import JobQueue

UNDO_JOB = "undo_import"
UNDO_QUEUE = "core.imports"
ACTIVE = ("waiting", "running")
_HOLD = text("""
    SELECT undo_status, undo_cancelled_by, undo_deleted, undo_restored, undo_kept
    FROM whence.imports WHERE id = :id FOR UPDATE
""")
_COUNTS = text("""
    SELECT coalesce(undone ->> 'result', 'left'), count(*) FROM whence.import_rows
    WHERE import_id = :id AND record_id IS NOT NULL AND outcome IN ('added', 'updated') GROUP BY 1
""")
_REQUEST = text("""
    UPDATE whence.imports SET undo_status = 'waiting', undo_total = :total,
        undo_deleted = :deleted, undo_restored = :restored, undo_kept = :kept, undo_error = NULL,
        undo_tries = 0, undo_by = :user, undo_scopes = :scopes, undo_cancelled_by = NULL
    WHERE id = :id
""")
_TAKE = text("""
    UPDATE whence.imports SET undo_tries = undo_tries + 1
    WHERE id = :id AND undo_status IN ('waiting', 'running')
    RETURNING name, undo_by, undo_scopes, undo_tries
""")
_NOT_COUNTED = text("""
    UPDATE whence.imports SET undo_tries = greatest(undo_tries - 1, 0) WHERE id = :id
""")
_NEXT = text("""
    SELECT external_id, record_id, outcome, before, after, coalesce(version, 1) AS version
    FROM whence.import_rows
    WHERE import_id = :id AND undone IS NULL AND record_id IS NOT NULL
        AND outcome IN ('added', 'updated')
    ORDER BY external_id LIMIT :most
""")
_DONE = text("""
    UPDATE whence.import_rows r SET undone = d.undone
    FROM unnest(CAST(:ids AS text[]), CAST(:undone AS jsonb[])) AS d (external_id, undone)
    WHERE r.import_id = :id AND r.external_id = d.external_id
""").bindparams(bindparam("undone", type_=ARRAY_OF_JSON))
_SAVE = text("""
    UPDATE whence.imports SET undo_status = 'running', undo_tries = 0,
        undo_deleted = undo_deleted + :deleted, undo_restored = undo_restored + :restored,
        undo_kept = undo_kept + :kept
    WHERE id = :id
""")
_END = text("""
    UPDATE whence.imports SET undo_status = :status, undo_error = :error,
        undone_at = CASE WHEN :status = 'done' THEN now() END
    WHERE id = :id
""")
_STOP = text("""
    UPDATE whence.imports SET undo_cancelled_by = coalesce(undo_cancelled_by, :user)
    WHERE id = :id AND undo_status IN ('waiting', 'running')
""")


@dataclass(frozen=True)
class Held:
    """An undo whose import is locked for this transaction."""

    status: str | None
    cancelled_by: UUID | None
    deleted: int
    restored: int
    kept: int


async def hold(session: AsyncSession, import_id: UUID) -> Held:
    """Lock the import for this transaction."""
    return Held(*(await session.execute(_HOLD, {"id": import_id})).one())


async def counts(session: AsyncSession, import_id: UUID) -> Counter[str]:
    """How many records were `deleted`, `restored` and `kept`, and how many are `left`."""
    rows = await session.execute(_COUNTS, {"id": import_id})
    return Counter({row[0]: row[1] for row in rows})


async def request(
    session: AsyncSession, who: Principal, import_id: UUID, found: Counter[str]
) -> None:
    """Let an undo wait for a worker; what an earlier one undid stays counted."""
    values: dict[str, object] = {name: found[name] for name in ("deleted", "restored", "kept")}
    values |= {"id": import_id, "user": who.user_id, "total": found.total()}
    values["scopes"] = sorted(scope.value for scope in who.scopes)
    await session.execute(_REQUEST, values)


async def take(session: AsyncSession, import_id: UUID) -> Any:
    """Count an attempt; None for an undo that has ended."""
    return (await session.execute(_TAKE, {"id": import_id})).one_or_none()


async def not_counted(session: AsyncSession, import_id: UUID) -> None:
    """Take back an attempt that ended through no fault of the undo."""
    await session.execute(_NOT_COUNTED, {"id": import_id})


async def next_records(session: AsyncSession, import_id: UUID, most: int) -> list[WrittenRecord]:
    """The next records to undo."""
    rows = await session.execute(_NEXT, {"id": import_id, "most": most})
    return [
        WrittenRecord(row[0], row[1], row[2], row[3] or {}, row[4] or {}, row[5]) for row in rows
    ]


async def save(
    session: AsyncSession,
    import_id: UUID,
    records: Sequence[WrittenRecord],
    outcomes: Sequence[UndoneRecord],
) -> None:
    """Store what became of a batch, and count it."""
    ids = [each.external_id for each in records]
    values: dict[str, object] = {"id": import_id, "ids": ids}
    await session.execute(_DONE, values | {"undone": [asdict(each) for each in outcomes]})
    found = Counter[str](each.result for each in outcomes)
    more = {name: found[name] for name in ("deleted", "restored", "kept")}
    await session.execute(_SAVE, {"id": import_id, **more})


async def end(
    session: AsyncSession, import_id: UUID, status: str, error: str | None = None
) -> None:
    """Set the final status."""
    await session.execute(_END, {"id": import_id, "status": status, "error": error})


async def stop(session: AsyncSession, who: Principal, import_id: UUID) -> None:
    """Request that an undo ends before its next batch."""
    await session.execute(_STOP, {"id": import_id, "user": who.user_id})


async def enqueue(session: AsyncSession, queue: JobQueue, org_id: UUID, import_id: UUID) -> None:
    """Queue an attempt in place of a waiting one."""
    lock = str(import_id)
    await queue.withdraw(session, lock)
    arguments = {"org_id": str(org_id), "import_id": lock}
    await queue.enqueue(session, UNDO_JOB, arguments, queue=UNDO_QUEUE, lock=lock)
