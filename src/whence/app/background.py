"""Background work: the jobs and schedules of the core and of every pack."""

from __future__ import annotations

from collections.abc import Sequence

from whence.kernel.errors import Misconfigured
from whence.research.research_records import RESEARCH_RECORDS
from whence.sdk import Pack
from whence.work.jobs import Jobs
from whence.work.queue import JobQueue
from whence.work.schedules.declaration import DeclaredSchedule

CORE_QUEUE = "core.jobs"
"""The queue of the core's own jobs; pack ids contain no dot."""


def jobs_of(packs: Sequence[Pack], queue: JobQueue) -> Jobs:
    """The core's jobs, and each pack's jobs in a queue named after the pack."""
    jobs = Jobs(queue)
    jobs.offer(CORE_QUEUE, RESEARCH_RECORDS)
    for pack in packs:
        for job in pack.jobs:
            jobs.offer(pack.id, job, pack=pack.id)
        if pack.jobs:
            jobs.limit(pack.id, pack.job_concurrency)
    return jobs


def schedules_of(packs: Sequence[Pack], jobs: Jobs) -> list[DeclaredSchedule]:
    """Every pack's schedules; raises Misconfigured for a duplicate name."""
    declared: dict[str, DeclaredSchedule] = {}
    for pack in packs:
        for schedule in pack.schedules:
            name = f"{pack.id}.{schedule.name}"
            if name in declared:
                raise Misconfigured(f"Two schedules are called '{name}'; rename one of them.")
            declared[name] = DeclaredSchedule(name, jobs.type_of(schedule.job), schedule)
    return [*declared.values()]
