"""Background jobs over REST: look at them, cancel them, let them go on."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response

from whence.kernel.wire import Wire
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes.background_job_view import BackgroundJob, background_job
from whence.transports.routes.job_view import STOPPING, status_of_cancel
from whence.work import status as jobs

router = APIRouter(prefix="/api/jobs", tags=["jobs"])
JobId = Annotated[UUID, Path(alias="id")]
Status = Literal["pending", "running", "paused", "success", "error", "cancelled"]


class BackgroundJobs(Wire):
    """The newest jobs first."""

    jobs: list[BackgroundJob]


@router.get("")
async def list_jobs(
    platform: CurrentPlatform,
    who: Reader,
    type_: Annotated[str | None, Query(alias="type", max_length=200)] = None,
    status: Status | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> BackgroundJobs:
    """The newest jobs of the organization, of one type and in one state where given."""
    async with platform.unit(who) as session:
        items = await jobs.listed(session, type_=type_, status=status, limit=limit)
    return BackgroundJobs(jobs=[background_job(item) for item in items])


@router.get("/{id}")
async def read_job(platform: CurrentPlatform, who: Reader, job_id: JobId) -> BackgroundJob:
    """A job as it is now."""
    async with platform.unit(who) as session:
        return background_job(await jobs.get(session, job_id))


@router.post("/{id}/cancel", responses=STOPPING)
async def cancel_job(
    platform: CurrentPlatform, who: Writer, job_id: JobId, response: Response
) -> BackgroundJob:
    """End a job from any state; one that has ended stays as it is.

    202: the job is being written, and ends as soon as that is over.
    """
    async with platform.unit(who) as session:
        item = await jobs.cancel(session, who, job_id)
        response.status_code = status_of_cancel(item)
        return background_job(item)


@router.post("/{id}/resume")
async def resume_job(platform: CurrentPlatform, who: Writer, job_id: JobId) -> BackgroundJob:
    """Let a paused or failed job go on now; 409 for others."""
    async with platform.unit(who) as session:
        return background_job(await jobs.resume(session, platform.queue, who, job_id))
