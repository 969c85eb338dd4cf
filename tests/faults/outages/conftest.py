"""A server of the test's own in place of the run's, so that the test may stop it.

Everything else of the faults' conftest (bench, start, rows, platform, serve) then works on it.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from pydantic import SecretStr

from faults.outages.server import Server, copied, make_cluster, programs, removed
from whence.app import database as app_database
from whence.app import discovery
from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.tenancy import tokens

SAMPLE_PACKS = Path(__file__).parents[2] / "fixtures"
RUN_FOLDER = "WHENCE_TEST_FOLDER"


@pytest.fixture(scope="session")
def prepared() -> Path:
    """A stopped cluster with a database at this version, made once for the whole run of tests."""
    folder = Path(os.environ[RUN_FOLDER]) / "outages"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            binaries, account = programs(folder)
            server = Server(make_cluster(folder, binaries, account), binaries, account)
            server.start()
            try:
                with psycopg.connect(server.url, dbname="postgres", autocommit=True) as connection:
                    connection.execute("CREATE DATABASE whence")
                asyncio.run(_migrate(server.url))
            finally:
                server.stop()
            (folder / "made").touch()
    return folder / "data"


async def _migrate(url: str) -> None:
    settings = Settings(database_url=SecretStr(url), pack_dirs=[SAMPLE_PACKS])
    async with app_database.database(settings, discovery.discover(settings.pack_dirs)):
        pass


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the server's account may enter."""
    made = Path(tempfile.mkdtemp(prefix="whence-outage-"))
    made.chmod(0o755)
    yield made
    removed(made)


@pytest.fixture
def server(prepared: Path, folder: Path) -> Iterator[Server]:
    """A running server that belongs to this test."""
    made = Server(copied(prepared, folder), *programs(prepared.parent))
    try:
        made.start()
        yield made
    finally:
        made.stop("kill")


@pytest.fixture
def database_url(server: Server) -> str:
    return server.url


@pytest.fixture
async def api(platform: Platform, serve: str) -> AsyncIterator[httpx.AsyncClient]:
    """The local owner's client of a real HTTP server."""
    token = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as client:
        yield client


@pytest.fixture
def half_written(rows: Any) -> Callable[[], list[str]]:
    """`half_written()`: what stands in the tables without what belongs to it; none is right."""

    def errors() -> list[str]:
        faults: list[str] = []
        for name, query in HALVES.items():
            if count := rows.one(f"SELECT count(*) FROM ({query}) AS half"):
                faults.append(f"{count} x {name}")
        return faults

    return errors


HALVES = {
    "claim without evidence": """
        SELECT FROM whence.claims c WHERE NOT EXISTS
            (SELECT FROM whence.claim_evidence x WHERE x.claim_id = c.id)""",
    "dossier without claims": """
        SELECT FROM whence.dossiers d WHERE NOT EXISTS
            (SELECT FROM whence.claims c WHERE c.dossier_id = d.id)""",
    "cited evidence that is not there": """
        SELECT FROM whence.claim_evidence x WHERE NOT EXISTS
            (SELECT FROM whence.evidence e WHERE e.id = x.evidence_id)""",
    "run with two dossiers": """
        SELECT FROM whence.dossiers GROUP BY run_id HAVING count(*) > 1""",
    "subject with two current dossiers": """
        SELECT FROM whence.dossiers WHERE is_current
        GROUP BY kind, subject_id, flow, lane HAVING count(*) > 1""",
    "successful run without a dossier": """
        SELECT FROM whence.work r WHERE status = 'success' AND NOT EXISTS
            (SELECT FROM whence.dossiers d WHERE d.run_id = r.id)""",
    "stream whose events are not dense": """
        SELECT FROM whence.events e JOIN whence.streams s USING (stream_id)
        GROUP BY stream_id, s.last_seq HAVING max(seq) <> s.last_seq OR count(*) <> s.last_seq""",
    "active run without a job": """
        SELECT FROM whence.work r WHERE status IN ('pending', 'running') AND NOT EXISTS
            (SELECT FROM jobs.procrastinate_jobs j WHERE j.args ->> 'work_id' = r.id::text)""",
}
