"""A background job as shown on the wire and by the command line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.wire import Wire
from whence.tenancy.names import names_of
from whence.transports.routes.job_view import JobError, Spent, spent_by
from whence.work.queue import Priority
from whence.work.tables import WorkItem


class JobProgressAnswer(Wire):
    """The progress of a job; `total` is null if the amount is not known."""

    done: int
    total: int | None
    message: str | None


class BackgroundJob(Wire):
    """A unit of background work."""

    id: UUID
    type: str
    key: str | None
    payload: dict[str, Any]
    """What the job was started with."""
    requested_by: UUID
    requested_by_name: str | None
    """`System` for what a schedule started; null for somebody who has left the organization."""
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


async def background_jobs(session: AsyncSession, items: Sequence[WorkItem]) -> list[BackgroundJob]:
    """Jobs as shown on the wire and by the command line."""
    names = await names_of(session, {item.requested_by for item in items})
    return [_shown(item, names.get(item.requested_by)) for item in items]


async def background_job(session: AsyncSession, item: WorkItem) -> BackgroundJob:
    """A job as shown on the wire and by the command line."""
    [shown] = await background_jobs(session, [item])
    return shown


def _shown(item: WorkItem, requester: str | None) -> BackgroundJob:
    return BackgroundJob(
        id=item.id,
        type=item.type,
        key=item.key,
        payload=item.payload,
        requested_by=item.requested_by,
        requested_by_name=requester,
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
        spent=spent_by(item),
    )
