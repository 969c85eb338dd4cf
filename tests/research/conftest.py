"""A bench for runs: flows made of the test's own nodes, over the notes of the sample pack."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict
from uuid import UUID

import pytest
from aiohttp import web

from whence.app import build
from whence.app.platform import Platform
from whence.events import log
from whence.kernel.settings import Settings
from whence.records import store
from whence.research import run_steps, runs
from whence.research.flow import Flow, Node
from whence.research.tables import Run, RunStep
from whence.research.versions import Flows, Rollout
from whence.work.queue import Priority

ENDED = ("success", "error", "cancelled")


class BenchState(TypedDict, total=False):
    subject_id: str
    trail: list[str]
    budget: str


def flow(*nodes: Node, version: str = "1", **more: Any) -> Flow:
    """The nodes one after the other, as the research of notes."""
    names = [node.__name__ for node in nodes]
    edges = tuple(pairwise(names))
    return Flow("research", version, "notes", BenchState, nodes, edges, **more)


@dataclass(frozen=True)
class Bench:
    """One process' view: its platform, and what a test asks of it."""

    platform: Platform
    flow: Callable[..., Flow] = flow

    async def note(self, text: str = "four words stand here") -> UUID:
        kind = self.platform.kind("notes")
        async with self.platform.unit(self.platform.owner) as session:
            record = kind.record(title="A note", text=text)
            return (await store.create(session, self.platform.owner, kind, record)).id

    async def ask(
        self, flow: Flow, note: UUID | None = None, priority: Priority = Priority.NORMAL
    ) -> UUID:
        note = note or await self.note()
        platform = self.platform
        async with platform.unit(platform.owner) as session:
            submitted = await runs.request(
                session,
                platform.queue,
                platform.owner,
                platform.kind("notes"),
                flow,
                note,
                priority=priority,
            )
        return submitted.id

    @asynccontextmanager
    async def working(self, flow: Flow | Flows, **settings: Any) -> AsyncGenerator[None]:
        changed = replace(
            self.platform,
            flows=flow if isinstance(flow, Flows) else Flows([flow]),
            settings=self.platform.settings.model_copy(update=settings),
        )
        async with build.worker(changed):
            yield

    def with_flows(self, flows: Flows, rollout: Rollout) -> Platform:
        return replace(self.platform, flows=flows, rollout=rollout)

    async def run(self, run_id: UUID) -> Run:
        async with self.platform.unit(self.platform.owner) as session:
            return await runs.get(session, run_id)

    async def until(self, run_id: UUID, *statuses: str, seconds: float = 120) -> Run:
        async with asyncio.timeout(seconds):
            while (run := await self.run(run_id)).status not in (statuses or ENDED):
                await asyncio.sleep(0.03)
        return run

    async def events(self, run_id: UUID) -> list[log.Event]:
        return await log.read(self.platform.db, self.platform.owner.org_id, run_id, 0)

    async def steps(self, run_id: UUID) -> list[RunStep]:
        async with self.platform.unit(self.platform.owner) as session:
            return await run_steps.steps(session, run_id)

    async def cancel(self, run_id: UUID) -> Run:
        async with self.platform.unit(self.platform.owner) as session:
            return await runs.cancel(session, self.platform.owner, run_id)

    async def resume(self, run_id: UUID) -> Run:
        platform = self.platform
        async with platform.unit(platform.owner) as session:
            return await runs.resume(session, platform.queue, platform.owner, run_id)


@pytest.fixture
def bench(platform: Platform) -> Bench:
    return Bench(platform)


@pytest.fixture
async def elsewhere(platform: Platform) -> AsyncGenerator[Bench]:
    """Another process on the same database: its own connections, bus and queue."""
    async with build.platform(platform.settings) as other:
        yield Bench(other)


@dataclass
class Outside:
    """A server that plays the outside world: what it answers, one after another, and was asked.

    An answer is a status, or a document for status 200; the last one stays.
    """

    base: str = ""
    answers: list[Any] = field(default_factory=lambda: [503])
    asked_at: list[float] = field(default_factory=list)


@pytest.fixture
async def outside() -> AsyncGenerator[Outside]:
    world = Outside()

    async def handle(request: web.Request) -> web.Response:
        world.asked_at.append(time.monotonic())
        answer = world.answers.pop(0) if len(world.answers) > 1 else world.answers[0]
        return web.Response(status=answer) if isinstance(answer, int) else web.json_response(answer)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    world.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield world
    await runner.cleanup()


@dataclass(frozen=True)
class WorkerProcess:
    """A worker in a process of its own; see `worker_process.py`."""

    process: subprocess.Popen[bytes]
    signal_file: Path

    async def stays(self, seconds: float = 120) -> None:
        """Wait until it has come to its node."""
        await _until(self.signal_file, self.process, seconds)

    async def ready(self) -> None:
        """Wait until it works."""
        await _until(self.signal_file.with_suffix(".ready"), self.process, 60)

    async def end(self, number: int) -> int:
        """Send a signal and wait for the end; the exit code."""
        self.process.send_signal(number)
        return await asyncio.to_thread(self.process.wait, 30)


async def _until(file: Path, process: subprocess.Popen[bytes], seconds: float) -> None:
    async with asyncio.timeout(seconds):
        while not file.exists():
            assert process.poll() is None, "the worker process ended"
            await asyncio.sleep(0.02)


SCRIPT = Path(__file__).with_name("worker_process.py")


@pytest.fixture
def start_worker(settings: Settings, tmp_path: Path) -> Iterator[Callable[..., WorkerProcess]]:
    """`start_worker("items", "analyze_comps", "after")`, killed at the end of the test."""
    started: list[WorkerProcess] = []
    assert settings.database_url is not None
    base = {
        "WHENCE_HOME": str(settings.home),
        "WHENCE_DATABASE_URL": settings.database_url.get_secret_value(),
        "WHENCE_PACK_DIRS": ":".join(map(str, settings.pack_dirs)),
    }

    def start(kind: str, node: str = "", when: str = "never", **env: str) -> WorkerProcess:
        file = tmp_path / f"worker-{len(started)}.signal"
        command = [sys.executable, str(SCRIPT), kind, node, when, str(file)]
        process = subprocess.Popen(command, env={**os.environ, **base, **env})
        started.append(WorkerProcess(process, file))
        return started[-1]

    yield start
    for item in started:
        if item.process.poll() is None:
            item.process.kill()
            item.process.wait()
