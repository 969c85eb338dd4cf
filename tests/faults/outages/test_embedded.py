"""The embedded server is killed or stopped under living programs: their keeper brings it back."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from pathlib import Path

import httpx
import psycopg
import pytest

from faults.conftest import Bench, Worker
from faults.rows import Rows
from whence.app.platform import Platform
from whence.db.embedded import EmbeddedPostgres
from whence.db.embedded.layout import Layout
from whence.db.embedded.processes import postmaster
from whence.kernel.settings import Settings

pytestmark = pytest.mark.anyio
BLOWS = {
    "killed": signal.SIGKILL,
    "stopped at once": signal.SIGQUIT,
    "stopped": signal.SIGINT,
    "asked to leave once its users have": signal.SIGTERM,
}


@pytest.fixture
def home(folder: Path) -> Path:
    """Where the embedded server of a test lies."""
    made = folder / "h"
    made.mkdir(mode=0o755)
    return made


@pytest.fixture
def settings(home: Path) -> Settings:
    return Settings(home=home, pack_dirs=[Path(__file__).parents[2] / "fixtures"])


@pytest.fixture
def environment(home: Path, settings: Settings, platform: Platform) -> dict[str, str]:
    """Workers join the server that this process keeps as well."""
    return {"WHENCE_HOME": str(home), "WHENCE_PACK_DIRS": str(settings.pack_dirs[0])}


@pytest.fixture
def rows(home: Path, platform: Platform) -> Rows:
    with EmbeddedPostgres(home) as server:
        return Rows(server.admin_url)


async def back(rows: Rows) -> None:
    """Wait until the server takes connections again."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(psycopg.OperationalError):
                rows.one("SELECT 1")
                return
            await asyncio.sleep(0.1)


@pytest.mark.long
async def test_a_run_goes_on_however_it_is_ended(
    bench: Bench,
    rows: Rows,
    home: Path,
    start: Callable[..., Worker],
    api: httpx.AsyncClient,
    half_written: Callable[[], list[str]],
) -> None:
    await start().ready()
    for name, blow in BLOWS.items():
        run_id = await bench.ask("sleep 2")
        query = "SELECT count(*) FROM whence.runs WHERE id = %s AND current_node = 'act'"
        async with asyncio.timeout(30):
            while not rows.one(query, run_id):
                await asyncio.sleep(0.02)
        pid = postmaster(Layout.of(home))
        assert pid is not None
        os.kill(pid, blow)
        answer = await api.get("/api/notes")
        assert answer.status_code in (200, 503), answer.text
        await back(rows)
        await bench.until(run_id)
        assert rows.run(run_id)["status"] == "success", name
        assert rows.faults(run_id) == []
        assert half_written() == []
    assert (await api.get("/api/notes")).status_code == 200
