"""Undo an import: what it added is deleted, what it changed is set back, batch by batch.

Whatever was changed since stays as it is, and the outcome names it.  An undo waits for a worker;
one that is cut off goes on after its last batch.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.db.failures import DatabaseBusy
from whence.kernel.errors import Conflict, Invalid, Unavailable, WhenceError
from whence.kernel.log import get
from whence.records.deletion import Deletion
from whence.records.imports import undo_ledger
from whence.records.imports.background import MAX_TRIES, acting
from whence.records.imports.completion import AUDITED
from whence.records.imports.reports import StoredImport, get_import
from whence.records.imports.running import Importer
from whence.records.imports.undo_batch import Undo, UndoBatch
from whence.tenancy.audit import audit
from whence.tenancy.principal import Principal, Role, Scope
from whence.tenancy.tables import Membership
from whence.work.executor import keeping_the_job, until_written
from whence.work.queue import JobQueue

UNDO_ROWS = 1_000
"""Records per transaction."""
_log = get("records.imports")


class CannotUndo(Conflict):
    """This import cannot be undone."""


class NoProgress(Invalid):
    """This undo stopped five times at the same record; see the worker's log, then undo again."""


@dataclass(frozen=True)
class ImportUndo:
    """Undoes imports as a whole."""

    db: Database
    queue: JobQueue
    deletion: Deletion
    importer: Callable[[str], Importer[Any]]
    """Finds an importer by its full name; raises Invalid."""

    def handle(self) -> None:
        """Let this process carry out undos that wait in the queue."""
        self.queue.handle(undo_ledger.UNDO_JOB, self.attempt)

    async def request(self, session: AsyncSession, who: Principal, import_id: UUID) -> StoredImport:
        """Queue the undo of an import that has ended, in the caller's transaction.

        One that was stopped or failed goes on with what is left.  One that is under way is queued
        again, in case its job was lost; one that is done stays.  Raises NotFound and CannotUndo.
        """
        who.require(Scope.WRITE)
        await get_import(session, import_id)
        held = await undo_ledger.hold(session, import_id)
        stored = await get_import(session, import_id)
        if held.status == "done":
            return stored
        self._undo_of(stored)
        if held.status not in undo_ledger.ACTIVE:
            found = await undo_ledger.counts(session, import_id)
            if not found and stored.added + stored.updated:
                raise CannotUndo(
                    "The previous values of this import were removed (`WHENCE_IMPORT_DAYS`), so it "
                    "cannot be undone any more."
                )
            await undo_ledger.request(session, who, import_id, found)
        await undo_ledger.enqueue(session, self.queue, who.org_id, import_id)
        return await get_import(session, import_id)

    async def undo(self, who: Principal, import_id: UUID) -> StoredImport:
        """Request an undo and carry it out in this process; a worker goes on if it dies.

        Raises NotFound and CannotUndo.
        """
        async with self.db.unit(who.org_id) as session:
            stored = await self.request(session, who, import_id)
        await self._carry_out(who, import_id, stored.name)
        async with self.db.unit(who.org_id) as session:
            return await get_import(session, import_id)

    async def attempt(self, org_id: str, import_id: str) -> None:
        """The queue's handler: continue an undo until it ends or this process stops."""
        org, number = UUID(org_id), UUID(import_id)
        async with self.db.unit(org) as session:
            row = await undo_ledger.take(session, number)
            if row is None:
                return
            role = await session.scalar(
                select(Membership.role).where(Membership.user_id == row.undo_by)
            )
        try:
            if row.undo_tries > MAX_TRIES:
                raise NoProgress
            await self._carry_out(acting(org, row.undo_by, role, row.undo_scopes), number, row.name)
        except asyncio.CancelledError:
            with keeping_the_job():
                await self._hand_back(org, number)
            raise
        except DatabaseBusy:
            await until_written(lambda: self._not_counted(org, number))
            raise  # the queue tries again
        except Unavailable:
            raise  # the queue tries again
        except WhenceError as error:
            async with self.db.unit(org) as session:
                if (await undo_ledger.hold(session, number)).status in undo_ledger.ACTIVE:
                    await undo_ledger.end(session, number, "failed", error.message)

    def _undo_of(self, stored: StoredImport) -> Undo:
        if stored.status in ("waiting", "running"):
            raise CannotUndo("This import is still running; cancel it first, then undo it.")
        if stored.status == "draft":
            raise CannotUndo("This import was not started; there is nothing to undo.")
        return self._undo_by(stored.name)

    def _undo_by(self, name: str) -> Undo:
        try:
            undo = self.importer(name).undo
        except Invalid as error:
            raise CannotUndo(f"No installed pack imports '{name}' any more.") from error
        if undo is None:
            raise CannotUndo(f"Imports of '{name}' cannot be undone; edit the records.")
        return undo

    async def _carry_out(self, who: Principal, import_id: UUID, name: str) -> None:
        undo = self._undo_by(name)
        while await self._next_batch(who, import_id, undo, name):
            pass

    async def _next_batch(self, who: Principal, import_id: UUID, undo: Undo, name: str) -> bool:
        """Undo the next records; false once the undo has ended, also by another process."""
        async with self.db.unit(who.org_id) as session:
            held = await undo_ledger.hold(session, import_id)
            if held.status not in undo_ledger.ACTIVE:
                return False
            if held.cancelled_by is not None:
                by = Principal(who.org_id, held.cancelled_by, Role.VIEWER, frozenset())
                await self._end(session, by, import_id, name, "stopped", held)
                return False
            records = await undo_ledger.next_records(session, import_id, UNDO_ROWS)
            if not records:
                await self._end(session, who, import_id, name, "done", held)
                return False
            batch = UndoBatch(session, who, import_id, self.deletion, records)
            await undo(batch)
            outcomes = [batch.outcomes[each.external_id] for each in records]
            await undo_ledger.save(session, import_id, records, outcomes)
            return True

    async def _end(
        self,
        session: AsyncSession,
        who: Principal,
        import_id: UUID,
        name: str,
        status: str,
        held: undo_ledger.Held,
    ) -> None:
        await undo_ledger.end(session, import_id, status)
        if finish := self.importer(name).finish:
            await finish(session)
        detail = {"deleted": held.deleted, "restored": held.restored, "kept": held.kept}
        await audit(session, who, "undo_import", AUDITED, import_id, detail | {"status": status})
        await self.queue.withdraw(session, str(import_id))

    async def _hand_back(self, org_id: UUID, import_id: UUID) -> None:
        """Let another worker continue, as this one is stopping; not counted as a failure."""
        async with self.db.unit(org_id) as session:
            await undo_ledger.not_counted(session, import_id)
            await undo_ledger.enqueue(session, self.queue, org_id, import_id)
        _log.info("undo handed back", id=str(import_id))

    async def _not_counted(self, org_id: UUID, import_id: UUID) -> None:
        async with self.db.unit(org_id) as session:
            await undo_ledger.not_counted(session, import_id)
