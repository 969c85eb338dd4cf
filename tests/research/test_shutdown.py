"""SIGTERM: a worker hands its runs back, and no retry is spent."""

from __future__ import annotations

import asyncio
import signal
from functools import partial
from typing import Any

import pytest

from whence.app import build
from whence.db.database import Database
from whence.research import runner
from whence.work import worker as jobs_worker

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    options = jobs_worker.WorkerOptions

    def impatient(concurrency: int, heartbeat: float, stalled: float) -> Any:
        return options(concurrency, heartbeat, stalled, grace_seconds=0.2)

    monkeypatch.setattr(build, "WorkerOptions", impatient)


async def _jobs(bench: Any) -> list[Any]:
    async with bench.platform.unit(bench.platform.owner) as session:
        connection = await session.connection()
        rows = await connection.exec_driver_sql("SELECT status FROM jobs.procrastinate_jobs")
        return [row[0] for row in rows]


async def test_a_run_is_handed_back_and_goes_on_at_once(bench: Any) -> None:
    ran: list[tuple[str, int]] = []
    began = asyncio.Event()

    async def one(state: Any, run: Any) -> dict[str, Any]:
        ran.append(("one", run.attempt.number))
        return {}

    async def two(state: Any, run: Any) -> dict[str, Any]:
        ran.append(("two", run.attempt.number))
        began.set()
        await asyncio.sleep(60 if run.attempt.number == 1 else 0)
        return {}

    flow = bench.flow(one, two)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await asyncio.wait_for(began.wait(), 10)
    run = await bench.run(run_id)
    assert (run.status, run.failures) == ("pending", 0)
    assert await _jobs(bench) == ["todo"]
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, run.attempt, run.failures) == ("success", 2, 0)
    assert ran == [("one", 1), ("two", 1), ("two", 2)]
    assert await _jobs(bench) == []


async def test_a_short_node_may_finish_before_the_worker_stops(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        build, "WorkerOptions", partial(jobs_worker.WorkerOptions, grace_seconds=30)
    )
    began = asyncio.Event()

    async def short(state: Any, run: Any) -> dict[str, Any]:
        began.set()
        await asyncio.sleep(0.05)
        return {}

    flow = bench.flow(short)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await asyncio.wait_for(began.wait(), 10)
    assert (await bench.run(run_id)).status == "success"


async def test_a_worker_told_to_stop_while_it_claims_hands_the_run_back(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed = asyncio.Event()
    real = runner.claim

    async def slow_claim(db: Database, *of: Any) -> Any:
        attempt = await real(db, *of)
        claimed.set()
        await asyncio.sleep(0.5)
        return attempt

    monkeypatch.setattr(runner, "claim", slow_claim)

    async def node(state: Any, run: Any) -> dict[str, Any]:
        return {}

    flow = bench.flow(node)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await asyncio.wait_for(claimed.wait(), 10)
    run = await bench.run(run_id)
    assert (run.status, run.attempt) == ("pending", 1)
    async with bench.working(flow):
        assert (await bench.until(run_id)).status == "success"


async def test_a_process_that_gets_sigterm_leaves_its_run_to_the_next(
    bench: Any, start_worker: Any
) -> None:
    run_id = await bench.ask(bench.platform.flow("notes", None))
    leaving = start_worker("notes", "count", "before")
    await leaving.stays()
    assert await leaving.end(signal.SIGTERM) == 143
    run = await bench.run(run_id)
    assert (run.status, run.failures) == ("pending", 0)
    assert await _jobs(bench) == ["todo"]  # it waits for nobody's silence
    async with bench.working(bench.platform.flow("notes", None)):
        run = await bench.until(run_id)
    assert (run.status, run.attempt, run.failures) == ("success", 2, 0)
    nodes = [(step.node, step.status) for step in await bench.steps(run_id)]
    assert nodes == [
        ("read_note", "success"),
        ("count", "interrupted"),
        ("count", "success"),
        ("persist_results", "success"),
    ]
