"""Worker processes that can be killed, and a bench that asks for runs and reads their rows."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

import psutil
import pytest

from conftest import FOLDER
from faults import flows, market
from faults.nursery import Order
from faults.rows import ENDED, Rows
from nursery import Nursery, nursery
from whence.app import build
from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.records import store
from whence.research import runs
from whence.research.flow import Flow
from whence.research.versions import Flows

HERE = Path(__file__).parent
START_SECONDS = 60.0
QUICK = {"WHENCE_HEARTBEAT_SECONDS": "0.4", "WHENCE_STALLED_SECONDS": "1.2"}
"""A heartbeat for tests that wait for its silence."""


@dataclass(frozen=True)
class Worker:
    """A forked worker process."""

    process: psutil.Process
    file: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    def is_there(self) -> bool:
        with contextlib.suppress(psutil.NoSuchProcess):
            return self.process.is_running() and self.process.status() != psutil.STATUS_ZOMBIE
        return False

    async def ready(self) -> str:
        """Wait until it works; the address of an API process."""
        file = self.file.with_suffix(".ready")
        await self._while_there(file, START_SECONDS)
        return file.read_text()

    async def struck(self, seconds: float = START_SECONDS) -> None:
        """Wait until it has come to its point."""
        await self._while_there(self.file, seconds)

    async def _while_there(self, file: Path, seconds: float) -> None:
        def is_written() -> bool:
            there = self.is_there()
            assert file.exists() or there, "the worker ended before it came there"
            return file.exists()

        await _until(is_written, seconds)

    async def gone(self, seconds: float = 120) -> None:
        """Wait until there is no such process."""
        await _until(lambda: not self.is_there(), seconds)

    async def stopped(self) -> None:
        """Wait until it has stopped itself."""
        await self.struck()
        await _until(lambda: self.process.status() == psutil.STATUS_STOPPED, 10)

    def send(self, number: int) -> None:
        self.process.send_signal(number)

    async def end(self, number: int = signal.SIGKILL) -> None:
        """Send a signal and wait for the end."""
        self.send(number)
        await self.gone()


async def _until(holds: Callable[[], bool], seconds: float) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.02)


@dataclass(frozen=True)
class Bench:
    """Runs of notes: asked for, waited for, read from the tables."""

    platform: Platform
    rows: Rows

    async def note(self, text: str = "plain words stand here") -> UUID:
        kind, owner = self.platform.kind("notes"), self.platform.owner
        async with self.platform.unit(owner) as session:
            return (
                await store.create(session, owner, kind, kind.record(title="A note", text=text))
            ).id

    async def ask(self, note: UUID | str | None = None, **more: Any) -> UUID:
        """Ask for the research of a note, or of a new one with this text."""
        platform = self.platform
        if not isinstance(note, UUID):
            note = await (self.note(note) if note else self.note())
        async with platform.unit(platform.owner) as session:
            work = (platform.queue, platform.owner, platform.kind("notes"), flows.scripted())
            return (await runs.request(session, *work, note, **more)).id

    async def until(self, *run_ids: UUID, status: str = "", seconds: float = 60) -> None:
        """Wait until all of them have ended, or are in this state."""
        wanted = [status] if status else list(ENDED)
        query = "SELECT count(*) FROM whence.work WHERE id = ANY(%s) AND status = ANY(%s)"
        async with asyncio.timeout(seconds):
            while self.rows.one(query, list(run_ids), wanted) < len(run_ids):
                await asyncio.sleep(0.05)

    async def until_in(self, node: str, *run_ids: UUID, seconds: float = 60) -> None:
        """Wait until each of them has begun this node."""
        query = (
            "SELECT count(DISTINCT run_id) FROM whence.run_steps "
            "WHERE run_id = ANY(%s) AND node = %s"
        )
        async with asyncio.timeout(seconds):
            while self.rows.one(query, list(run_ids), node) < len(run_ids):
                await asyncio.sleep(0.05)

    async def cancel(self, run_id: UUID) -> None:
        async with self.platform.unit(self.platform.owner) as session:
            await runs.cancel(session, self.platform.owner, run_id)

    @asynccontextmanager
    async def working(self, flow: Flow, **settings: Any) -> AsyncGenerator[None]:
        """A worker in this process, for what only has to be finished."""
        settings = {"heartbeat_seconds": 0.4, "stalled_seconds": 1.2} | settings
        changed = replace(
            self.platform,
            flows=Flows([flow]),
            settings=self.platform.settings.model_copy(update=settings),
        )
        async with build.worker(changed):
            yield


@pytest.fixture(autouse=True)
def _sweeps_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whence.work.sweeper.SWEEP_SECONDS", 0.3)


@pytest.fixture
def rows(database_url: str) -> Rows:
    return Rows(database_url)


@pytest.fixture
def bench(platform: Platform, rows: Rows) -> Bench:
    return Bench(platform, rows)


@pytest.fixture
def outside() -> Iterator[market.Market]:
    """The local market and model."""
    with market.opened() as opened:
        yield opened


@pytest.fixture(scope="session")
def worker_nursery() -> Iterator[Nursery]:
    """The process that forks workers."""
    opened = nursery("faults", Path(os.environ[FOLDER]))
    yield opened
    opened.close()


@pytest.fixture
def environment(settings: Settings) -> dict[str, str]:
    """The environment in which a process of this test works on its database."""
    assert settings.database_url is not None
    return {
        "WHENCE_HOME": str(settings.home),
        "WHENCE_DATABASE_URL": settings.database_url.get_secret_value(),
        "WHENCE_PACK_DIRS": ":".join(map(str, settings.pack_dirs)),
    }


@pytest.fixture
def start(
    worker_nursery: Nursery, environment: dict[str, str], tmp_path: Path
) -> Iterator[Callable[..., Worker]]:
    """`start("before step price")`: a worker that strikes itself there; killed after the test.

    Further words are the fields of `Order` and settings in capitals, such as `CONCURRENCY=1`.
    """
    started: list[Worker] = []

    def make(point: str = "", **more: Any) -> Worker:
        names = [name for name in more if name.isupper()]
        settings = {f"WHENCE_{name}": str(more.pop(name)) for name in names}
        file = tmp_path / f"worker-{len(started)}-{time.monotonic_ns()}"
        order = Order({**environment, **QUICK, **settings}, str(file), point=point, **more)
        worker_nursery.order(order.line())
        started.append(Worker(psutil.Process(int(worker_nursery.answer())), file))
        return started[-1]

    yield make
    for worker in started:
        with contextlib.suppress(psutil.NoSuchProcess):  # nor whoever has its number now
            worker.send(signal.SIGKILL)
