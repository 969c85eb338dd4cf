"""Undo an import: what it added is deleted, what it changed is set back, batch by batch.

Whatever was changed since stays as it is, and the outcome names it. An undo that is interrupted
continues when it is requested again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, text

from whence.db.database import Database
from whence.kernel.errors import Conflict, Invalid
from whence.records.deletion import Deletion
from whence.records.imports.completion import AUDITED
from whence.records.imports.ledger import ARRAY_OF_JSON
from whence.records.imports.reports import StoredImport, get_import
from whence.records.imports.running import Importer
from whence.records.imports.undo_batch import Undo, UndoBatch, WrittenRecord
from whence.tenancy.audit import audit
from whence.tenancy.principal import Principal, Scope

UNDO_ROWS = 500
"""Records per transaction."""
_HOLD = text("SELECT undone_at FROM whence.imports WHERE id = :id FOR UPDATE")
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
_END = text("UPDATE whence.imports SET undone_at = now() WHERE id = :id")
_COUNTS = text("""
    SELECT undone ->> 'result', count(*) FROM whence.import_rows
    WHERE import_id = :id AND undone IS NOT NULL GROUP BY 1
""")


class CannotUndo(Conflict):
    """This import cannot be undone."""


@dataclass(frozen=True)
class ImportUndone:
    """How many records were deleted, set back, and kept as they are."""

    deleted: int
    restored: int
    kept: int


@dataclass(frozen=True)
class ImportUndo:
    """Undoes imports as a whole."""

    db: Database
    deletion: Deletion
    importer: Callable[[str], Importer[Any]]
    """Finds an importer by its full name; raises Invalid."""

    async def undo(self, who: Principal, import_id: UUID) -> ImportUndone:
        """Undo an import that has ended; undoing it again changes nothing.

        Raises NotFound and CannotUndo.
        """
        who.require(Scope.WRITE)
        async with self.db.unit(who.org_id) as session:
            stored = await get_import(session, import_id)
        undo = self._undo_of(stored)
        while await self._next_batch(who, import_id, undo):
            pass
        return await self._finish(who, import_id, stored)

    def _undo_of(self, stored: StoredImport) -> Undo:
        if stored.status in ("waiting", "running"):
            raise CannotUndo("This import is still running; cancel it first, then undo it.")
        if stored.status == "draft":
            raise CannotUndo("This import was not started; there is nothing to undo.")
        try:
            undo = self.importer(stored.name).undo
        except Invalid as error:
            raise CannotUndo(f"No installed pack imports '{stored.name}' any more.") from error
        if undo is None:
            raise CannotUndo(f"Imports of '{stored.name}' cannot be undone; edit the records.")
        return undo

    async def _next_batch(self, who: Principal, import_id: UUID, undo: Undo) -> bool:
        async with self.db.unit(who.org_id) as session:
            await session.execute(_HOLD, {"id": import_id})
            rows = await session.execute(_NEXT, {"id": import_id, "most": UNDO_ROWS})
            records = [
                WrittenRecord(row[0], row[1], row[2], row[3] or {}, row[4] or {}, row[5])
                for row in rows
            ]
            if not records:
                return False
            batch = UndoBatch(session, who, import_id, self.deletion, records)
            await undo(batch)
            outcomes = [batch.outcomes[each.external_id] for each in records]
            values = {
                "id": import_id,
                "ids": [each.external_id for each in records],
                "undone": [asdict(each) for each in outcomes],
            }
            await session.execute(_DONE, values)
            return True

    async def _finish(self, who: Principal, import_id: UUID, stored: StoredImport) -> ImportUndone:
        async with self.db.unit(who.org_id) as session:
            undone_at = await session.scalar(_HOLD, {"id": import_id})
            rows = await session.execute(_COUNTS, {"id": import_id})
            counts: dict[str, int] = {row[0]: row[1] for row in rows}
            if undone_at is None and not counts and stored.added + stored.updated:
                raise CannotUndo(
                    "The previous values of this import were removed (`WHENCE_IMPORT_DAYS`), so it "
                    "cannot be undone any more."
                )
            result = ImportUndone(
                counts.get("deleted", 0), counts.get("restored", 0), counts.get("kept", 0)
            )
            if undone_at is None:
                await session.execute(_END, {"id": import_id})
                if finish := self.importer(stored.name).finish:
                    await finish(session)
                await audit(session, who, "undo_import", AUDITED, import_id, asdict(result))
            return result
