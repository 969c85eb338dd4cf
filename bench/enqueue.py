"""Asking for a job while 60,000 wait, beside asking while none does; and the fetch of one."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from sqlalchemy import text

from bench.figures import Figure, median
from whence.app import build
from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.kernel.wire import Wire
from whence.work.context import JobContext
from whence.work.job import Job

WAITING = 60_000
ROUNDS = 200
_FILL = text("""
    INSERT INTO jobs.procrastinate_jobs (queue_name, task_name, priority, lock, args)
    SELECT 'bench', 'work.attempt', 0, gen_random_uuid()::text,
        jsonb_build_object('org_id', CAST(:org AS text), 'work_id', gen_random_uuid())
    FROM generate_series(1, :many)
""")
_FETCH = text("SELECT id FROM jobs.whence_fetch_job(ARRAY['bench'], :worker)")
_WORKER = text("INSERT INTO jobs.procrastinate_workers DEFAULT VALUES RETURNING id")


class Nothing(Wire):
    """An empty payload."""


async def _nothing(payload: Nothing, job: JobContext) -> None:
    """The job's work, which no worker of this benchmark takes up."""


JOB = Job("bench", "A job of the benchmark", Nothing, _nothing)


async def _rounds(platform: Platform) -> tuple[float, float]:
    """Milliseconds of an enqueue and of a fetch, each in a transaction of its own."""
    enqueued: list[float] = []
    fetched: list[float] = []
    async with platform.unit(platform.owner) as session:
        await session.execute(text("SET LOCAL search_path = jobs"))
        worker = await session.scalar(_WORKER)
    for _ in range(ROUNDS):
        began = time.perf_counter()
        async with platform.unit(platform.owner) as session:
            await platform.jobs.enqueue(session, platform.owner, JOB, Nothing())
        enqueued.append((time.perf_counter() - began) * 1000)
        began = time.perf_counter()
        async with platform.unit(platform.owner) as session:
            await session.execute(text("SET LOCAL search_path = jobs"))
            await session.execute(_FETCH, {"worker": worker})
        fetched.append((time.perf_counter() - began) * 1000)
    return median(enqueued), median(fetched)


async def measure(home: Path) -> list[Figure]:
    """Medians with 60,000 waiting, each beside its median with none."""
    async with build.platform(Settings(home=home)) as platform:
        platform.jobs.offer("bench", JOB)
        await _rounds(platform)
        none = await _rounds(platform)
        async with platform.unit(platform.owner) as session:
            await session.execute(_FILL, {"org": str(platform.owner.org_id), "many": WAITING})
        await asyncio.sleep(2)  # the server's own housekeeping after so large a write
        many = await _rounds(platform)
    name = f"with {WAITING:,} waiting"
    return [
        Figure(f"enqueue {name}", many[0], "ms", "with none", none[0]),
        Figure(f"fetch {name}", many[1], "ms", "with none", none[1]),
    ]
