"""A run as shown on the wire, where it is called a job; the same for REST and sockets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import create_model

from whence.evidence.lanes import Fallback, LaneName
from whence.kernel.wire import Wire
from whence.records.kind import SubjectKind
from whence.research.questions import Question
from whence.research.run_steps import StepDetail
from whence.research.tables import Run, RunStep
from whence.work.queue import Priority
from whence.work.tables import FINISHED, WorkItem

STOPPING: dict[int | str, dict[str, Any]] = {
    202: {"description": "It is being written, and ends as soon as that is over"}
}
"""The response to a cancellation while the work is writing, in addition to 200."""


def status_of_cancel(item: WorkItem) -> int:
    """200 for work that has ended, 202 for work that will end as soon as it can."""
    return 200 if item.status in FINISHED else 202


class Step(Wire):
    """One node's turn."""

    step: int
    node: str
    attempt: int
    status: str
    started_at: datetime
    completed_at: datetime | None
    duration_ms: float | None
    branch: str | None
    """The name of the branch, if the node ran in several at once."""
    detail: StepDetail


class JobError(Wire):
    """Why a run failed or waits."""

    type: str
    message: str


class Spent(Wire):
    """The part of its budget a run has used."""

    calls: int
    tokens: int
    usd: float
    seconds: float


class Job(Wire):
    """A run of a research flow; the id of its subject is added under the subject's own name."""

    id: UUID
    type: str
    flow_version: str
    run_type: str
    """The type of the run, as declared by its flow."""
    parameters: dict[str, Any]
    """The parameters of the run."""
    lane: LaneName
    fallback: Fallback | None
    status: str
    priority: Priority
    attempt: int
    current_node: str | None
    step_count: int
    progress: int | None
    """Progress in per cent, if the flow declares it."""
    step_history: list[Step]
    resumable: bool
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    notice: str | None
    resume_at: datetime | None
    question: Question | None
    record_changed: bool
    error: JobError | None
    result: dict[str, Any] | None
    spent: Spent


def job_model(kind: SubjectKind) -> type[Job]:
    """`Job` with the id of its subject: `itemId` for items."""
    fields: dict[str, Any] = {kind.id_name: (UUID, ...)}
    return create_model(f"{kind.name}Job", __base__=Job, __doc__=Job.__doc__, **fields)


def shown(kind: SubjectKind, run: Run, steps: Sequence[RunStep]) -> dict[str, Any]:
    """A run and its steps as JSON for the wire."""
    document = job_of(run, steps).model_dump(mode="json", by_alias=True)
    return document | {kind.id_name: str(run.subject_id)}


def job_of(run: Run, steps: Sequence[RunStep]) -> Job:
    """A run and its steps, without its record."""
    return Job(
        id=run.id,
        type=run.flow,
        flow_version=run.flow_version,
        run_type=run.run_type,
        parameters=run.parameters,
        lane=LaneName(run.lane),
        fallback=Fallback.model_validate(run.fallback) if run.fallback else None,
        status=run.status,
        priority=next(level for level in Priority if level.number == run.priority),
        attempt=run.attempt,
        current_node=run.current_node,
        step_count=run.step_count,
        progress=run.progress,
        step_history=[_step(step) for step in steps],
        resumable=run.resumable,
        created_at=run.created_at,
        started_at=run.started_at,
        completed_at=run.completed_at,
        notice=run.notice,
        resume_at=run.resume_at,
        question=Question.model_validate(run.question) if run.question else None,
        record_changed=run.record_changed,
        error=JobError.model_validate(run.error) if run.error else None,
        result=run.result,
        spent=spent_by(run),
    )


def spent_by(item: WorkItem) -> Spent:
    """What a unit of work has used of its budget."""
    return Spent(
        calls=item.spent_calls,
        tokens=item.spent_tokens,
        usd=item.spent_usd,
        seconds=item.spent_seconds,
    )


def _step(step: RunStep) -> Step:
    end = step.completed_at
    return Step(
        step=step.ordinal,
        node=step.node,
        attempt=step.attempt,
        status=step.status,
        started_at=step.started_at,
        completed_at=end,
        duration_ms=(end - step.started_at).total_seconds() * 1000 if end else None,
        branch=step.branch,
        detail=StepDetail.model_validate(step.detail),
    )
