"""A machine that sleeps and wakes up: nobody is called dead for a time in which all were silent."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any

import pytest

from faults.conftest import Bench, Worker

pytestmark = pytest.mark.anyio

STALLED_SECONDS = 5.0
"""The silence after which these workers count as dead: longer than a busy machine delays a beat."""
ASLEEP_SECONDS = 7.0


async def test_a_run_stays_with_its_worker_when_all_of_them_slept(
    bench: Bench, start: Callable[..., Worker]
) -> None:
    often: dict[str, Any] = {
        "changes": {"whence.work.sweeper.SWEEP_SECONDS": 0.3},
        "STALLED_SECONDS": STALLED_SECONDS,
    }
    working = start(**often)
    await working.ready()
    run_id = await bench.ask("sleep 6")
    await bench.until_in("act", run_id)
    other = start(**often)
    await other.ready()
    await asyncio.sleep(1)  # it has looked around before
    for worker in (working, other):
        worker.send(signal.SIGSTOP)
    await asyncio.sleep(ASLEEP_SECONDS)
    other.send(signal.SIGCONT)
    await asyncio.sleep(0.7)  # one wakes up before the other, and looks around
    working.send(signal.SIGCONT)
    await bench.until(run_id)
    run = bench.rows.run(run_id)
    assert (run["status"], run["attempt"]) == ("success", 1)
    assert bench.rows.faults(run_id) == []
