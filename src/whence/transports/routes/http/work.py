"""What the organization's workers do now: research and background jobs that have not ended."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from whence.kernel.wire import Wire
from whence.research import run_pages
from whence.transports.edge.access import Reader
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes.background_job_view import BackgroundJob, background_jobs
from whence.transports.routes.run_view import ListedRun, listed_runs
from whence.work import status as jobs
from whence.work.tables import ACTIVE

router = APIRouter(prefix="/api/work", tags=["work"])


class ActiveWork(Wire):
    """Work that has not ended; `counts` covers also what is not listed."""

    counts: dict[Literal["pending", "running", "paused"], int]
    runs: list[ListedRun]
    jobs: list[BackgroundJob]


@router.get("")
async def active_work(
    platform: CurrentPlatform, who: Reader, limit: Annotated[int, Query(ge=1, le=50)] = 10
) -> ActiveWork:
    """The newest research and jobs that have not ended, at most `limit` of each."""
    async with platform.unit(who) as session:
        counts = await jobs.active_counts(session)
        rows = await run_pages.active(session, limit)
        lines = await listed_runs(session, platform.kinds, rows)
        items = await jobs.listed(session, statuses=ACTIVE, limit=limit)
        return ActiveWork(counts=counts, runs=lines, jobs=await background_jobs(session, items))
