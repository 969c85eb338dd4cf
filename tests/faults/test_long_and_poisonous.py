"""Nodes much longer than a heartbeat run once; a run that fails each time is given up, and its
neighbours are not held up."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from uuid import UUID

import pytest

from faults.conftest import Bench, Worker
from whence.work import transitions

pytestmark = pytest.mark.anyio

HEARTBEAT = {"HEARTBEAT_SECONDS": 1, "STALLED_SECONDS": 8}
LONG = 10
"""Seconds of a node: ten heartbeats, and longer than the silence of a worker that counts as dead,
which a busy machine does not reach by itself."""
NEIGHBOURS = 6


@pytest.mark.parametrize("how", [pytest.param("sleep", marks=pytest.mark.long), "block"])
async def test_a_node_ten_times_longer_than_the_heartbeat_runs_once(
    how: str, bench: Bench, start: Callable[..., Worker]
) -> None:
    """Also where it holds up the event loop: the heartbeat has a thread of its own."""
    for worker in (start(**HEARTBEAT), start(**HEARTBEAT)):
        await worker.ready()
    run_id = await bench.ask(f"{how} {LONG}")
    await bench.until(run_id)
    assert bench.rows.run(run_id)["attempt"] == 1
    steps = [("read_note", 1, "success"), ("act", 1, "success"), ("conclude", 1, "success")]
    assert bench.rows.steps(run_id) == steps
    assert bench.rows.faults(run_id) == []


async def test_a_run_that_raises_each_time_is_given_up_with_its_error(
    bench: Bench, start: Callable[..., Worker]
) -> None:
    soon = {"whence.work.transitions.FIRST_PAUSE_SECONDS": 0.3}
    poison = await bench.ask("raise")
    neighbours = [await bench.ask(f"plain note {n}") for n in range(NEIGHBOURS)]
    start(WORKER_CONCURRENCY=1, changes=soon)
    await bench.until(poison, *neighbours)
    run = bench.rows.run(poison)
    assert (run["status"], run["attempt"], run["crashes"]) == ("error", transitions.MAX_CRASHES, 3)
    assert "RuntimeError" in run["error"]["message"]
    assert bench.rows.faults(poison) == []
    await _all_ended_before(bench, poison, neighbours)


async def test_a_run_that_kills_its_worker_each_time_is_given_up_with_its_error(
    bench: Bench, start: Callable[..., Worker]
) -> None:
    few = {
        "whence.work.transitions.MAX_DEATHS": 4,
        "whence.work.transitions.FIRST_PAUSE_SECONDS": 1.5,
        "whence.work.sweeper.SWEEP_SECONDS": 0.3,
    }
    poison = await bench.ask("die")
    neighbours = [await bench.ask(f"plain note {n}") for n in range(NEIGHBOURS)]
    pair = {"WORKER_CONCURRENCY": 2, "changes": few}
    await _always(2, bench, lambda: start(**pair), poison, *neighbours)
    run = bench.rows.run(poison)
    assert (run["status"], run["error"]["type"]) == ("error", "WorkerDied")
    assert [s[2] for s in bench.rows.steps(poison) if s[0] == "act"] == ["interrupted"] * 4
    assert bench.rows.faults(poison) == []
    await _all_ended_before(bench, poison, neighbours)


@pytest.mark.long
async def test_a_long_node_beside_a_poisonous_run_is_not_given_up_with_it(
    bench: Bench, start: Callable[..., Worker]
) -> None:
    """One worker process, so that the poison takes its neighbour along each time."""
    often = {
        "whence.work.transitions.FIRST_PAUSE_SECONDS": 2.0,
        "whence.work.sweeper.SWEEP_SECONDS": 0.3,
    }
    poison, neighbour = await bench.ask("die"), await bench.ask("sleep 4")
    await _always(1, bench, lambda: start(changes=often), neighbour)
    assert bench.rows.run(neighbour)["status"] == "success"
    assert bench.rows.faults(neighbour) == []
    assert bench.rows.run(poison)["deaths"] > 1


async def _all_ended_before(bench: Bench, poison: UUID, neighbours: list[UUID]) -> None:
    given_up = bench.rows.run(poison)["completed_at"]
    for one in neighbours:
        run = bench.rows.run(one)
        assert run["status"] == "success"
        assert run["completed_at"] < given_up, "it did not wait for the poison's end"
        assert bench.rows.faults(one) == []


async def _always(count: int, bench: Bench, make: Callable[[], Worker], *run_ids: UUID) -> None:
    """Replace each worker that dies, until the runs have ended."""
    workers = [make() for _ in range(count)]
    ending = asyncio.create_task(bench.until(*run_ids, seconds=240))
    while not ending.done():
        workers = [one if one.is_there() else make() for one in workers]
        await asyncio.wait([ending], timeout=0.1)
    for one in workers:
        if one.is_there():
            await one.end(signal.SIGTERM)
    await ending
