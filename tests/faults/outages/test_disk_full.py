"""The database's disk is full: it is said, nothing is half-written, and room is all it takes."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from faults.conftest import Bench, Worker
from faults.outages.server import Server, copied, programs
from faults.outages.small_disk import Disk, mounted
from faults.rows import Rows

pytestmark = pytest.mark.anyio
DISK_MB = 96


@pytest.fixture
def disk(folder: Path) -> Iterator[Disk]:
    place = folder / "disk"
    place.mkdir()
    with mounted(place, DISK_MB) as disk:
        yield disk


@pytest.fixture
def server(prepared: Path, disk: Disk, folder: Path) -> Iterator[Server]:
    """A server whose tables are on the small disk, and whose log of changes is elsewhere."""
    data = copied(prepared, disk.folder)
    elsewhere = folder / "log-of-changes"
    subprocess.run(["cp", "-a", str(data / "pg_wal"), str(elsewhere)], check=True, timeout=120)
    shutil.rmtree(data / "pg_wal")
    (data / "pg_wal").symlink_to(elsewhere)
    made = Server(data, *programs(prepared.parent))
    try:
        made.start()
        yield made
    finally:
        made.stop("kill")


def unusual(words: int) -> str:
    """A text that PostgreSQL cannot compress to nothing."""
    return " ".join(hashlib.sha256(str(n).encode()).hexdigest() for n in range(words))


async def test_it_is_said_and_work_goes_on_when_there_is_room(
    api: httpx.AsyncClient,
    bench: Bench,
    rows: Rows,
    disk: Disk,
    start: Callable[..., Worker],
    half_written: Callable[[], list[str]],
) -> None:
    notes = [await bench.note(unusual(3000)) for _ in range(3)]
    disk.fill()
    big = {"title": "A note", "text": unusual(15_000)}
    answer = await api.post("/api/notes", json=big)
    assert answer.status_code == 503, answer.text
    assert "disk is full" in answer.json()["detail"]
    assert (await api.get("/api/notes")).status_code == 200
    await start().ready()
    questions: list[Any] = []
    for note in notes:
        answer = await api.post(f"/api/notes/{note}/research", json={})
        assert answer.status_code in (202, 503), answer.text
        questions += [answer.json()["jobId"]] if answer.status_code == 202 else []
    await asyncio.sleep(3)
    assert half_written() == []
    disk.free()
    for note in notes:
        answer = await api.post(f"/api/notes/{note}/research", json={})
        assert answer.status_code == 202, answer.text
        questions.append(answer.json()["jobId"])
    await bench.until(*questions)
    assert [fault for run_id in questions for fault in rows.faults(run_id)] == []
    assert {rows.run(run_id)["status"] for run_id in questions} == {"success"}
    assert half_written() == []
    assert (await api.post("/api/notes", json=big)).status_code == 201
