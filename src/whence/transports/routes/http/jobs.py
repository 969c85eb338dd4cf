"""Background jobs over REST: look at them, cancel them, let them go on."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response

from whence.kernel.wire import Wire
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import Built
from whence.transports.routes.job_view import STOPPING, JobError, Spent, status_of_cancel
from whence.work import status as jobs
from whence.work.queue import Priority
from whence.work.tables import WorkItem

router = APIRouter(prefix="/api/jobs", tags=["jobs"])
JobId = Annotated[UUID, Path(alias="id")]
Status = Literal["pending", "running", "paused", "success", "error", "cancelled"]


class JobProgressAnswer(Wire):
    """How far a job is; `total` is null where it does not know how much there is."""

    done: int
    total: int | None
    message: str | None


class BackgroundJob(Wire):
    """A unit of background work."""

    id: UUID
    type: str
    key: str | None
    status: str
    priority: Priority
    attempt: int
    progress: JobProgressAnswer
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    notice: str | None
    resume_at: datetime | None
    error: JobError | None
    result: dict[str, Any] | None
    spent: Spent


class BackgroundJobs(Wire):
    """The newest jobs first."""

    jobs: list[BackgroundJob]


def background_job(item: WorkItem) -> BackgroundJob:
    """A job as it is shown on the wire and by the command line."""
    return BackgroundJob(
        id=item.id,
        type=item.type,
        key=item.key,
        status=item.status,
        priority=next(level for level in Priority if level.number == item.priority),
        attempt=item.attempt,
        progress=JobProgressAnswer(
            done=item.progress_done, total=item.progress_total, message=item.progress_message
        ),
        created_at=item.created_at,
        started_at=item.started_at,
        completed_at=item.completed_at,
        notice=item.notice,
        resume_at=item.resume_at,
        error=JobError.model_validate(item.error) if item.error else None,
        result=item.result,
        spent=Spent(
            calls=item.spent_calls,
            tokens=item.spent_tokens,
            usd=item.spent_usd,
            seconds=item.spent_seconds,
        ),
    )


@router.get("")
async def list_jobs(
    built: Built,
    who: Reader,
    type_: Annotated[str | None, Query(alias="type", max_length=200)] = None,
    status: Status | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> BackgroundJobs:
    """The newest jobs of the organization, of one type and in one state where given."""
    async with built.unit(who) as session:
        items = await jobs.listed(session, type_=type_, status=status, limit=limit)
    return BackgroundJobs(jobs=[background_job(item) for item in items])


@router.get("/{id}")
async def read_job(built: Built, who: Reader, job_id: JobId) -> BackgroundJob:
    """A job as it is now."""
    async with built.unit(who) as session:
        return background_job(await jobs.get(session, job_id))


@router.post("/{id}/cancel", responses=STOPPING)
async def cancel_job(built: Built, who: Writer, job_id: JobId, response: Response) -> BackgroundJob:
    """End a job from any state; one that has ended stays as it is.

    202: the job is being written, and ends as soon as that is over.
    """
    async with built.unit(who) as session:
        item = await jobs.cancel(session, who, job_id)
        response.status_code = status_of_cancel(item)
        return background_job(item)


@router.post("/{id}/resume")
async def resume_job(built: Built, who: Writer, job_id: JobId) -> BackgroundJob:
    """Let a paused or failed job go on now; 409 for others."""
    async with built.unit(who) as session:
        return background_job(await jobs.resume(session, built.queue, who, job_id))
