"""Background imports: queued with the file in storage, run by any worker.

A worker that dies loses its current batch: the sweeper hands the job on, and the next worker
continues after the last committed batch.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO
from uuid import UUID

from sqlalchemy import bindparam, select, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.db.failures import DatabaseBusy
from whence.kernel.errors import Invalid, StaleAttempt, Unavailable, WhenceError
from whence.kernel.ids import new_id
from whence.kernel.log import get
from whence.kernel.settings import Settings
from whence.kernel.text import one_line
from whence.records.files.files import Files, StoredFile
from whence.records.imports import drafts, undo_ledger
from whence.records.imports.cancellation import cancel, end_cancelled
from whence.records.imports.importer import ImportContext
from whence.records.imports.ledger import ImportCancelled, ImportDone
from whence.records.imports.reports import StoredImport, get_import
from whence.records.imports.running import Importer, import_file
from whence.records.imports.workplace import workplace
from whence.tenancy.principal import SCOPES, Principal, Role, Scope
from whence.tenancy.tables import Membership
from whence.work.executor import keeping_the_job, until_written
from whence.work.queue import JobQueue

IMPORT_JOB = "import"
IMPORT_QUEUE = "core.imports"
"""A queue of their own: an import takes minutes, and would keep research waiting."""
IMPORTS_AT_ONCE = 2
"""Imports that one worker carries out side by side."""
MAX_TRIES = 5
"""Attempts without progress before an import fails."""
_ALONE = text("""
    SELECT pg_advisory_xact_lock(
        hashtextextended('import ' || whence.current_org() || :name || :digest, 0))
""")
MAX_NAME_BYTES, MAX_SUFFIX = 200, 16
"""Limits of a copy's file name, in bytes; the copy keeps the name given by people.  File systems
allow 255."""
# An import without a stored file runs in its caller's process; no worker continues it.
_ACTIVE = text("""
    SELECT id FROM whence.imports WHERE name = :name AND digest = :digest
        AND clear_empty = :clear_empty AND mapping = :mapping
        AND status IN ('waiting', 'running') AND file IS NOT NULL ORDER BY created_at DESC LIMIT 1
""").bindparams(bindparam("mapping", type_=JSONB))
_QUEUED = text("""
    INSERT INTO whence.imports
        (id, name, filename, digest, size, requested_by, file, scopes, clear_empty, mapping)
    VALUES (:id, :name, :filename, :digest, :size, :user, :digest, :scopes, :clear_empty, :mapping)
""").bindparams(bindparam("mapping", type_=JSONB))
_TAKE = text("""
    UPDATE whence.imports SET tries = tries + 1
    WHERE id = :id AND status IN ('waiting', 'running')
    RETURNING name, filename, file, requested_by, scopes, tries,
        (SELECT requested_by FROM whence.cancel_requests WHERE id = imports.id) AS cancelled_by
""")
_NOT_COUNTED = text("UPDATE whence.imports SET tries = greatest(tries - 1, 0) WHERE id = :id")
_FAIL = text("""
    UPDATE whence.imports SET status = 'failed', error = :error, ended_at = now()
    WHERE id = :id AND status IN ('waiting', 'running')
""")
_log = get("records.imports")


class RequesterLeft(Invalid):
    """Whoever asked for this import has left the organization or may not write any more."""


class FileNotStored(Invalid):
    """The file of this import is not stored any more; upload it again."""


class NoProgress(Invalid):
    """This import stopped five times at the same row; see the worker's log, then import again."""


@dataclass(frozen=True)
class Submission:
    """An import that waits for a worker; `created` is false for one that was under way already."""

    id: UUID
    created: bool


