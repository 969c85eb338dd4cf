"""The API on one host, two workers on others; one of them is cut off in the middle of a run."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from faults.outages.hosts import Host, hosts
from faults.outages.server import PASSWORD, USER, Server, copied, programs

pytestmark = [pytest.mark.anyio, pytest.mark.long]
TESTS = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("host_program.py")
NOTICED_SECONDS = 25.0
"""Within which both ends of a dead link have noticed: 10 s of silence, and a loaded machine."""
DATABASE_PORT = 5432


class Program:
    """A running program of a host."""

    def __init__(self, process: subprocess.Popen[str], file: Path) -> None:
        self.process, self._file = process, file

    async def ready(self) -> str:
        """What it says once it works."""
        async with asyncio.timeout(60):
            while not self._file.exists():
                assert self.process.poll() is None, "the program ended"
                await asyncio.sleep(0.05)
        return self._file.read_text()

    def has_database(self) -> bool:
        """Whether its host has a connection to the database that it believes in."""
        table = Path(f"/proc/{self.process.pid}/net/tcp").read_text().splitlines()[1:]
        peers = [line.split()[2:4] for line in table]
        return any(at.endswith(f":{DATABASE_PORT:04X}") and state == "01" for at, state in peers)

    def ask(self, **question: Any) -> Any:
        """A console's answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


class Site:
    """A host for the database, one for the API and two for workers, and what runs on them."""

    def __init__(self, four: list[Host], server: Server, folder: Path) -> None:
        self.database, self.api, *self.workers = four
        self._server, self._folder = server, folder
        self._started: list[Program] = []
        self._seen = self.start(self.database, "console")
        self._hand = self.start(self.api, "console")

    def start(self, host: Host, kind: str) -> Program:
        """Start a program on a host."""
        number = len(self._started)
        home = self._folder / f"home-{number}"
        home.mkdir()
        url = f"postgresql://{USER}:{PASSWORD}@{self._server.address}:{DATABASE_PORT}/whence"
        file = home / "said"
        paths = [str(TESTS), *os.environ.get("PYTHONPATH", "").split(":")]
        own = {
            "WHENCE_HOME": str(home),
            "WHENCE_DATABASE_URL": url,
            "WHENCE_PACK_DIRS": str(TESTS / "fixtures"),
            "WHENCE_HEARTBEAT_SECONDS": "0.5",
            "WHENCE_STALLED_SECONDS": "2",
            "PYTHONPATH": ":".join(filter(None, paths)),
        }
        where = url if kind == "console" else str(file)
        with (self._folder / f"{number}-{kind}.log").open("ab") as log:
            process = subprocess.Popen(
                [*host.inside, sys.executable, str(PROGRAM), kind, where],
                env=os.environ | own,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE if kind == "console" else log,
                stderr=log,
                text=True,
            )
        self._started.append(Program(process, file))
        return self._started[-1]

    def rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        return self._seen.ask(what="rows", query=query, values=values)

    def faults(self, run_id: str) -> list[str]:
        return self._seen.ask(what="faults", run=run_id)

    def of_run(self, run_id: str) -> dict[str, list[str]]:
        return self._seen.ask(what="of_run", run=run_id)

    def call(self, token: str, path: str, body: object = None) -> Any:
        """The API's answer, asked on its own host."""
        return self._hand.ask(what="http", path=path, body=body, token=token)

    def logs(self) -> str:
        """The last words of all programs."""
        logs = self._folder.glob("*.log")
        return "\n".join(f"{log.name}: {log.read_text(errors='replace')[-1500:]}" for log in logs)

    def close(self) -> None:
        """End what was started here."""
        for program in self._started:
            program.process.kill()  # `ip netns exec` became the program itself
            program.process.communicate(timeout=20)


@pytest.fixture
def site(prepared: Path, folder: Path) -> Iterator[Site]:
    with ExitStack() as stack:
        four = stack.enter_context(hosts(4))
        data, first = copied(prepared, folder), four[0]
        server = Server(
            data, *programs(prepared.parent), address=first.address, inside=first.inside
        )
        server.port = DATABASE_PORT
        stack.callback(server.stop, "kill")
        server.start()
        made = Site(four, server, folder)
        stack.callback(made.close)
        yield made


async def until(site: Site, what: str, holds: Callable[[], bool], seconds: float = 60) -> None:
    try:
        async with asyncio.timeout(seconds):
            while not holds():
                await asyncio.sleep(0.2)
    except TimeoutError:
        pytest.fail(f"{what} did not come about in {seconds:g} s\n{site.logs()}")


def status(site: Site, run_id: str) -> str:
    [run] = site.rows("SELECT status FROM whence.work WHERE id = %s", run_id)
    return run["status"]


async def request_research(site: Site, token: str, text: str) -> str:
    """Ask the API for the research of a new note."""
    note = site.call(token, "/api/notes", {"title": "A note", "text": text})
    return site.call(token, f"/api/notes/{note['id']}/research", {})["jobId"]


async def test_a_worker_that_is_cut_off_loses_its_run_and_doubles_nothing_when_it_is_back(
    site: Site,
) -> None:
    first, second = site.workers
    api, old = site.start(site.api, "api"), site.start(first, "worker")
    token = await api.ready()
    await old.ready()
    run_id = await request_research(site, token, "sleep 4")
    node = "SELECT FROM whence.runs WHERE id = %s AND current_node = 'act'"
    await until(site, "the run's second node", lambda: bool(site.rows(node, run_id)))
    new = site.start(second, "worker")
    first.cut()
    await new.ready()

    await until(site, "the end of the run", lambda: status(site, run_id) == "success")
    [run] = site.rows("SELECT attempt FROM whence.work WHERE id = %s", run_id)
    assert run["attempt"] == 2
    assert site.faults(run_id) == []
    left = f"SELECT FROM pg_stat_activity WHERE client_addr = '{first.address}'"
    await until(site, "the server's letting go", lambda: not site.rows(left), NOTICED_SECONDS)
    await until(site, "the worker's noticing", lambda: not old.has_database(), NOTICED_SECONDS)
    before = site.of_run(run_id)

    first.heal()
    await until(site, "the worker's return", lambda: bool(site.rows(left)))
    jobs = "SELECT FROM jobs.procrastinate_jobs"
    await until(site, "the end of its old job", lambda: not site.rows(jobs))
    assert site.of_run(run_id) == before
    assert site.faults(run_id) == []

    new.process.send_signal(signal.SIGTERM)
    new.process.wait(30)
    next_id = await request_research(site, token, "plain words")
    await until(site, "its next run", lambda: status(site, next_id) == "success")
    assert site.faults(next_id) == []
