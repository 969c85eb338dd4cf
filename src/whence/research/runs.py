"""Runs as their users see them: ask for research, look at it, cancel it, start it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from whence.events import log
from whence.events.bus import CANCELS
from whence.events.types import JobComplete, JobQueued
from whence.kernel.clock import now
from whence.kernel.errors import Conflict, NotFound, NotReady
from whence.kernel.ids import new_id
from whence.records import store as records
from whence.records.audit import audit
from whence.records.kind import SubjectKind
from whence.research import questions
from whence.research.flow import Flow
from whence.research.questions import Question
from whence.research.tables import Run, RunStep
from whence.tenancy.principal import Principal, Scope
from whence.work.queue import JobQueue, Priority

ATTEMPT_JOB = "research.attempt"
ACTIVE = ("pending", "running", "paused")


_INTERRUPT = text("""
    WITH closed AS (
        UPDATE whence.run_steps SET status = 'interrupted', completed_at = :at
        WHERE run_id = :run AND status = 'running'
        RETURNING extract(epoch FROM CAST(:at AS timestamptz) - started_at) AS seconds)
    UPDATE whence.runs
    SET spent_seconds = spent_seconds + (SELECT coalesce(sum(seconds), 0) FROM closed)
    WHERE id = :run AND :counted AND EXISTS (SELECT FROM closed)
""")


@dataclass(frozen=True)
class Asked:
    """A run that does the research asked for; not `created`: it was already under way."""

    run_id: UUID
    created: bool


async def request(
    session: AsyncSession,
    queue: JobQueue,
    who: Principal,
    kind: SubjectKind,
    flow: Flow,
    subject_id: UUID,
    *,
    priority: Priority = Priority.NORMAL,
    options: Mapping[str, Any] | None = None,
    lane: str = "primary",
) -> Asked:
    """Queue research in the caller's transaction; asking again returns the run under way.

    Raises Forbidden, NotFound, and NotReady with the reason when the record cannot be researched.
    """
    who.require(Scope.WRITE)
    row = await records.get(session, kind, subject_id)
    if reason := kind.not_ready(kind.parse(row)):
        raise NotReady(f"{kind.title} not ready for research: {reason}")
    run_id = new_id()
    new = {
        "id": run_id,
        "kind": kind.kind,
        "subject_id": subject_id,
        "flow": flow.id,
        "flow_version": flow.version,
        "lane": lane,
        "status": "pending",
        "priority": priority.number,
        "requested_by": who.user_id,
        "scopes": sorted(scope.value for scope in who.scopes),
        "options": dict(options or {}),
        "created_at": now(),
    }
    made = await session.execute(insert(Run).values(new).on_conflict_do_nothing().returning(Run.id))
    if made.one_or_none() is None:
        found = await _active(session, kind.kind, subject_id, flow.id, lane)
        if found is None:
            raise Conflict("A run of this research has just ended; ask again.")
        return Asked(found, created=False)
    await log.append(session, run_id, JobQueued(priority=priority.value))
    await enqueue(session, queue, who.org_id, run_id, priority.number)
    detail = {"run": str(run_id), "flow": flow.id, "options": new["options"]}
    await audit(session, who, "request_research", kind.kind, subject_id, detail)
    return Asked(run_id, created=True)


async def enqueue(
    session: AsyncSession,
    queue: JobQueue,
    org_id: UUID,
    run_id: UUID,
    priority: int,
    at: datetime | None = None,
) -> None:
    """Let a worker attempt the run, in the caller's transaction; this replaces what was queued."""
    await queue.withdraw(session, str(run_id))
    arguments = {"org_id": str(org_id), "run_id": str(run_id)}
    await queue.enqueue(session, ATTEMPT_JOB, arguments, priority=priority, lock=str(run_id), at=at)


async def get(session: AsyncSession, run_id: UUID) -> Run:
    """One run; raises NotFound."""
    found = (await session.scalars(select(Run).where(Run.id == run_id))).one_or_none()
    if found is None:
        raise NotFound("There is no such research job.")
    return found