@dataclass(frozen=True)
class BackgroundImports:
    """Queues imports, and runs them in a worker."""

    db: Database
    queue: JobQueue
    files: Files
    settings: Settings
    importer: Callable[[str], Importer[Any]]
    """Finds an importer by its full name; raises Invalid."""

    def handle(self) -> None:
        """Let this process carry out imports that wait in the queue."""
        self.queue.handle(IMPORT_JOB, self.attempt)

    async def submit(
        self,
        session: AsyncSession,
        who: Principal,
        name: str,
        filename: str,
        file: StoredFile,
        *,
        clear_empty: bool = False,
    ) -> Submission:
        """Queue an import in the caller's transaction; a file has at most one active import.

        An active import is queued again, in case its job was lost.
        """
        who.require(Scope.WRITE)
        self.importer(name)
        values: dict[str, object] = {"name": name, "digest": file.digest, "mapping": {}}
        values["clear_empty"] = clear_empty
        await session.execute(_ALONE, values)
        active = (await session.execute(_ACTIVE, values)).scalar_one_or_none()
        if active is not None:
            await self._enqueue(session, who.org_id, active)
            return Submission(active, created=False)
        import_id = new_id()
        more = {
            "id": import_id,
            "filename": one_line(filename),
            "size": file.size,
            "user": who.user_id,
        }
        scopes = sorted(scope.value for scope in who.scopes)
        await session.execute(_QUEUED, values | more | {"scopes": scopes})
        await self._enqueue(session, who.org_id, import_id)
        return Submission(import_id, created=True)

    async def start(
        self,
        session: AsyncSession,
        who: Principal,
        import_id: UUID,
        mapping: Mapping[str, str],
        *,
        clear_empty: bool = False,
    ) -> StoredImport:
        """Queue the import of a draft; a second call changes nothing."""
        if await drafts.start(session, who, import_id, mapping, clear_empty=clear_empty):
            await self._enqueue(session, who.org_id, import_id)
        return await get_import(session, import_id)

    async def resume(self, session: AsyncSession, who: Principal, import_id: UUID) -> StoredImport:
        """Queue an import that failed or was cancelled; it goes on after its last batch."""
        if await drafts.resume(session, who, import_id):
            await self._enqueue(session, who.org_id, import_id)
        return await get_import(session, import_id)

    @asynccontextmanager
    async def opened(self, who: Principal, import_id: UUID) -> AsyncGenerator[Path]:
        """The stored file of an import, under its own name, in a folder that goes afterwards.

        Raises NotFound, and Invalid where the file is stored no more.
        """
        async with self.db.unit(who.org_id) as session:
            stored = await get_import(session, import_id)
            file = await self.files.find(session, stored.digest) if stored.has_file else None
        if file is None:
            raise FileNotStored
        with workplace(self.files.spool.folder) as folder:
            path = folder / plain_name(stored.filename)
            async with self.files.opened(who.org_id, file) as content:
                await asyncio.to_thread(_copy, content, path)
            yield path

    async def cancel(self, session: AsyncSession, who: Principal, import_id: UUID) -> StoredImport:
        """Stop an import, or its undo, before its next batch; what is written or undone stays.

        Raises NotFound.  Runs no code of a pack: if the importer has something to finish, a worker
        does it.
        """
        stored = await cancel(session, who, self.importer, import_id)
        if stored.status in ("waiting", "running"):
            await self._enqueue(session, who.org_id, import_id)
        elif stored.undo_status in undo_ledger.ACTIVE:
            await undo_ledger.stop(session, who, import_id)
            await undo_ledger.enqueue(session, self.queue, who.org_id, import_id)
        return stored

    async def end_cancelled(self, who: Principal, import_id: UUID) -> None:
        """End an import whose cancelling was requested, in this process, with its `finish`."""
        async with self.db.unit(who.org_id) as session:
            await end_cancelled(session, who, self.importer, import_id)

    async def attempt(self, org_id: str, import_id: str) -> None:
        """The queue's handler: continue an import until it ends or this process stops."""
        org, number = UUID(org_id), UUID(import_id)
        async with self.db.unit(org) as session:
            row = (await session.execute(_TAKE, {"id": number})).one_or_none()
            if row is None:
                return
            role = await session.scalar(
                select(Membership.role).where(Membership.user_id == row.requested_by)
            )
        try:
            if row.tries > MAX_TRIES:
                raise NoProgress
            if row.cancelled_by:
                canceller = Principal(org, row.cancelled_by, Role.VIEWER, frozenset())
                await self.end_cancelled(canceller, number)
            else:
                who = acting(org, row.requested_by, role, row.scopes)
                await self._carry_out(who, number, row)
        except asyncio.CancelledError:
            with keeping_the_job():
                await self._hand_back(org, number)
            raise
        except (StaleAttempt, ImportCancelled, ImportDone):
            pass
        except DatabaseBusy:
            await until_written(lambda: self._not_counted(org, number))
            raise  # the queue tries again; an outage of the database does not count, as for a run
        except Unavailable:
            raise  # the queue tries again
        except WhenceError as error:
            async with self.db.unit(org) as session:
                await session.execute(_FAIL, {"id": number, "error": error.message})

    async def _carry_out(self, who: Principal, import_id: UUID, row: Any) -> None:
        context = ImportContext(who, self.db, self.settings)
        async with self.opened(who, import_id) as path:
            await import_file(
                context,
                self.importer(row.name),
                path,
                import_id=import_id,
                filename=row.filename,
                is_over_when_stopped=False,
            )

    async def _hand_back(self, org_id: UUID, import_id: UUID) -> None:
        """Let another worker continue, as this one is stopping; not counted as a failure."""
        async with self.db.unit(org_id) as session:
            await session.execute(_NOT_COUNTED, {"id": import_id})
            await self._enqueue(session, org_id, import_id)
        _log.info("import handed back", id=str(import_id))

    async def _not_counted(self, org_id: UUID, import_id: UUID) -> None:
        async with self.db.unit(org_id) as session:
            await session.execute(_NOT_COUNTED, {"id": import_id})

    async def _enqueue(self, session: AsyncSession, org_id: UUID, import_id: UUID) -> None:
        """Queue an attempt in place of a waiting one; it starts after an active one has ended."""
        lock = str(import_id)
        await self.queue.withdraw(session, lock)
        arguments = {"org_id": str(org_id), "import_id": lock}
        await self.queue.enqueue(session, IMPORT_JOB, arguments, queue=IMPORT_QUEUE, lock=lock)


def acting(org_id: UUID, user_id: UUID, role: str | None, scopes: list[str]) -> Principal:
    """For whom the import acts: what was allowed when it was asked for, as far as it still is."""
    requested = frozenset(scope for scope in Scope if scope.value in scopes)
    allowed = requested & SCOPES[Role(role)] if role else frozenset[Scope]()
    if Scope.WRITE not in allowed:
        raise RequesterLeft
    return Principal(org_id, user_id, Role(role), allowed)


def plain_name(filename: str) -> str:
    """The user's name for a file as one that can be created: `../Été 1.CSV` is `Été 1.CSV`."""
    last = one_line(filename.replace("\\", "/")).rpartition("/")[2].strip(". ")
    name = PurePosixPath(last or "upload")
    return name.stem.encode()[:MAX_NAME_BYTES].decode(errors="ignore") + name.suffix[:MAX_SUFFIX]


def _copy(content: BinaryIO, path: Path) -> None:
    with path.open("wb") as copy:
        shutil.copyfileobj(content, copy, 1 << 20)
