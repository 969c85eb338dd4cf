"""Start a schedule's job as the system principal, in the caller's transaction."""

from __future__ import annotations

from datetime import datetime

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import part_of
from whence.kernel.errors import Invalid, Unavailable, WhenceError
from whence.kernel.field_errors import faults_of, sentence
from whence.kernel.log import get
from whence.tenancy.audit import audit
from whence.tenancy.system import system_principal
from whence.work.jobs import Jobs
from whence.work.queue import Priority
from whence.work.schedules.tables import ScheduleRow
from whence.work.submission import JustEnded, Submission

_log = get("work.schedules")
SCHEDULE = "schedule"
"""The subject kind of schedules in the audit log."""


async def start(session: AsyncSession, jobs: Jobs, row: ScheduleRow, at: datetime) -> None:
    """Start the job of a schedule that the caller has locked, and record the outcome in its row.

    A schedule has at most one active job: while its last job is active, no other starts.  Errors go
    into the row's `last_error`, except JustEnded and Unavailable, which are raised.
    """
    row.last_at, row.last_error = at, None
    try:
        async with part_of(session):
            submission = await _enqueue(session, jobs, row)
    except (JustEnded, Unavailable):
        raise
    except WhenceError as error:
        row.last_outcome, row.last_error = "failed", error.message
        return
    except Exception as error:  # noqa: BLE001 (a pack's payload may raise anything)
        _log.error("a schedule cannot be started", schedule=str(row.id), exc_info=error)
        row.last_outcome = "failed"
        row.last_error = f"An unexpected error ({type(error).__name__}); the log has the details."
        return
    row.last_outcome = "started" if submission.created else "skipped"
    row.last_job_id = submission.id


async def _enqueue(session: AsyncSession, jobs: Jobs, row: ScheduleRow) -> Submission:
    job = jobs.get(row.job).job
    try:
        payload = job.payload.model_validate(row.payload)
    except ValidationError as error:
        faults = sentence(faults_of(error, job.payload))
        raise Invalid(f"The payload no longer fits the job '{row.job}': {faults}.") from error
    system = await system_principal(session, row.scopes)
    key = f"schedule/{row.id}"
    # Low priority: people's own requests come first.
    submission = await jobs.enqueue(session, system, job, payload, key=key, priority=Priority.LOW)
    if submission.created:
        detail = {"job": str(submission.id), "type": row.job, "due": str(row.next_at)}
        await audit(session, system, "start_scheduled_job", SCHEDULE, row.id, detail)
    return submission
