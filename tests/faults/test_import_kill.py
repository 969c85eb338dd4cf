"""kill -9 in the middle of an import: the next worker goes on, and nothing is lost or doubled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from faults.conftest import Bench, Worker

pytestmark = pytest.mark.anyio

ROWS = 20_000
KILLS = 2


async def test_an_import_whose_workers_are_killed_is_finished_by_the_next(
    bench: Bench, start: Callable[..., Worker]
) -> None:
    lines = "".join(f"n{at},Note {at},text of note {at}\n" for at in range(ROWS))
    platform, owner, rows = bench.platform, bench.platform.owner, bench.rows
    async with platform.unit(owner) as session:
        content = f"id,title,text\n{lines}bad,,without a title\n".encode()
        file = await platform.files.keep_bytes(session, content, "application/octet-stream")
        name = "sample_pack.notes"
        await platform.imports.submit(session, owner, name, "notes.csv", file)

    async def until_beyond(position: int) -> int:
        async with asyncio.timeout(60):
            while (at := rows.one("SELECT position FROM whence.imports")) <= position:
                await asyncio.sleep(0.01)
        return at

    position = 0
    for _ in range(KILLS):
        worker = start()
        position = await until_beyond(position)
        await worker.end()
        position = rows.one("SELECT position FROM whence.imports")
        assert 0 < position < ROWS, "it was killed in the middle"
        assert rows.one("SELECT count(*) FROM sample_pack.notes") == position
    start()
    async with asyncio.timeout(120):
        while rows.one("SELECT status FROM whence.imports") != "done":
            await asyncio.sleep(0.05)
    [stored] = rows.all("SELECT added, updated, unchanged, refused, attempt FROM whence.imports")
    assert stored == {
        "added": ROWS, "updated": 0, "unchanged": 0, "refused": 1, "attempt": KILLS + 1,
    }  # fmt: skip
    assert rows.one("SELECT count(*) FROM sample_pack.notes") == ROWS
    assert rows.one("SELECT count(*) FROM whence.import_rows") == ROWS
    assert rows.one("SELECT count(*) FROM whence.import_problems") == 1
    ends = "SELECT count(*) FROM whence.audit_log WHERE kind = 'imports'"
    assert rows.one(ends) == 1
