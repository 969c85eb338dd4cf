"""How an attempt ends: the run's next state, its event and, where it goes on, its next job."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from datetime import timedelta

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.failures import DatabaseBusy
from whence.db.storable import storable_text
from whence.events import log
from whence.events.types import JobComplete, JobNotice, JobPaused, JobQueued
from whence.evidence import dossiers
from whence.evidence.lanes import Fallback
from whence.kernel import metrics
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, Unavailable, WhenceError
from whence.records.kind import SubjectKind
from whence.research import questions
from whence.research.attempt import Attempt
from whence.research.ledger import UNPRICED
from whence.research.questions import Question
from whence.research.runs import enqueue, interrupt_steps
from whence.research.tables import Run
from whence.work.queue import JobQueue, Priority

MAX_OUTAGES = 8
"""Pauses at one place because an outside system is away, before the run is given up (1 hour)."""
MAX_CRASHES = 3
"""Attempts that may end at one place with an unexpected error before the run is given up."""
MAX_DEATHS = 8
"""Workers that may die at one place before the run is given up: more than crashes, since a worker
may also be killed for reasons of its own."""
DEATHS_AT_ONCE = 1
"""Workers that may die at one place before the run waits for its next one."""
FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 900.0
PAUSED = "Research paused, will resume automatically"
GiveUp = Callable[[Attempt, Exception], Awaitable[None]]
"""How a run ends that cannot go on."""
ASKED = "Research waits for your answer"
RECORD_CHANGED = "The record changed during this research; run it again to take that into account."


class WorkerDied(WhenceError):
    """The worker died each time it worked on this run, perhaps for want of memory; the run is given
    up so that others go on.  Resume it to try again.
    """


class RequesterLeft(Forbidden):
    """Whoever asked for this research is no longer a member of the organization, so it stopped;
    resume it to go on in your own name.
    """


async def succeed(attempt: Attempt, kind: SubjectKind, notice: str | None = None) -> None:
    """The flow is through: the run's final state and its event, in one transaction.

    What its reader should know is kept with the run and with its dossier: `notice`, a record that
    changed meanwhile, a model of unknown price.
    """
    async with attempt.fenced() as session:
        changed, unpriced, gave_way = await _looked_back(session, attempt, kind)
        told = [words for words in (notice, gave_way) if words]
        told += [RECORD_CHANGED] if changed else []
        told += [UNPRICED] if unpriced else []
        await dossiers.note(session, attempt.run_id, told, record_changed=changed)
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
                outages=0,
                crashes=0,
                deaths=0,
                notice=" ".join(told) or None,
                record_changed=changed,
                result=complete.model_dump(mode="json", by_alias=True, exclude={"error"}),
            )
        )
        # A budget that ended the flow cancelled the nodes that ran beside the one it stopped.
        await interrupt_steps(session, attempt.run_id)
        await log.append(session, attempt.run_id, complete)
    metrics.attempt_ended("success")


async def _looked_back(
    session: AsyncSession, attempt: Attempt, kind: SubjectKind
) -> tuple[bool, bool, str | None]:
    """Whether the record is another one now, or gone; whether a model had no known price; and that
    a candidate version gave way.
    """
    query = select(Run.subject_version, Run.unpriced, Run.fallback)
    query = query.where(Run.id == attempt.run_id)
    began_with, unpriced, fallback = (await session.execute(query)).one()
    version = await session.scalar(
        select(kind.row.version).where(kind.row.id == attempt.subject_id)
    )
    gave_way = Fallback.model_validate(fallback).notice if fallback else None
    return began_with is not None and version != began_with, unpriced, gave_way


async def fail(attempt: Attempt, error: Exception) -> None:
    """The run ends with an error that its user reads; its finished steps stay."""
    async with attempt.fenced() as session:
        problem = _problem(error)
        await session.execute(
            update(Run)
            .where(Run.id == attempt.run_id)
            .values(status="error", completed_at=now(), error=problem)
        )
        await interrupt_steps(session, attempt.run_id)
        await log.append(session, attempt.run_id, JobComplete(status="error", error=problem))
    metrics.attempt_ended("error")


async def pause(
    attempt: Attempt, queue: JobQueue, error: Exception, give_up: GiveUp = fail
) -> None:
    """Wait and go on by itself; after too many pauses at one place the run is given up.

    What keeps the database from working, such as a full disk, is not held against the run.
    """
    is_ours = isinstance(error, DatabaseBusy)
    is_outage = isinstance(error, Unavailable)
    async with attempt.fenced() as session:
        run = (await session.scalars(select(Run).where(Run.id == attempt.run_id))).one()
        before = run.outages if is_outage else run.crashes
        given_up = not is_ours and before + 1 >= (MAX_OUTAGES if is_outage else MAX_CRASHES)
        run.outages += int(is_outage and not is_ours)
        run.crashes += int(not is_outage)
        if not given_up:
            await _wait(session, attempt, queue, before, error)
    if given_up:
        await give_up(attempt, error)
        return
    metrics.attempt_ended("paused")


async def recover(attempt: Attempt, queue: JobQueue) -> None:
    """Wait after several deaths in a row, longer each time.

    A run that takes its worker along each time leaves those that it takes along time to get on.
    """
    died = WorkerDied("The worker died while it worked on this run; it goes on after a pause.")
    async with attempt.fenced() as session:
        await _wait(session, attempt, queue, attempt.deaths - DEATHS_AT_ONCE - 1, died)
    metrics.attempt_ended("paused")


async def _wait(
    session: AsyncSession, attempt: Attempt, queue: JobQueue, before: int, error: Exception
) -> None:
    """Pause, for longer the more pauses there were `before`, and enqueue what follows."""
    run = (await session.scalars(select(Run).where(Run.id == attempt.run_id))).one()
    at = now() + timedelta(seconds=_delay(before, error))
    run.status, run.resume_at = "paused", at
    run.notice, run.error = PAUSED, _problem(error)
    await session.flush()
    await interrupt_steps(session, attempt.run_id)
    await log.append(session, attempt.run_id, JobPaused(notice=PAUSED, resume_at=at))
    await enqueue(session, queue, attempt.principal.org_id, attempt.run_id, run.priority, at)


async def ask(attempt: Attempt, question: Question) -> None:
    """Wait for a person, without a worker and without a time; the answer enqueues what follows."""
    async with attempt.fenced() as session:
        shown = questions.shown(question)
        await session.execute(
            update(Run)
            .where(Run.id == attempt.run_id)
            .values(status="paused", resume_at=None, notice=ASKED, question=shown)
        )
        await interrupt_steps(session, attempt.run_id)
        paused = JobPaused(notice=ASKED, resume_at=None, question=shown)
        await log.append(session, attempt.run_id, paused)
    metrics.attempt_ended("asked")


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
