"""Reads of the API while 100 runs are worked on and 200 subscribers follow them."""

from __future__ import annotations

import asyncio
import itertools
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from bench.figures import Figure, median, p95
from bench.server import START_SECONDS, WHENCE, Server, environment, serving
from whence.app import build
from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.records import store
from whence.research import runs

RUNS = 100
SUBSCRIBERS = 200
IDLE_SECONDS = 5.0
"""For the baseline, before and again after the load."""
MOST_SECONDS = 240.0
SPACING_SECONDS = 0.02
NO_LIMIT = {"WHENCE_REQUESTS_PER_MINUTE": "1000000"}
"""The bench is one user; what is measured is not the limit of requests."""


async def _queue_runs(platform: Platform) -> list[tuple[str, str]]:
    kind, flow, runs_queued = platform.kind("items"), platform.flow("items", None), []
    for number in range(RUNS):
        async with platform.unit(platform.owner) as session:
            item = kind.record.model_validate({"title": f"Aurelia QB-700 radio {number}"})
            row = await store.create(session, platform.owner, kind, item)
            run = await runs.request(session, platform.queue, platform.owner, kind, flow, row.id)
            runs_queued.append((str(row.id), str(run.id)))
    return runs_queued


def _plan(runs_queued: list[tuple[str, str]], servers: list[Server]) -> list[dict[str, str]]:
    """Half of the subscribers by SSE, half by Socket.IO; each run is followed through both APIs."""
    plan: list[dict[str, str]] = []
    for number in range(SUBSCRIBERS):
        turn = number // len(runs_queued)
        server = servers[(number + turn) % len(servers)]
        kind = ("sse", "socket")[(number // len(servers) + turn) % 2]
        _, job = runs_queued[number % len(runs_queued)]
        plan.append({"kind": kind, "url": server.url, "token": server.token, "job": job})
    return plan


def _subscribers() -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.subscribers"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@contextmanager
def _working(home: Path) -> Iterator[None]:
    worker = subprocess.Popen([WHENCE, "worker"], env=environment(home), stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        worker.send_signal(signal.SIGTERM)
        worker.wait(START_SECONDS)


async def _reads(
    servers: list[Server], item: str, job: str, go_on: Callable[[], bool]
) -> tuple[list[float], list[float]]:
    """Milliseconds of reads of a record and of its job, one after the other, from both APIs."""
    records: list[float] = []
    jobs: list[float] = []
    headers = {"Authorization": f"Bearer {servers[0].token}"}
    async with httpx.AsyncClient(headers=headers, timeout=60) as client:
        turns = itertools.cycle(servers)
        while go_on():
            record = f"{next(turns).url}/api/items/{item}"
            for took, path in ((records, record), (jobs, f"{record}/research/jobs/{job}")):
                began = time.perf_counter()
                (await client.get(path)).raise_for_status()
                took.append((time.perf_counter() - began) * 1000)
                await asyncio.sleep(SPACING_SECONDS)
    return records, jobs


async def _idle(servers: list[Server], item: str, job: str) -> tuple[list[float], list[float]]:
    until = time.monotonic() + IDLE_SECONDS
    return await _reads(servers, item, job, lambda: time.monotonic() < until)


async def measure(home: Path) -> list[Figure]:
    """p95 of both reads under load, beside the same reads before and after it."""
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(home, "--no-worker", **NO_LIMIT)) for _ in range(2)]
        async with build.platform(Settings(home=home, database_url=None)) as platform:
            runs_queued = await _queue_runs(platform)
        item, job = runs_queued[0]
        subscribers = _subscribers()
        stack.callback(subscribers.kill)
        assert subscribers.stdin is not None
        assert subscribers.stdout is not None
        records, jobs = await _idle(servers, item, job)
        json.dump(_plan(runs_queued, servers), subscribers.stdin)
        subscribers.stdin.close()
        await asyncio.to_thread(subscribers.stdout.readline)
        began = time.monotonic()
        with _working(home):
            latest = began + MOST_SECONDS
            busy_records, busy_jobs = await _reads(
                servers,
                item,
                job,
                lambda: subscribers.poll() is None and time.monotonic() < latest,
            )
        lasted = time.monotonic() - began
        if subscribers.poll() is None:
            raise RuntimeError(f"the subscribers had not heard everything after {lasted:.0f} s")
        wrong = json.loads(subscribers.stdout.read() or '"they failed"')
        if wrong:
            raise RuntimeError(f"subscribers missed or repeated events: {wrong}")
        more_records, more_jobs = await _idle(servers, item, job)
    of = f"{RUNS} runs, {SUBSCRIBERS} subscribers"
    return [
        _figure(f"GET of a record, {of}", busy_records, records + more_records),
        _figure(f"GET of a job, {of}", busy_jobs, jobs + more_jobs),
        Figure(f"{RUNS} runs heard to the end by all", lasted, "s", "(no baseline)", lasted),
    ]


def _figure(name: str, busy: list[float], idle: list[float]) -> Figure:
    shown = f"{name}, p95 of {len(busy)} (median {median(busy):.1f})"
    return Figure(shown, p95(busy), "ms", f"idle, p95 of {len(idle)}", p95(idle))
