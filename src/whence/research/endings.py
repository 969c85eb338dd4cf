"""How an attempt ends: the run's next state, its event and, where it goes on, its next job."""

from __future__ import annotations

import random
from datetime import timedelta

from sqlalchemy import select, update

from whence.db.storable import storable_text
from whence.events import log
from whence.events.types import JobComplete, JobNotice, JobPaused, JobQueued
from whence.evidence import dossiers
from whence.jobs.queue import JobQueue, Priority
from whence.kernel import metrics
from whence.kernel.clock import now
from whence.kernel.errors import Unavailable, WhenceError
from whence.research.attempt import Attempt
from whence.research.runs import enqueue, interrupt_steps
from whence.research.tables import Run

MAX_OUTAGES = 8
"""Pauses in a row because an outside system is away, before the run is given up (about 1 hour)."""
MAX_CRASHES = 3
"""Attempts that may end with an unexpected error before the run is given up."""
MAX_DEATHS = 8
"""Failures in a row, of which the last took its worker along, before the run is given up: more than
crashes, since a worker may also be killed for reasons of its own."""
FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 900.0
PAUSED = "Research paused, will resume automatically"


class WorkerDied(WhenceError):
    """The worker died each time it worked on this run, perhaps for want of memory; the run is given
    up so that others go on.  Resume it to try again.
    """


async def succeed(attempt: Attempt, notice: str | None = None) -> None:
    """The flow is through: the run's final state and its event, in one transaction."""
    async with attempt.fenced() as session:
        dossier = await dossiers.of_run(session, attempt.run_id)
        complete = JobComplete(
            status="success",
            dossier_id=dossier.id if dossier else None,
            partial=bool(dossier and dossier.is_partial),
            summary=dossier.summary if dossier else None,
        )
        await session.execute(
            update(Run)
            .where(Run.id == attempt.run_id)
            .values(
                status="success",
                completed_at=now(),
                current_node=None,
                failures=0,
                notice=notice,
                result=complete.model_dump(mode="json", by_alias=True, exclude={"error"}),
            )
        )
        # A budget that ended the flow cancelled the nodes that ran beside the one it stopped.
        await interrupt_steps(session, attempt.run_id)
        await log.append(session, attempt.run_id, complete)
    metrics.attempt_ended("success")


async def fail(attempt: Attempt, error: Exception) -> None:
    """The run ends with an error that its user reads; its finished steps stay."""
    async with attempt.fenced() as session:
        problem = _problem(error)
        await session.execute(
            update(Run)
            .where(Run.id == attempt.run_id)
            .values(status="error", completed_at=now(), error=problem, failures=Run.failures + 1)
        )
        await interrupt_steps(session, attempt.run_id)
        await log.append(session, attempt.run_id, JobComplete(status="error", error=problem))
    metrics.attempt_ended("error")


async def pause(attempt: Attempt, queue: JobQueue, error: Exception) -> None:
    """Wait and go on by itself; after too many pauses in a row the run fails with its error."""
    async with attempt.unit() as session:
        failures = await session.scalar(select(Run.failures).where(Run.id == attempt.run_id)) or 0
    if failures + 1 >= (MAX_OUTAGES if isinstance(error, Unavailable) else MAX_CRASHES):
        await fail(attempt, error)
        return
    async with attempt.fenced() as session:
        at = now() + timedelta(seconds=_delay(failures, error))
        run = (await session.scalars(select(Run).where(Run.id == attempt.run_id))).one()
        run.status, run.failures, run.resume_at = "paused", failures + 1, at
        run.notice, run.error = PAUSED, _problem(error)
        await session.flush()
        await interrupt_steps(session, attempt.run_id)
        await log.append(session, attempt.run_id, JobPaused(notice=PAUSED, resume_at=at))
        org_id = attempt.principal.org_id
        await enqueue(session, queue, org_id, attempt.run_id, run.priority, at)


async def hand_back(attempt: Attempt, queue: JobQueue) -> None:
    """The worker is asked to stop: another one goes on at once, and no retry is spent."""
    async with attempt.fenced() as session:
        run = (await session.scalars(select(Run).where(Run.id == attempt.run_id))).one()
        run.status = "pending"
        await session.flush()
        await interrupt_steps(session, attempt.run_id)
        name = next(p for p in Priority if p.number == run.priority)
        await log.append(session, attempt.run_id, JobQueued(priority=name.value))
        await enqueue(session, queue, attempt.principal.org_id, attempt.run_id, run.priority)
    metrics.attempt_ended("handed_back")


async def not_resumable(attempt: Attempt) -> None:
    """Say that checkpoints can no longer be written: a crash would start this run anew."""
    notice = "Progress can no longer be saved; if the worker stops, this run starts anew."
    async with attempt.fenced() as session:
        await session.execute(
            update(Run).where(Run.id == attempt.run_id).values(resumable=False, notice=notice)
        )
        await log.append(session, attempt.run_id, JobNotice(notice=notice))


def _delay(failures: int, error: Exception) -> float:
    if isinstance(error, Unavailable) and error.retry_after is not None:
        return min(error.retry_after, LONGEST_PAUSE_SECONDS)
    pause = min(FIRST_PAUSE_SECONDS * 2**failures, LONGEST_PAUSE_SECONDS)
    return pause * random.uniform(0.75, 1.25)


def _problem(error: Exception) -> dict[str, str]:
    if isinstance(error, WhenceError):
        return {"type": type(error).__name__, "message": storable_text(error.message)}
    return {
        "type": "Unexpected",
        "message": f"An unexpected error ended this step ({type(error).__name__}); "
        "the log has the details. Resume the run to try again.",
    }
