"""An import is cancelled at once or by a worker, and is finished and audited exactly once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from whence.kernel.errors import Invalid
from whence.records.imports.background import BackgroundImports
from whence.records.imports.importer import Batch, ImportContext
from whence.records.imports.running import Importer, import_file

pytestmark = pytest.mark.anyio
NAME = "sample_pack.notes"
QUEUED = "FROM jobs.procrastinate_jobs WHERE task_name = 'import'"
LINES = "SELECT detail->>'status', detail->>'added' FROM whence.audit_log WHERE kind = 'imports'"


class KilledProcess(BaseException):
    """Ends an import as a kill would: nothing of it gets to write anything more."""


@dataclass
class Imports:
    """An importer of notes that counts how often it was finished."""

    platform: Any
    folder: Path
    finished: int = 0

    @property
    def context(self) -> ImportContext:
        return ImportContext(self.platform.owner, self.platform.db, self.platform.settings)

    @property
    def importer(self) -> Importer[Any]:
        async def finish(_: object) -> None:
            self.finished += 1

        return replace(self.platform.importer(NAME), batch_rows=2, finish=finish)

    @property
    def background(self) -> BackgroundImports:
        return replace(self.platform.imports, importer=lambda _: self.importer)

    @property
    def file(self) -> Path:
        path = self.folder / "notes.csv"
        path.write_text("id,title,text\n" + "".join(f"n{at},Note,x\n" for at in range(6)))
        return path

    async def query(self, statement: str) -> list[Any]:
        async with self.platform.unit(self.platform.owner) as session:
            return [tuple(row) for row in await session.execute(text(statement))]

    async def cut_off(self) -> UUID:
        """An import whose process died in its second batch."""
        batches = 0

        async def write(batch: Batch[Any]) -> None:
            nonlocal batches
            batches += 1
            await self.importer.write(batch)
            if batches == 2:
                raise KilledProcess

        with pytest.raises(KilledProcess):
            await import_file(self.context, replace(self.importer, write=write), self.file)
        [(import_id,)] = await self.query("SELECT id FROM whence.imports")
        return import_id

    async def work(self) -> None:
        """Carry out the queued attempts, as a worker does."""
        for (arguments,) in await self.query(f"SELECT args {QUEUED}"):
            await self.background.attempt(**arguments)

    async def cancel(self, import_id: UUID, imports: BackgroundImports | None = None) -> str:
        async with self.platform.unit(self.platform.owner) as session:
            cancel = (imports or self.background).cancel
            return (await cancel(session, self.platform.owner, import_id)).status


@pytest.fixture
def imports(platform: Any, tmp_path: Path) -> Imports:
    return Imports(platform, tmp_path)


async def test_an_import_that_waits_is_audited_and_keeps_its_file(imports: Imports) -> None:
    platform = imports.platform
    async with platform.unit(platform.owner) as session:
        content = imports.file.read_bytes()
        file = await platform.files.keep_bytes(session, content, "text/csv")
        submitted = await platform.imports.submit(session, platform.owner, NAME, "n.csv", file)
    assert await imports.cancel(submitted.id) == "cancelled"
    assert await imports.query(LINES) == [("cancelled", "0")]
    assert await imports.query("SELECT file = digest FROM whence.imports") == [(True,)]
    assert imports.finished == 0


async def test_an_import_whose_process_died_is_finished_and_audited_once(imports: Imports) -> None:
    import_id = await imports.cut_off()
    for _ in range(2):
        assert await imports.cancel(import_id) == "running"
    assert imports.finished == 0  # by the request, which runs no code of a pack
    assert await imports.query(f"SELECT count(*) {QUEUED}") == [(1,)]
    await imports.work()
    await imports.work()
    assert await imports.cancel(import_id) == "cancelled"
    assert await imports.query(LINES) == [("cancelled", "2")]
    assert imports.finished == 1


async def test_a_worker_ends_it_also_if_its_requester_has_left(
    imports: Imports, new_principal: Any
) -> None:
    import_id = await imports.cut_off()
    await imports.cancel(import_id)
    stranger = new_principal()
    leaving = text("UPDATE whence.imports SET requested_by = :user")
    async with imports.platform.unit(imports.platform.owner) as session:
        await session.execute(leaving, {"user": stranger.user_id})
    await imports.work()
    assert await imports.query("SELECT status FROM whence.imports") == [("cancelled",)]
    audited = await imports.query("SELECT user_id FROM whence.audit_log WHERE kind = 'imports'")
    assert audited == [(imports.platform.owner.user_id,)]


async def test_an_importer_with_nothing_to_finish_is_cancelled_at_once(imports: Imports) -> None:
    import_id = await imports.cut_off()
    notes = replace(imports.importer, finish=None)
    plain = replace(imports.platform.imports, importer=lambda _: notes)
    assert await imports.cancel(import_id, plain) == "cancelled"
    assert await imports.query(f"SELECT count(*) {QUEUED}") == [(0,)]


async def test_an_import_of_a_pack_that_is_gone_is_cancelled_all_the_same(
    imports: Imports,
) -> None:
    def gone(name: str) -> Importer[Any]:
        raise Invalid(f"There is no importer {name}.")

    import_id = await imports.cut_off()
    missing = replace(imports.platform.imports, importer=gone)
    assert await imports.cancel(import_id, missing) == "cancelled"
    assert await imports.query(LINES) == [("cancelled", "2")]


async def test_an_interrupted_import_ends_after_the_batch_that_is_being_written(
    imports: Imports,
) -> None:
    writes, goes_on = asyncio.Event(), asyncio.Event()

    async def write(batch: Batch[Any]) -> None:
        writes.set()
        await goes_on.wait()
        await imports.importer.write(batch)

    importer = replace(imports.importer, write=write)
    task = asyncio.create_task(import_file(imports.context, importer, imports.file))
    await writes.wait()
    task.cancel()
    await asyncio.sleep(0)
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await imports.query("SELECT status, added FROM whence.imports") == [("cancelled", 2)]
    assert await imports.query("SELECT count(*) FROM sample_pack.notes") == [(2,)]


async def test_an_import_that_is_interrupted_twice_leaves_no_batch_behind(
    imports: Imports,
) -> None:
    writes = asyncio.Event()
    batches: list[asyncio.Task[Any]] = []

    async def write(batch: Batch[Any]) -> None:
        task = asyncio.current_task()
        assert task is not None
        batches.append(task)
        writes.set()
        await asyncio.Event().wait()

    importer = replace(imports.importer, write=write)
    importing = import_file(imports.context, importer, imports.file, is_over_when_stopped=False)
    task = asyncio.create_task(importing)
    await writes.wait()
    for _ in range(2):
        task.cancel()
        for _ in range(5):  # until it waits for the batch
            await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [each.done() for each in batches] == [True]
