"""The embedded database on a full disk, its log of changes included: room is all that it needs."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from faults.conftest import Bench, Worker
from faults.outages.small_disk import Disk, mounted
from faults.rows import Rows
from whence.app.platform import Platform
from whence.db.embedded import EmbeddedPostgres
from whence.kernel.settings import Settings

pytestmark = [pytest.mark.anyio, pytest.mark.long]
DISK_MB = 220
LONG_SECONDS = 120.0


@pytest.fixture
def disk(folder: Path) -> Iterator[Disk]:
    home = folder / "h"
    home.mkdir(mode=0o755)
    with mounted(home, DISK_MB) as disk:
        yield disk


@pytest.fixture
def settings(disk: Disk) -> Settings:
    return Settings(home=disk.folder, pack_dirs=[Path(__file__).parents[2] / "fixtures"])


@pytest.fixture
def environment(settings: Settings, platform: Platform) -> dict[str, str]:
    return {"WHENCE_HOME": str(settings.home), "WHENCE_PACK_DIRS": str(settings.pack_dirs[0])}


@pytest.fixture
def rows(disk: Disk, platform: Platform) -> Rows:
    with EmbeddedPostgres(disk.folder) as server:
        return Rows(server.admin_url)


def unusual(size: int) -> str:
    """A text that PostgreSQL cannot make small."""
    return " ".join(hashlib.sha256(str(n).encode()).hexdigest() for n in range(size))


async def test_runs_and_requests_go_on_when_there_is_room(
    bench: Bench,
    rows: Rows,
    disk: Disk,
    start: Callable[..., Worker],
    api: httpx.AsyncClient,
    half_written: Callable[[], list[str]],
) -> None:
    await start().ready()
    run_ids = [await bench.ask("sleep 3") for _ in range(3)]
    disk.fill()
    big = {"title": "A note", "text": unusual(12_000)}
    statuses: set[int] = set()
    async with asyncio.timeout(LONG_SECONDS):
        while 503 not in statuses:  # until the log of changes needs room as well
            statuses.add((await api.post("/api/notes", json=big)).status_code)
    await asyncio.sleep(10)
    assert statuses <= {201, 503}
    disk.free()
    async with asyncio.timeout(LONG_SECONDS):
        while (await api.post("/api/notes", json=big)).status_code != 201:
            await asyncio.sleep(0.5)
    await bench.until(*run_ids, seconds=LONG_SECONDS)
    assert half_written() == []
    for run_id in run_ids:
        assert rows.run(run_id)["status"] == "success"
        assert rows.faults(run_id) == []
