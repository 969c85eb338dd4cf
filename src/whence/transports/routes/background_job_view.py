"""A background job as shown on the wire and by the command line."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from whence.kernel.wire import Wire
from whence.transports.routes.job_view import JobError, Spent
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


def background_job(item: WorkItem) -> BackgroundJob:
    """A job as shown on the wire and by the command line."""
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
