"""An import that another process takes over, or that lost its process, is still carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from chat.waiting import until_it_waits
from whence.db.failures import DatabaseAway
from whence.records.imports.background import MAX_TRIES, BackgroundImports, Submission
from whence.records.imports.importer import Batch, ImportContext
from whence.records.imports.running import Importer, import_file
from whence.records.tabular.reading import Reading

pytestmark = pytest.mark.anyio
NAME = "sample_pack.notes"
CONTENT = "id,title,text\n" + "".join(f"n{at},Note,x\n" for at in range(6))
QUEUED = "SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = 'import'"
STORED = "SELECT status, added, file IS NOT NULL FROM whence.imports ORDER BY created_at"


class KilledProcess(BaseException):
    """Ends an import as a kill would: nothing of it gets to write anything more."""


@dataclass
class Imports:
    """Imports of one file of six notes, two in a batch."""

    platform: Any
    folder: Path

    @property
    def importer(self) -> Importer[Any]:
        return replace(self.platform.importer(NAME), batch_rows=2)

    def background(self, importer: Importer[Any] | None = None) -> BackgroundImports:
        return replace(self.platform.imports, importer=lambda _: importer or self.importer)

    async def submit(self) -> Submission:
        owner = self.platform.owner
        async with self.platform.unit(owner) as session:
            file = await self.platform.files.keep_bytes(session, CONTENT.encode(), "text/csv")
            return await self.background().submit(session, owner, NAME, "notes.csv", file)

    async def attempt(self, submitted: Submission, importer: Importer[Any] | None = None) -> None:
        org_id = str(self.platform.owner.org_id)
        await self.background(importer).attempt(org_id, str(submitted.id))

    async def here(self, importer: Importer[Any] | None = None) -> None:
        """Import the file in this process, as the command line does."""
        path = self.folder / "notes.csv"
        path.write_text(CONTENT, encoding="utf-8")
        platform = self.platform
        context = ImportContext(platform.owner, platform.db, platform.settings)
        await import_file(context, importer or self.importer, path)

    def killed(self) -> Importer[Any]:
        """The importer in a process that is killed in its second batch."""
        batches = 0

        async def write(batch: Batch[Any]) -> None:
            nonlocal batches
            batches += 1
            await self.importer.write(batch)
            if batches == 2:
                raise KilledProcess

        return replace(self.importer, write=write)

    def read_after(self, action: Callable[[], None]) -> Importer[Any]:
        """The importer, which does something first once it has its import."""

        def read(path: Path) -> Reading[Any]:
            action()
            return self.importer.read(path)

        return replace(self.importer, read=read)

    async def query(self, statement: str) -> list[Any]:
        async with self.platform.unit(self.platform.owner) as session:
            return [tuple(row) for row in await session.execute(text(statement))]


@pytest.fixture
def imports(platform: Any, tmp_path: Path) -> Imports:
    return Imports(platform, tmp_path)


async def test_a_worker_that_lost_an_import_leaves_the_file_to_its_successor(
    imports: Imports, database_url: str
) -> None:
    submitted = await imports.submit()

    def taken_over() -> None:
        with psycopg.connect(database_url) as admin:
            admin.execute("UPDATE whence.imports SET attempt = attempt + 1")

    await imports.attempt(submitted, imports.read_after(taken_over))
    assert await imports.query(STORED) == [("running", 0, True)]
    await imports.attempt(submitted)  # the successor died, and this is the next one
    assert await imports.query(STORED) == [("done", 6, False)]


async def test_the_file_of_a_queued_import_goes_when_another_process_ends_it(
    imports: Imports,
) -> None:
    submitted = await imports.submit()
    with pytest.raises(KilledProcess):
        await imports.attempt(submitted, imports.killed())
    await imports.here()
    assert await imports.query(STORED) == [("done", 6, False)]


async def test_an_import_whose_process_died_does_not_stand_in_for_a_queued_one(
    imports: Imports,
) -> None:
    with pytest.raises(KilledProcess):
        await imports.here(imports.killed())
    submitted = await imports.submit()
    assert submitted.created
    await imports.attempt(submitted)
    assert await imports.query("SELECT count(*) FROM sample_pack.notes") == [(6,)]
    assert ("done", 4, False) in await imports.query(STORED)


async def test_submitting_again_queues_an_import_that_lost_its_job(
    imports: Imports, database_url: str
) -> None:
    first = await imports.submit()
    with psycopg.connect(database_url) as admin:
        admin.execute("SET search_path TO jobs")
        admin.execute("DELETE FROM procrastinate_jobs")
    for _ in range(2):
        assert await imports.submit() == Submission(first.id, created=False)
        assert await imports.query(QUEUED) == [(1,)]


async def test_two_processes_that_submit_a_file_at_once_queue_it_once(
    imports: Imports, database_url: str
) -> None:
    platform, owner = imports.platform, imports.platform.owner
    async with platform.unit(owner) as session:
        file = await platform.files.keep_bytes(session, CONTENT.encode(), "text/csv")
    with psycopg.connect(database_url, autocommit=True) as watcher:
        async with platform.unit(owner) as session:
            first = await imports.background().submit(session, owner, NAME, "notes.csv", file)
            second = asyncio.create_task(imports.submit())
            await until_it_waits(watcher, second)
    assert await second == Submission(first.id, created=False)


async def test_an_outage_of_the_database_is_no_try(imports: Imports) -> None:
    async def write(batch: Batch[Any]) -> None:
        raise DatabaseAway

    submitted = await imports.submit()
    for _ in range(MAX_TRIES + 1):
        with pytest.raises(DatabaseAway):  # the queue tries again what raises
            await imports.attempt(submitted, replace(imports.importer, write=write))
    await imports.attempt(submitted)
    assert await imports.query(STORED) == [("done", 6, False)]
