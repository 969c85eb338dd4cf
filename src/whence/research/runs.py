"""What users do with runs: request research, read, cancel, resume."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.statements import storable
from whence.evidence.dossiers import Lane
from whence.kernel.clock import now
from whence.kernel.errors import Conflict, NotFound, NotReady, Settled
from whence.records import store as records
from whence.records.audit import audit
from whence.records.kind import SubjectKind
from whence.research import questions
from whence.research.earlier import require_earlier
from whence.research.flow import Flow
from whence.research.questions import Question
from whence.research.run_steps import close_cancelled
from whence.research.run_type import OtherResearchUnderWay
from whence.research.tables import RUNS, Run
from whence.tenancy.principal import Principal, Scope
from whence.work import cancellation, status
from whence.work.queue import QUEUE, JobQueue, Priority
from whence.work.submission import Route, Submission, active_with, start, submit
from whence.work.tables import RESEARCH

ATTEMPT_JOB = "research.attempt"
ANYWAY = "anyway"
"""The option of a request to research a record that need not be researched in its state."""
_ROUTE = Route(QUEUE, ATTEMPT_JOB)


@dataclass(frozen=True)
class WantedRun:
    """The requested type and parameters; None accepts any."""

    type: str | None = None
    parameters: Mapping[str, Any] | None = None

    @property
    def is_any(self) -> bool:
        """Whether any run of the flow satisfies the request."""
        return self.type is None and not self.parameters


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
    wanted: WantedRun | None = None,
) -> Submission:
    """Queue research in the caller's transaction; if a run is active, return that one.

    Raises Forbidden, NotFound, NotReady with the reason if the record cannot be researched, Settled
    if it need not be (the option `anyway` overrides that), NothingToBuildOn, Invalid for a type or
    parameters that the flow does not accept, and OtherResearchUnderWay.
    """
    who.require(Scope.WRITE)
    wanted = wanted or WantedRun()
    run_type = flow.run_type(wanted.type)
    parameters = storable(run_type.parse(wanted.parameters).model_dump(mode="json", by_alias=True))
    row = await records.get(session, kind, subject_id)
    record = kind.parse(row)
    if reason := kind.not_ready(record):
        raise NotReady(f"{kind.title} not ready for research: {reason}")
    if (reason := kind.settled(record)) and not (options or {}).get(ANYWAY):
        raise Settled(f"{kind.title} not researched: {reason}. Request it with `anyway` to do so.")
    if run_type.builds_on_earlier:
        lane_of_record = Lane(kind.kind, subject_id, flow.id)
        await require_earlier(session, lane_of_record, run_type, flow.types)
    key = key_of(kind.kind, subject_id, flow.id, lane) + run_type.key(parameters)
    submission = await submit(session, who, RESEARCH, _ROUTE, key=key, priority=priority)
    if not submission.created:
        if not wanted.is_any:
            await _require_same(session, submission.id, run_type.name, parameters)
        return submission
    run = {
        "id": submission.id,
        "kind": kind.kind,
        "subject_id": subject_id,
        "flow": flow.id,
        "flow_version": flow.version,
        "lane": lane,
        "options": dict(options or {}),
        "run_type": run_type.name,
        "parameters": parameters,
        "review": await _begin_review(session, kind, subject_id) if lane == "primary" else None,
    }
    await session.execute(insert(RUNS).values(run))
    await start(session, queue, who.org_id, submission.id, _ROUTE, priority.number)
    detail = {"run": str(submission.id), "flow": flow.id, "options": run["options"]}
    detail |= {"type": run_type.name, "parameters": parameters}
    await audit(session, who, "request_research", kind.kind, subject_id, detail)
    return submission


async def _begin_review(
    session: AsyncSession, kind: SubjectKind, subject_id: UUID
) -> Mapping[str, object] | None:
    """Show on the record that research is on.

    Returns what the database needs to end that with the run (`whence.review_record`).
    """
    if (review := kind.review) is None:
        return None
    column = getattr(kind.row, review.field)
    mine = kind.row.id == subject_id
    before = await session.scalar(select(column).where(mine).with_for_update())
    await session.execute(update(kind.row).where(mine).values({review.field: review.active}))
    return {
        "table": str(kind.row.__table__),
        "column": review.field,
        "active": review.active,
        "done": review.done,
        "before": review.done if before == review.active else before,
    }


async def _require_same(
    session: AsyncSession, run_id: UUID, run_type: str, parameters: Mapping[str, Any]
) -> None:
    """Raise OtherResearchUnderWay if the active run has another type or other parameters."""
    run = await get(session, run_id)
    if (run.run_type, run.parameters) != (run_type, parameters):
        raise OtherResearchUnderWay


def key_of(kind: str, subject_id: UUID, flow: str, lane: str) -> str:
    """The key of which at most one run is active."""
    return f"{kind}/{subject_id}/{flow}/{lane}"


async def get(session: AsyncSession, run_id: UUID) -> Run:
    """One run; raises NotFound."""
    run = (await session.scalars(select(Run).where(Run.id == run_id))).one_or_none()
    if run is None:
        raise NotFound("There is no such research job.")
    return run


async def cancel(session: AsyncSession, who: Principal, run_id: UUID) -> Run:
    """Cancel a run in any active status, from any process; a run that has ended stays unchanged.

    A run that is writing is still active in the returned row; it ends right afterwards.
    """
    who.require(Scope.WRITE)
    run = await get(session, run_id)
    if await cancellation.request(session, who, run_id, close_cancelled):
        await audit(session, who, "cancel_research", run.kind, run.subject_id, {"run": str(run_id)})
    await session.refresh(run)
    return run


async def resume(session: AsyncSession, queue: JobQueue, who: Principal, run_id: UUID) -> Run:
    """Resume a paused or failed run now, after its last finished node, in `who`'s name.

    A run that waits for an optional answer continues without it.  Raises Conflict for a run in any
    other status, one that needs its answer, and while another run of the same research is active.
    """
    who.require(Scope.WRITE)
    run = await get(session, run_id)
    await session.refresh(run, with_for_update=True)
    if run.status not in ("paused", "error"):
        raise Conflict(f"This run is {run.status}; only a paused or failed one can be resumed.")
    if run.question is not None:
        question = Question.model_validate(run.question)
        if question.required:
            raise Conflict(f"This run cannot continue without an answer to '{question.text}'.")
        run.answers = questions.answered(run.answers, question, None, who.user_id, now())
    if await active_with(session, run.type, run.key) not in (None, run.id):
        raise Conflict("A newer run of this research is active and replaces this one.")
    run.requested_by, run.scopes = who.user_id, sorted(scope.value for scope in who.scopes)
    run.outages = run.crashes = run.deaths = 0
    await continue_run(session, queue, who, run)
    await audit(session, who, "resume_research", run.kind, run.subject_id, {"run": str(run_id)})
    return run


async def continue_run(session: AsyncSession, queue: JobQueue, who: Principal, run: Run) -> None:
    """Queue the next attempt of a paused or failed run."""
    run.question = None
    await status.restart(session, queue, who.org_id, run)