async def steps(session: AsyncSession, run_id: UUID) -> list[RunStep]:
    """The run's steps in the order they began."""
    query = select(RunStep).where(RunStep.run_id == run_id).order_by(RunStep.ordinal)
    return list(await session.scalars(query))


async def cancel(session: AsyncSession, who: Principal, run_id: UUID) -> Run:
    """End a run from any active state and any process; a run that has ended stays as it is."""
    who.require(Scope.WRITE)
    run = await get(session, run_id)
    done = await session.execute(
        update(Run)
        .where(Run.id == run_id, Run.status.in_(ACTIVE))
        .values(status="cancelled", completed_at=now(), resume_at=None, notice=None, question=None)
        .returning(Run.id)
    )
    if done.one_or_none() is not None:
        await interrupt_steps(session, run_id)
        await log.append(session, run_id, JobComplete(status="cancelled"))
        await session.execute(
            text("SELECT pg_notify(:channel, :run)"), {"channel": CANCELS, "run": str(run_id)}
        )
        await audit(session, who, "cancel_research", run.kind, run.subject_id, {"run": str(run_id)})
    await session.refresh(run)
    return run


async def resume(session: AsyncSession, queue: JobQueue, who: Principal, run_id: UUID) -> Run:
    """Go on now with a paused or failed run, from its last finished node, in `who`'s name.

    A run that waits for an answer which it can do without goes on without it.  Raises Conflict for
    a run that is under way, has succeeded or was cancelled, one that needs its answer, and while
    another run of the same research is under way.
    """
    who.require(Scope.WRITE)
    run = await get(session, run_id)
    await session.refresh(run, with_for_update=True)
    if run.status not in ("paused", "error"):
        raise Conflict(f"This run is {run.status}; only a paused or failed one can be resumed.")
    if run.question is not None:
        question = Question.model_validate(run.question)
        if question.required:
            raise Conflict(f"This run cannot go on without an answer to '{question.text}'.")
        run.answers = questions.answered(run.answers, question, None, who.user_id, now())
    under_way = await _active(session, run.kind, run.subject_id, run.flow, run.lane)
    if under_way not in (None, run.id):
        raise Conflict("A newer run of this research is under way; it takes this one's place.")
    run.requested_by, run.scopes = who.user_id, sorted(scope.value for scope in who.scopes)
    run.outages = run.crashes = run.deaths = 0
    await go_on(session, queue, who, run)
    await audit(session, who, "resume_research", run.kind, run.subject_id, {"run": str(run_id)})
    return run


async def go_on(session: AsyncSession, queue: JobQueue, who: Principal, run: Run) -> None:
    """Queue the next attempt of a run that waited, or had failed."""
    run.status, run.resume_at, run.question = "pending", None, None
    run.notice, run.error, run.completed_at = None, None, None
    await session.flush()
    name = next(p for p in Priority if p.number == run.priority)
    await log.append(session, run.id, JobQueued(priority=name.value))
    await enqueue(session, queue, who.org_id, run.id, run.priority)


async def _active(
    session: AsyncSession, kind: str, subject_id: UUID, flow: str, lane: str = "primary"
) -> UUID | None:
    """The one run of this research that is under way, or None."""
    return await session.scalar(
        select(Run.id).where(
            Run.kind == kind,
            Run.subject_id == subject_id,
            Run.flow == flow,
            Run.lane == lane,
            Run.status.in_(ACTIVE),
        )
    )


async def interrupt_steps(session: AsyncSession, run_id: UUID, *, counted: bool = True) -> None:
    """Close the steps that an ended attempt left open, and count what they took as time worked.

    Not `counted` where the worker died: nobody knows for how long it still worked.
    """
    values = {"run": run_id, "at": now(), "counted": counted}
    await session.execute(_INTERRUPT, values)
