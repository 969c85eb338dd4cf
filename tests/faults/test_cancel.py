"""Cancelling, whatever becomes of the worker: exactly one final state and one final event."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Callable
from uuid import UUID

import pytest

from faults import flows
from faults.conftest import Bench, Worker

pytestmark = pytest.mark.anyio

ROUNDS = 40
SEED = 20260


def _is_cancelled(bench: Bench, run_id: UUID) -> None:
    assert bench.rows.run(run_id)["status"] == "cancelled"
    assert bench.rows.faults(run_id) == []


async def test_a_pending_run_never_begins(bench: Bench, start: Callable[..., Worker]) -> None:
    run_id = await bench.ask()
    await bench.cancel(run_id)
    start()
    await bench.until(await bench.ask("another note"))
    _is_cancelled(bench, run_id)
    assert bench.rows.steps(run_id) == []
    assert bench.rows.jobs() == []


async def test_a_running_run_stops_in_the_other_process(
    bench: Bench, start: Callable[..., Worker]
) -> None:
    run_id = await bench.ask("sleep 60")
    start(WORKER_CONCURRENCY=1)
    await bench.until_in("act", run_id)
    await bench.cancel(run_id)
    await bench.until(await bench.ask("the worker has time for this"), seconds=20)
    _is_cancelled(bench, run_id)
    assert bench.rows.steps(run_id)[-1] == ("act", 1, "interrupted")


@pytest.mark.parametrize("owner", ["dead", "stopped"])
async def test_a_run_is_cancelled_while_its_worker_cannot_hear_it(
    owner: str, bench: Bench, start: Callable[..., Worker]
) -> None:
    run_id = await bench.ask("sleep 60")
    worker = start(WORKER_CONCURRENCY=1)
    await bench.until_in("act", run_id)
    if owner == "dead":
        await worker.end()
    else:
        worker.send(signal.SIGSTOP)
    await bench.cancel(run_id)
    before = bench.rows.result(run_id)
    async with bench.working(flows.scripted()):
        await bench.until(await bench.ask("work goes on"))
        async with asyncio.timeout(90):
            while bench.rows.jobs():
                await asyncio.sleep(0.1)
    if owner == "stopped":
        worker.send(signal.SIGCONT)
        await bench.until(await bench.ask("the old worker works again"), seconds=20)
    _is_cancelled(bench, run_id)
    assert bench.rows.result(run_id) == before
    assert bench.rows.run(run_id)["attempt"] == 1


@pytest.mark.parametrize("point", ["after event job_complete", "before succeed"])
async def test_a_run_is_cancelled_as_its_worker_dies_at_the_end(
    point: str, bench: Bench, start: Callable[..., Worker]
) -> None:
    run_id = await bench.ask()
    doomed = start(point)
    await doomed.struck()
    await bench.cancel(run_id)
    async with bench.working(flows.scripted()):
        await bench.until(await bench.ask("work goes on"))
    query = "SELECT count(*) FROM whence.dossiers WHERE run_id = %s AND is_current"
    assert bench.rows.one(query, run_id) == 1, "what it had saved before is kept"
    assert [e["type"] for e in bench.rows.events(run_id)].count("job_complete") == 1
    assert bench.rows.run(run_id)["status"] == "cancelled"


@pytest.mark.long
async def test_cancelling_and_the_end_race_and_one_of_them_wins(
    bench: Bench, start: Callable[..., Worker]
) -> None:
    draw = random.Random(SEED)
    await start().ready()
    runs: list[UUID] = []
    began = time.monotonic()
    await bench.until(await bench.ask("sleep 0.02"))
    undisturbed = time.monotonic() - began

    async def race(turn: int) -> None:
        run_id = await bench.ask(f"sleep {draw.uniform(0, 0.05):.3f}")
        runs.append(run_id)
        await asyncio.sleep(draw.uniform(0, 4 * undisturbed))
        await asyncio.gather(*(bench.cancel(run_id) for _ in range(2)))

    for turn in range(0, ROUNDS, 4):
        await asyncio.gather(*(race(turn + n) for n in range(4)))
    await bench.until(*runs)
    await bench.until(await bench.ask("the last one"))
    states = {bench.rows.run(run_id)["status"] for run_id in runs}
    assert states == {"cancelled", "success"}, f"both happened (seed {SEED})"
    assert [fault for run_id in runs for fault in bench.rows.faults(run_id)] == []
    assert bench.rows.jobs() == []
