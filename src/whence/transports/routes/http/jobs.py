"""Background jobs over REST: list, read, cancel and resume them."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response

from whence.app.schemas import schema_of
from whence.kernel.paging import page_of
from whence.kernel.wire import Wire
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import Cursor, RowCursor
from whence.transports.routes.background_job_view import (
    BackgroundJob,
    background_job,
    background_jobs,
)
from whence.transports.routes.job_view import STOPPING, status_of_cancel
from whence.work import status as jobs

router = APIRouter(prefix="/api/jobs", tags=["jobs"])
JobId = Annotated[UUID, Path(alias="id")]
Status = Literal["pending", "running", "paused", "success", "error", "cancelled"]


class BackgroundJobs(Wire):
    """Jobs, newest first."""

    jobs: list[BackgroundJob]
    next_cursor: str | None


class JobType(Wire):
    """A type of job that this installation offers."""

    type: str
    title: str
    payload: dict[str, Any]
    """The JSON Schema of what it is started with."""


@router.get("")
async def list_jobs(
    platform: CurrentPlatform,
    who: Reader,
    type_: Annotated[list[str], Query(alias="type", max_length=20)] = [],  # noqa: B006
    status: Annotated[list[Status], Query(max_length=6)] = [],  # noqa: B006
    cursor: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> BackgroundJobs:
    """The organization's newest jobs, optionally of some types and statuses."""
    after = RowCursor.read(cursor)
    async with platform.unit(who) as session:
        items = await jobs.listed(
            session, types=type_, statuses=status, limit=limit + 1, after=after
        )
        shown = await background_jobs(session, items)
    page = page_of(
        shown, limit, lambda job: job, lambda job: RowCursor(job.created_at, job.id).written()
    )
    return BackgroundJobs(jobs=page.items, next_cursor=page.next_cursor)


@router.get("/types")
async def list_job_types(platform: CurrentPlatform, who: Reader) -> list[JobType]:
    """The types of job that a schedule may start."""
    offered = [platform.jobs.get(type_) for type_ in platform.jobs.types]
    return [
        JobType(type=each.type, title=each.job.title, payload=schema_of(each.job.payload))
        for each in offered
    ]


@router.get("/{id}")
async def read_job(platform: CurrentPlatform, who: Reader, job_id: JobId) -> BackgroundJob:
    """The current state of a job."""
    async with platform.unit(who) as session:
        return await background_job(session, await jobs.get(session, job_id))


@router.post("/{id}/cancel", responses=STOPPING)
async def cancel_job(
    platform: CurrentPlatform, who: Writer, job_id: JobId, response: Response
) -> BackgroundJob:
    """Cancel a job in any state; a job that has ended stays as it is.

    202: the job is writing at the moment and ends right after that.
    """
    async with platform.unit(who) as session:
        item = await jobs.cancel(session, who, job_id)
        response.status_code = status_of_cancel(item)
        return await background_job(session, item)


@router.post("/{id}/resume")
async def resume_job(platform: CurrentPlatform, who: Writer, job_id: JobId) -> BackgroundJob:
    """Resume a paused or failed job now; 409 for others."""
    async with platform.unit(who) as session:
        item = await jobs.resume(session, platform.queue, who, job_id)
        return await background_job(session, item)
