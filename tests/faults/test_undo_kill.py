"""kill -9 in the middle of an undo: the next worker goes on, and every record is undone once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from faults.conftest import Bench, Worker
from whence.records.imports.importer import ImportContext

pytestmark = pytest.mark.anyio

ROWS = 10_000
UNDONE = "SELECT undo_deleted FROM whence.imports"


async def test_an_undo_whose_worker_is_killed_is_finished_by_the_next(
    bench: Bench, start: Callable[..., Worker], tmp_path: Path
) -> None:
    platform, owner, rows = bench.platform, bench.platform.owner, bench.rows
    path = tmp_path / "notes.csv"
    lines = "".join(f"n{at},Note {at},text of note {at}\n" for at in range(ROWS))
    path.write_text(f"id,title,text\n{lines}")
    context = ImportContext(owner, platform.db, platform.settings)
    report = await platform.importer("sample_pack.notes").run(context, path)
    async with platform.unit(owner) as session:
        await platform.import_undo.request(session, owner, report.id)

    worker = start()
    async with asyncio.timeout(60):
        while not rows.one(UNDONE):
            await asyncio.sleep(0.01)
    await worker.end()
    undone = rows.one(UNDONE)
    assert 0 < undone < ROWS, "it was killed in the middle"
    there = "SELECT count(*) FROM sample_pack.notes WHERE deleted_at IS NULL"
    assert rows.one(there) == ROWS - undone

    start()
    async with asyncio.timeout(120):
        while rows.one("SELECT undo_status FROM whence.imports") != "done":
            await asyncio.sleep(0.05)
    assert rows.one(UNDONE) == ROWS
    assert rows.one(there) == 0
    deletions = "SELECT count(*) FROM whence.audit_log WHERE kind = 'notes' AND action = 'delete'"
    assert rows.one(deletions) == ROWS
    assert rows.one("SELECT count(*) FROM whence.audit_log WHERE action = 'undo_import'") == 1
