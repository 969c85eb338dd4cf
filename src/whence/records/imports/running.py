"""Run an import: read a batch in a thread, write it and the position in one transaction.

The next batch is read while one is written.  No transaction waits for the file, as the database
would end an idle one.  A process that dies loses only its current batch; the next one continues
after the last committed batch.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import Invalid, StaleAttempt, Unavailable, WhenceError
from whence.kernel.text import one_line
from whence.records.imports import ledger
from whence.records.imports.completion import Finish, complete
from whence.records.imports.importer import Batch, ImportContext, ImportReport, Progress
from whence.records.imports.reports import report_of
from whence.records.imports.undo_batch import Undo
from whence.records.kind import SubjectKind
from whence.records.tabular.mapping import column_mapping
from whence.records.tabular.reading import Reading, Refused, Repeat, Report, Row
from whence.tenancy.principal import Scope

R = TypeVar("R")
CHUNK_BYTES = 1 << 20
BATCH_ROWS = 2_000
"""Rows per transaction: quick to write, small in memory."""
LAST_BATCH_SECONDS = 3.0
"""What a batch that is being written gets to end, once the import is to stop; workers have 5."""


@dataclass(frozen=True)
class Importer(Generic[R]):
    """`whence import <pack>.<name> PATH`: reads a file and writes it in batches.

    `read` opens the file; it and the reading run in a thread, outside any transaction.  `write`
    writes one batch in the transaction that also stores the position: it may run again for a batch
    whose transaction failed, but never for a committed one.  What takes seconds, such as opening
    pictures, belongs in `prepare`, which runs before that transaction: the database ends one that
    waits.  `finish` runs once, after the last batch or when an import ends early.
    """

    name: str
    title: str
    read: Callable[[Path], Reading[R]]
    write: Callable[[Batch[R]], Awaitable[None]]
    finish: Finish | None = None
    undo: Undo | None = None
    """Undoes a batch of what it wrote, such as `undo_records(KIND)`; None if it cannot."""
    kind: SubjectKind | None = None
    """The kind of the records that it writes, if they are records of a kind."""
    batch_rows: int = BATCH_ROWS
    prepare: Callable[[Sequence[Row[R]]], Awaitable[Mapping[str, Any]]] | None = None
    """Looks at the rows of a batch; the writer gets the result as `Batch.prepared`."""

    async def run(self, context: ImportContext, path: Path) -> ImportReport:
        """Import a local file in this process.  Raises what `import_file` raises."""
        return await import_file(context, self, path)


async def import_file(
    context: ImportContext,
    importer: Importer[Any],
    path: Path,
    *,
    import_id: UUID | None = None,
    filename: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    is_over_when_stopped: bool = True,
) -> ImportReport:
    """Import a file; an interrupted import of the same person and content is continued.

    If the task is cancelled, the import is cancelled too, unless `is_over_when_stopped` is false:
    then another process continues it.

    Raises Invalid for an unreadable file, ImportCancelled, StaleAttempt if another process has
    taken the import over, and the errors of the importer's `write`.
    """
    context.principal.require(Scope.WRITE)
    digest, size = await asyncio.to_thread(_digest, path)
    source = ledger.Source(
        importer.name,
        one_line(filename or path.name),
        digest,
        size,
        context.clear_empty,
        context.mapping,
        context.is_sample,
    )
    async with context.db.unit(context.principal.org_id) as session:
        claim = await ledger.enter(session, context.principal, source, import_id)
    running = _Running(context, importer, path, source, claim, on_progress)
    try:
        await running.read_all()
    except ledger.ImportDone:
        pass  # another request has imported the same file: return its report
    except ledger.ImportCancelled:
        await running.cut_short("cancelled")
        raise
    except (StaleAttempt, Unavailable):
        raise  # another process has the import, or will continue it
    except WhenceError as error:
        await running.cut_short("failed", error)
        raise
    except asyncio.CancelledError:
        if is_over_when_stopped:
            await asyncio.shield(running.cut_short("cancelled"))
        raise
    async with context.db.unit(context.principal.org_id) as session:
        return await report_of(session, claim.import_id)


@dataclass(frozen=True)
class _Part(Generic[R]):
    """Rows that were read together, and the position after them."""

    results: Sequence[Row[R] | Refused]
    progress: Progress
    report: Report
    repeats: Sequence[Repeat]
    """Rows that the reading left out because it had read them before."""


@dataclass
class _Running(Generic[R]):
    context: ImportContext
    importer: Importer[R]
    path: Path
    source: ledger.Source
    claim: ledger.Claim
    on_progress: Callable[[Progress], None] | None
    problems: int = field(default=0, init=False)
    """Refused rows and warnings stored so far."""

    async def read_all(self) -> None:
        reading = await asyncio.to_thread(self._opened)
        part = await asyncio.to_thread(self._next, reading)
        while part.results:
            following = asyncio.create_task(asyncio.to_thread(self._next, reading))
            try:
                await self._write_whole(part)
            except BaseException:  # also a cancellation: the thread ends before the import does
                await asyncio.gather(following, return_exceptions=True)  # wait for the thread
                raise
            if self.on_progress:
                self.on_progress(part.progress)
            part = await following
        await self._finish(part)

    async def cut_short(self, status: str, error: WhenceError | None = None) -> None:
        """End the import early; committed batches stay."""
        who = self.context.principal
        async with self.context.db.unit(who.org_id) as session:
            message = error.message if error else None
            if await ledger.end(session, self.claim, status, message):
                await self._complete(session)

    def _opened(self) -> Reading[R]:
        with column_mapping(self.claim.mapping):
            reading = self.importer.read(self.path)
        reading.skip(self.claim.position)
        return reading

    def _next(self, reading: Reading[R]) -> _Part[R]:
        results = list(islice(reading, self.importer.batch_rows))
        meter = reading.table.meter
        progress = Progress(reading.position, meter.done, meter.total)
        return _Part(results, progress, reading.report, reading.take_repeats())

    async def _write_whole(self, part: _Part[R]) -> None:
        """Write a batch; where the task is cancelled meanwhile, the batch is finished if it can be.

        The driver cannot cancel a COPY that is being sent, and would drop the connection.
        """
        rows = [each for each in part.results if isinstance(each, Row)]
        prepared = await self.importer.prepare(rows) if self.importer.prepare else {}
        writing = asyncio.create_task(self._write(part, rows, prepared))
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            try:
                await asyncio.wait({writing}, timeout=LAST_BATCH_SECONDS)
            finally:  # also where the task is cancelled again
                writing.cancel()
                await asyncio.gather(writing, return_exceptions=True)
            raise

    async def _write(
        self, part: _Part[R], rows: Sequence[Row[R]], prepared: Mapping[str, Any]
    ) -> None:
        who = self.context.principal
        async with self.context.db.unit(who.org_id) as session:
            await ledger.fence(session, self.claim)
            fresh, refused, repeats = await ledger.only_new(session, self.claim, rows)
            batch: Batch[R] = Batch(
                session,
                who,
                self.context.files,
                self.claim.import_id,
                fresh,
                clear_empty=self.claim.clear_empty,
                prepared=prepared,
            )
            batch.refused += [each for each in part.results if isinstance(each, Refused)]
            batch.refused += refused
            batch.warnings += [(row.line, each) for row in fresh for each in row.warnings]
            await self.importer.write(batch)
            await self._save(part, batch, repeats)

    async def _save(
        self,
        part: _Part[R],
        batch: Batch[R],
        repeats: Sequence[Repeat] = (),
        notes: Sequence[str] = (),
    ) -> None:
        if not self.problems:
            self.problems = await ledger.problems(batch.session, self.claim.import_id)
        repeats = [*part.repeats, *repeats]
        batch.warnings += [(each.line, each.warning) for each in repeats]
        batch.warnings.sort(key=lambda each: each[0])
        batch.refused.sort(key=lambda each: each.line)
        await ledger.save(
            batch.session,
            batch,
            len(repeats),
            part.progress,
            _understood(part.report, notes),
            self.problems,
        )
        self.problems += len(batch.refused) + len(batch.warnings)

    async def _drop_unchanged(self) -> None:
        after: str | None = ""
        while after is not None:
            async with self.context.db.unit(self.context.principal.org_id) as session:
                await ledger.fence(session, self.claim)
                after = await ledger.drop_unchanged(session, self.claim, after)

    async def _finish(self, part: _Part[R]) -> None:
        who = self.context.principal
        await self._drop_unchanged()
        async with self.context.db.unit(who.org_id) as session:
            await ledger.fence(session, self.claim)
            batch: Batch[R] = Batch(session, who, self.context.files, self.claim.import_id, ())
            whole = replace(part, progress=replace(part.progress, done=part.progress.total))
            await self._save(whole, batch, notes=await self._earlier(session))
            await ledger.end(session, self.claim, "done")
            await self._complete(session)

    async def _earlier(self, session: AsyncSession) -> list[str]:
        earlier = await ledger.earlier_import(session, self.source, self.claim.import_id)
        if earlier is None:
            return []
        report = await report_of(session, self.claim.import_id, most=0)
        changed = report.added + report.updated
        result = f"{changed} records had changed since" if changed else "nothing has changed"
        return [f"The same file was imported on {earlier:%Y-%m-%d at %H:%M} UTC; {result}."]

    async def _complete(self, session: AsyncSession) -> None:
        who, import_id = self.context.principal, self.claim.import_id
        await complete(session, who, import_id, self.importer.finish)


def _understood(report: Report, notes: Sequence[str]) -> dict[str, object]:
    return {
        "format": report.format,
        "encoding": report.encoding,
        "mapping": dict(report.mapping),
        "ignored": list(report.ignored),
        "notes": [*report.notes, *notes],
    }


def _digest(path: Path) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                digest.update(chunk)
                size += len(chunk)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Invalid(f"{path} cannot be read: {reason}.") from error
    return digest.hexdigest(), size
