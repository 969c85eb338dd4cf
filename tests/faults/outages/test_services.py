"""`whence serve` and `whence worker` as an operator starts them: in any order, through outages."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from cli.conftest import Shell
from faults.conftest import Bench
from faults.outages.server import Server, free_port
from faults.rows import Rows
from whence.app.platform import Platform
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio
WHENCE = Path(sys.executable).with_name("whence")


@contextmanager
def service(*words: str, env: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("ab") as file:
        process = subprocess.Popen([WHENCE, *words], env=os.environ | env, stdout=file, stderr=file)
    try:
        yield process
    finally:
        process.kill()
        process.wait(90)


@pytest.fixture
async def client(platform: Platform) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a port that nobody listens on yet."""
    token = await tokens.issue(platform.db, platform.owner, "test")
    base = f"http://127.0.0.1:{free_port()}"
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=base, headers=headers, timeout=30) as client:
        yield client


async def answers(client: httpx.AsyncClient, path: str, status: int) -> httpx.Response:
    """Wait until the service answers so."""
    async with asyncio.timeout(90):
        while True:
            try:
                answer = await client.get(path)
            except httpx.TransportError:
                await asyncio.sleep(0.2)
                continue
            if answer.status_code == status:
                return answer
            await asyncio.sleep(0.2)


@pytest.mark.long
async def test_they_wait_for_the_database_and_outlive_its_absence(
    bench: Bench,
    rows: Rows,
    server: Server,
    environment: dict[str, str],
    client: httpx.AsyncClient,
    tmp_path: Path,
) -> None:
    run_id = await bench.ask()
    server.stop("immediate")
    port = str(client.base_url.port)
    quick = {"WHENCE_HEARTBEAT_SECONDS": "0.5", "WHENCE_STALLED_SECONDS": "2"}
    env = environment | quick
    log = tmp_path / "log"
    with (
        service("serve", "--port", port, "--no-worker", env=env, log=log) as api,
        service("worker", env=env, log=log) as worker,
    ):
        async with asyncio.timeout(60):
            while log.read_text().count("waiting for the database") < 2:
                await asyncio.sleep(0.1)
        assert (api.poll(), worker.poll()) == (None, None), log.read_text()
        server.start()
        assert (await answers(client, "/api/notes", 200)).json()["items"]
        await bench.until(run_id)
        assert rows.faults(run_id) == []

        server.stop("kill")
        problem = await answers(client, "/api/notes", 503)
        assert "by itself" in problem.json()["detail"]
        server.start()
        await answers(client, "/api/notes", 200)
        run_id = await bench.ask()
        await bench.until(run_id)
        assert rows.faults(run_id) == []
        assert (api.poll(), worker.poll()) == (None, None), log.read_text()
        for process in (api, worker):
            process.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(process.wait, 40) == 0


def test_a_command_says_at_once_that_the_database_is_away(
    server: Server, environment: dict[str, str]
) -> None:
    server.stop("immediate")
    process = Shell(dict(os.environ) | environment).run("research", "notes/1")
    assert process.returncode != 0
    assert "WHENCE_DATABASE_URL" in process.stderr
    assert "Traceback" not in process.stderr
