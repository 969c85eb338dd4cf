"""Many runs while workers are killed at random: every one ends right, once."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

import pytest

from faults.conftest import Bench, Worker

pytestmark = pytest.mark.anyio

SEED = "WHENCE_FAULTS_SEED"
"""The environment variable that repeats a course of events, as far as the machine lets it."""
STOPPED_SHARE = 0.2
"""Workers that are stopped and come back, among those that are struck; the others are killed."""


@dataclass(frozen=True)
class Storm:
    """How many runs, for how long workers are struck, and how often: seconds between two blows."""

    runs: int
    seconds: float
    every: tuple[float, float]
    workers: int
    limit: float


STORM = Storm(runs=200, seconds=60, every=(1, 4), workers=4, limit=400)


@pytest.mark.long
async def test_all_runs_end_right_however_workers_die(
    bench: Bench, start: Callable[..., Worker]
) -> None:
    seed = int(os.environ.get(SEED, random.randrange(10**6)))
    draw = random.Random(seed)
    texts = [f"sleep {draw.uniform(0.5, 4):.1f}" for _ in range(STORM.runs)]
    runs = [await bench.ask(text) for text in texts]
    blows = await _blow(draw, start)
    try:
        await bench.until(*runs, seconds=STORM.limit)
    except TimeoutError:
        waiting = [bench.rows.run(one) for one in runs]
        open_ones = [(r["id"], r["status"], r["attempt"]) for r in waiting if not r["completed_at"]]
        pytest.fail(f"{SEED}={seed}: still open: {open_ones}")

    message = f"{SEED}={seed}, {blows} workers struck"
    states = [bench.rows.run(one)["status"] for one in runs]
    assert states == ["success"] * STORM.runs, message
    assert _faults(bench, runs) == [], message
    assert bench.rows.one("SELECT count(*) FROM whence.dossiers WHERE is_current") == STORM.runs
    assert bench.rows.one("SELECT count(*) FROM whence.claims") == STORM.runs, message
    assert bench.rows.one("SELECT count(*) FROM whence.evidence") == STORM.runs, message
    assert bench.rows.one("SELECT max(attempt) FROM whence.work") > 1, f"{message}: none was hit"
    async with asyncio.timeout(30):
        while bench.rows.jobs():
            await asyncio.sleep(0.2)


async def _blow(draw: random.Random, start: Callable[..., Worker]) -> int:
    """Strike a random worker now and then, and put another in its place; how many there were."""
    quick = {
        "whence.work.sweeper.SWEEP_SECONDS": 0.5,
        "whence.work.transitions.FIRST_PAUSE_SECONDS": 1.0,
    }
    loop = asyncio.get_running_loop()
    workers = [start(changes=quick) for _ in range(STORM.workers)]
    await asyncio.gather(*(worker.ready() for worker in workers))
    stopped: list[Worker] = []
    blows, over = 0, loop.time() + STORM.seconds
    while loop.time() < over:
        await asyncio.sleep(draw.uniform(*STORM.every))
        place = draw.randrange(len(workers))
        if draw.random() < STOPPED_SHARE:
            workers[place].send(signal.SIGSTOP)
            stopped.append(workers[place])
        else:
            workers[place].send(signal.SIGKILL)
        workers[place] = start(changes=quick)
        blows += 1
        if len(stopped) > 1:
            stopped.pop(0).send(signal.SIGCONT)
    for worker in stopped:
        worker.send(signal.SIGCONT)
    return blows


def _faults(bench: Bench, runs: list[UUID]) -> list[str]:
    return [f"{run_id}: {fault}" for run_id in runs for fault in bench.rows.faults(run_id)]
