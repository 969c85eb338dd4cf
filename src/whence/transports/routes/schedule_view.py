"""A schedule as shown on the wire and by the command line."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from whence.kernel.wire import Wire
from whence.work.schedules.values import Shown


class Schedule(Wire):
    """A schedule, with the result of its last tick."""

    id: UUID
    declared_as: str | None
    """`<pack>.<name>` if a pack declares it; null if a person created it."""
    title: str
    job: str
    payload: dict[str, Any]
    cron: str | None
    every_seconds: int | None
    time_zone: str
    description: str
    """Its times in words."""
    paused: bool
    is_known: bool
    """False if no pack declares it, or offers its job, any more: it starts nothing."""
    next_at: datetime | None
    """Null while paused."""
    last_at: datetime | None
    last_outcome: Literal["started", "skipped", "failed"] | None
    """`skipped`: the previous job was still in progress."""
    last_job_id: UUID | None
    last_job_status: str | None
    last_error: str | None
    created_by: UUID
    created_at: datetime
    updated_at: datetime


def schedule(shown: Shown) -> Schedule:
    """A schedule as shown on the wire and by the command line."""
    values = {
        name: getattr(shown.row, name) for name in Schedule.model_fields if hasattr(shown.row, name)
    }
    return Schedule(
        **values,
        description=shown.row.timing.description,
        is_known=shown.is_known,
        last_job_status=shown.last_job_status,
    )
