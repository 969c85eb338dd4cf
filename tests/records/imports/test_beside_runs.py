"""Imports have a queue of their own, and one that is told to stop twice is not lost."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import text

from chat.waiting import until_it_waits
from whence.app import build
from whence.records import store
from whence.records.imports.background import IMPORTS_AT_ONCE
from whence.records.imports.importer import Batch
from whence.work.executor import NotHandedBack

pytestmark = pytest.mark.anyio
NAME = "sample_pack.notes"


async def submitted(platform: Any, imports: Any, title: str = "One") -> UUID:
    who = platform.owner
    async with platform.unit(who) as session:
        content = f"id,title\nn1,{title}\n".encode()
        file = await platform.files.keep_bytes(session, content, "text/csv")
        return (await imports.submit(session, who, NAME, "notes.csv", file)).id


async def test_imports_that_take_long_hold_up_no_research(platform: Any) -> None:
    settings = platform.settings.model_copy(update={"worker_concurrency": 1})
    notes, who = platform.importer(NAME), platform.owner
    begun, may_end = asyncio.Semaphore(0), asyncio.Event()

    async def write(batch: Batch[Any]) -> None:
        begun.release()
        await may_end.wait()
        await notes.write(batch)

    imports = replace(platform.imports, importer=lambda _: replace(notes, write=write))
    busy = replace(platform, settings=settings, imports=imports)
    kind = platform.kind("notes")
    async with platform.unit(who) as session:
        record = kind.record(title="A note", text="one two")
        note = (await store.create(session, who, kind, record)).id
    for number in range(IMPORTS_AT_ONCE + 1):
        await submitted(platform, imports, f"Note {number}")
    async with build.worker(busy), asyncio.timeout(60):
        for _ in range(IMPORTS_AT_ONCE):
            await begun.acquire()
        async with platform.unit(who) as session:
            run = (await platform.ask(session, who, kind, note)).id
        status = text("SELECT status FROM whence.work WHERE id = :id")
        state = ""
        while state != "success":
            await asyncio.sleep(0.05)
            async with platform.unit(who) as session:
                state = await session.scalar(status, {"id": run})
        may_end.set()


async def test_an_import_that_is_told_to_stop_twice_is_tried_again(
    platform: Any, database_url: str
) -> None:
    notes, began = platform.importer(NAME), asyncio.Event()

    async def write(batch: Batch[Any]) -> None:
        began.set()
        await asyncio.Event().wait()

    imports = replace(platform.imports, importer=lambda _: replace(notes, write=write))
    import_id = await submitted(platform, imports)
    attempt = asyncio.create_task(imports.attempt(str(platform.owner.org_id), str(import_id)))
    await began.wait()
    with (
        psycopg.connect(database_url, autocommit=True) as watcher,
        psycopg.connect(database_url) as holder,
    ):
        holder.execute("LOCK TABLE jobs.procrastinate_jobs IN SHARE MODE")
        attempt.cancel()
        await until_it_waits(watcher, attempt)
        attempt.cancel()
        with pytest.raises(NotHandedBack):  # the queue tries again what raises
            await attempt
