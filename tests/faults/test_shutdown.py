"""SIGTERM: a worker finishes what it can within its grace and hands back the rest; no retry is
spent."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from faults import flows
from faults.conftest import Bench, Worker
from whence.work.worker import GRACE_SECONDS

pytestmark = pytest.mark.anyio


def _is_handed_back(bench: Bench, run_id: UUID, node: str = "act") -> None:
    run = bench.rows.run(run_id)
    assert (run["status"], run["attempt"], run["completed_at"]) == ("pending", 1, None)
    assert (run["outages"], run["crashes"], run["deaths"]) == (0, 0, 0)
    assert bench.rows.steps(run_id)[-1] == (node, 1, "interrupted")
    assert bench.rows.events(run_id)[-1]["type"] == "job_queued"


async def test_what_does_not_end_in_time_is_handed_back_and_goes_on(
    bench: Bench, start: Callable[..., Worker]
) -> None:
    long = [await bench.ask("sleep 60"), await bench.ask("sleep 61")]
    short = await bench.ask("sleep 0.5")
    worker = start()
    await bench.until_in("act", *long, short)
    await worker.end(signal.SIGTERM)
    assert bench.rows.run(short)["status"] == "success", "it had time to end"
    assert bench.rows.faults(short) == []
    for run_id in long:
        _is_handed_back(bench, run_id)
    assert bench.rows.jobs() == ["todo", "todo"]

    bench.rows.tell(long, "plain")
    async with bench.working(flows.scripted()):
        await bench.until(*long)
    for run_id in long:
        assert bench.rows.faults(run_id) == []
        run = bench.rows.run(run_id)
        assert (run["status"], run["attempt"], run["deaths"]) == ("success", 2, 0)
        nodes = [node for node, _, _ in bench.rows.steps(run_id)]
        assert nodes == ["read_note", "act", "act", "conclude"]


@pytest.mark.parametrize("point", ["after claim", "before step act", "before checkpoint act"])
async def test_a_worker_told_to_stop_between_two_things_ends_or_hands_back(
    point: str, bench: Bench, start: Callable[..., Worker]
) -> None:
    run_id = await bench.ask()
    worker = start(point, signal="TERM")
    await worker.struck()
    await worker.gone()
    assert bench.rows.run(run_id)["status"] in ("success", "pending")
    assert len(bench.rows.jobs()) == (bench.rows.run(run_id)["status"] == "pending")
    async with bench.working(flows.scripted()):
        await bench.until(run_id)
    run = bench.rows.run(run_id)
    assert (run["status"], run["deaths"], run["crashes"]) == ("success", 0, 0)
    assert bench.rows.faults(run_id) == []


@pytest.mark.long
async def test_the_command_told_twice_hands_back_and_ends_with_a_clean_exit(
    bench: Bench, environment: dict[str, str]
) -> None:
    run_id = await bench.ask()
    command = [str(Path(sys.executable).with_name("whence")), "worker"]
    with psycopg.connect(bench.rows.url) as connection:
        connection.execute("LOCK whence.tool_calls IN ACCESS EXCLUSIVE MODE")  # so a node waits
        process = subprocess.Popen(command, env={**os.environ, **environment})
        try:
            await bench.until_in("count", run_id)
            process.send_signal(signal.SIGTERM)
            await asyncio.sleep(1)
            process.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(process.wait, GRACE_SECONDS + 45) == 0
        finally:
            process.kill()
    _is_handed_back(bench, run_id, "count")
    assert bench.rows.jobs() == ["todo"]
    assert bench.rows.all("SELECT id FROM jobs.procrastinate_workers") == []
