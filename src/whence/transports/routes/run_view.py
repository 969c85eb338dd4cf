"""Runs of every kind as shown in lists, and one with its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.evidence.lanes import LaneName
from whence.kernel.wire import Wire
from whence.records import references
from whence.records.kind import SubjectKind
from whence.research import comparing, run_steps
from whence.research.tables import Run
from whence.tenancy.names import names_of
from whence.transports.routes.job_view import Job, JobError, Spent, job_of, spent_by

RunStatus = Literal["pending", "running", "paused", "success", "error", "cancelled"]


class ListedRun(Wire):
    """A run as a line of a list."""

    id: UUID
    kind: str
    subject_id: UUID
    title: str | None
    """The record's title; null for a record that is gone or has none."""
    flow: str
    flow_version: str
    run_type: str
    lane: LaneName
    status: RunStatus
    attempt: int
    current_node: str | None
    step_count: int
    progress: int | None
    """In per cent, if the flow declares it."""
    requested_by: UUID
    requested_by_name: str | None
    """`System` for what a schedule started; null for somebody who has left."""
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    notice: str | None
    resume_at: datetime | None
    asks: bool
    """Whether it waits for a person's answer."""
    partial: bool
    """Whether it ended early, with a dossier that says so."""
    error: JobError | None
    spent: Spent
    unpriced: bool
    """Whether it used a model whose price is not known, so that `spent.usd` is too low."""


class RunDetail(Job):
    """A run with its steps, of whatever kind its record is."""

    kind: str
    subject_id: UUID
    title: str | None
    requested_by: UUID
    requested_by_name: str | None
    unpriced: bool
    can_compare: bool
    """Whether the record has a dossier of the shadow lane to compare with the one shown."""


async def listed_runs(
    session: AsyncSession, kinds: Mapping[str, SubjectKind], runs: Sequence[Run]
) -> list[ListedRun]:
    """Runs as lines of a list, with their records' titles."""
    records = [(run.kind, run.subject_id) for run in runs]
    titles = await references.titles(session, kinds.values(), records)
    names = await names_of(session, {run.requested_by for run in runs})
    return [_line(run, titles.get(run.subject_id), names.get(run.requested_by)) for run in runs]


def _line(run: Run, title: str | None, requester: str | None) -> ListedRun:
    return ListedRun(
        id=run.id,
        kind=run.kind,
        subject_id=run.subject_id,
        title=title,
        flow=run.flow,
        flow_version=run.flow_version,
        run_type=run.run_type,
        lane=LaneName(run.lane),
        status=run.status,  # pyright: ignore[reportArgumentType] (the database holds no other)
        attempt=run.attempt,
        current_node=run.current_node,
        step_count=run.step_count,
        progress=run.progress,
        requested_by=run.requested_by,
        requested_by_name=requester,
        created_at=run.created_at,
        started_at=run.started_at,
        completed_at=run.completed_at,
        notice=run.notice,
        resume_at=run.resume_at,
        asks=run.question is not None,
        partial=bool((run.result or {}).get("partial")),
        error=JobError.model_validate(run.error) if run.error else None,
        spent=spent_by(run),
        unpriced=run.unpriced,
    )


async def run_detail(
    session: AsyncSession, kinds: Mapping[str, SubjectKind], run: Run
) -> RunDetail:
    """A run with its steps and its record's title."""
    steps = await run_steps.steps(session, run.id)
    [line] = await listed_runs(session, kinds, [run])
    return RunDetail(
        **job_of(run, steps).model_dump(),
        kind=run.kind,
        subject_id=run.subject_id,
        title=line.title,
        requested_by=run.requested_by,
        requested_by_name=line.requested_by_name,
        unpriced=run.unpriced,
        can_compare=await comparing.can_compare(session, run.kind, run.subject_id, run.flow),
    )
