"""10,000 small jobs of a pack: a run beside them, another organization's job, jobs a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from uuid import UUID

from sqlalchemy import text

from bench.engine import FLOW
from bench.figures import Figure, median
from bench.sample import create_note, sample_platform
from bench.server import command
from whence.app import build
from whence.app.platform import Platform
from whence.db.tables import SubjectRow
from whence.kernel.wire import Wire
from whence.research import runs
from whence.tenancy.principal import Principal
from whence.work.context import JobContext
from whence.work.job import Job

JOBS = 10_000
CONCURRENCY = 2
ROUNDS = 15
_TOUCH = text("UPDATE whence.work SET progress_message = 'bench' WHERE id = :id")
_DONE = text("SELECT count(*) FROM whence.work WHERE type = 'bench' AND status = 'success'")


class Nothing(Wire):
    """An empty payload."""


async def _write(payload: Nothing, job: JobContext) -> None:
    async with job.fenced() as session:
        await job.save_state(session, {"done": True})


JOB = Job("bench", "A small job of the benchmark", Nothing, _write)


async def _enqueue(platform: Platform, who: Principal, many: int) -> list[UUID]:
    async with platform.unit(who) as session:
        return [(await platform.jobs.enqueue(session, who, JOB, Nothing())).id for _ in range(many)]


async def _end(platform: Platform, who: Principal, work_id: UUID) -> None:
    async for batch in platform.bus.tail(who.org_id, work_id):
        if batch[-1].type == "job_complete":
            return


async def _run(platform: Platform, row: SubjectRow) -> float:
    """Milliseconds from asking for a run to its end."""
    began = time.perf_counter()
    async with platform.unit(platform.owner) as session:
        run = await runs.request(
            session, platform.queue, platform.owner, platform.kind("notes"), FLOW, row.id
        )
    await _end(platform, platform.owner, run.id)
    return (time.perf_counter() - began) * 1000


async def _job(platform: Platform, who: Principal) -> float:
    """Milliseconds from asking for a job to its end."""
    began = time.perf_counter()
    [job] = await _enqueue(platform, who, 1)
    await _end(platform, who, job)
    return (time.perf_counter() - began) * 1000


async def _transaction(platform: Platform, work_id: UUID) -> float:
    """Milliseconds of a transaction that writes one row: the least that a job can cost."""
    began = time.perf_counter()
    async with platform.unit(platform.owner) as session:
        await session.execute(_TOUCH, {"id": work_id})
    return (time.perf_counter() - began) * 1000


async def _done(platform: Platform) -> int:
    async with platform.unit(platform.owner) as session:
        return int(await session.scalar(_DONE) or 0)


async def _all_done(platform: Platform) -> None:
    while True:
        if await _done(platform) >= JOBS:
            return
        await asyncio.sleep(0.2)


async def _beside(platform: Platform, measure: Callable[[], Awaitable[float]]) -> float:
    took = [await measure() for _ in range(ROUNDS)]
    if await _done(platform) >= JOBS:
        raise RuntimeError("the jobs were done before the measurement was")
    return median(took)


async def measure(home: Path) -> list[Figure]:
    """A run and another organization's job, each alone and beside the jobs; jobs a second."""
    async with sample_platform(home, FLOW) as platform:
        platform.jobs.offer("bench", JOB)
        platform.jobs.limit("bench", CONCURRENCY)
        other = await asyncio.to_thread(command, home, "organization", "create", "Other")
        stranger = replace(platform.owner, org_id=UUID(other.split()[-1]))
        row = await create_note(platform)
        async with build.worker(platform):
            await asyncio.sleep(1)
            run_alone = median([await _run(platform, row) for _ in range(ROUNDS)])
            job_alone = median([await _job(platform, stranger) for _ in range(ROUNDS)])
            began = time.perf_counter()
            submissions = await _enqueue(platform, platform.owner, JOBS)
            enqueued = time.perf_counter()
            print(f"  enqueued in {enqueued - began:.0f} s", flush=True)
            run_beside = await _beside(platform, lambda: _run(platform, row))
            job_beside = await _beside(platform, lambda: _job(platform, stranger))
            await _all_done(platform)
            finished = time.perf_counter()
        bare = median([await _transaction(platform, each) for each in submissions[: ROUNDS * 10]])
    print(f"  {JOBS / (finished - enqueued):.0f} jobs a second, {CONCURRENCY} at once", flush=True)
    beside = f"beside {JOBS:,} jobs of a pack"
    return [
        Figure(f"a run of {len(FLOW.nodes)} nodes {beside}", run_beside, "ms", "alone", run_alone),
        Figure(f"another organization's job {beside}", job_beside, "ms", "alone", job_alone),
        Figure("a small job", (finished - enqueued) * 1000 / JOBS, "ms", "a transaction", bare),
        Figure(
            "asking for a small job", (enqueued - began) * 1000 / JOBS, "ms", "a transaction", bare
        ),
    ]
