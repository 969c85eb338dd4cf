"""The job `research_records`: request research of records of a kind, longest waiting first.

Schedules use it to keep records researched; a pack may queue it like any other job.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from pydantic import BaseModel, Field, ValidationError
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.evidence.lanes import LaneName
from whence.kernel.errors import Invalid, NotFound, NotReady
from whence.kernel.field_errors import faults_of, sentence
from whence.kernel.services import Services
from whence.kernel.wire import Wire
from whence.records.filters import conditions, narrowing
from whence.records.kind import Kinds, SubjectKind
from whence.research.flow import Flow
from whence.research.run_type import OtherResearchUnderWay
from whence.research.runs import WantedRun
from whence.research.tables import Run
from whence.tenancy.principal import Principal
from whence.work.context import JobContext
from whence.work.job import Job
from whence.work.queue import Priority
from whence.work.submission import JustEnded, Submission

MOST_RECORDS = 1_000
"""Most records of one job: all their runs are queued at once, and each has a budget."""
BATCH = 20
"""Records per transaction."""
_OUTCOMES = ("started", "under_way", "not_ready")


class ResearchRecords(Wire):
    """The records to research, and the flow."""

    kind: str = Field(max_length=100, title="Records")
    flow: str = Field(default="research", max_length=100, title="What to run")
    run_type: str | None = Field(
        default=None,
        max_length=100,
        title="Type of run",
        description="Leave it empty for the usual one",
    )
    parameters: dict[str, Any] = Field(
        default_factory=dict, title="Options", description="One a line, as `name=value`"
    )
    filters: dict[str, Any] = Field(
        default_factory=dict,
        title="Only records with",
        description="The filters of their list, one a line, such as `condition=new`",
    )
    most: int = Field(
        default=100, ge=1, le=MOST_RECORDS, title="At most", description="Records each time"
    )


class ResearchedRecords(Wire):
    """How many records got which result."""

    started: int
    under_way: int
    """Records whose research was already active."""
    not_ready: int
    """Records that are not ready for research."""


class Ask(Protocol):
    """Requests research of a record, according to the rollout."""

    async def __call__(
        self,
        session: AsyncSession,
        who: Principal,
        kind: SubjectKind,
        subject_id: UUID,
        *,
        flow: str | None = None,
        priority: Priority = Priority.NORMAL,
        wanted: WantedRun | None = None,
    ) -> Submission: ...


@dataclass(frozen=True)
class RecordResearch:
    """The job's dependencies."""

    kinds: Kinds
    flows: Mapping[tuple[str, str], Flow]
    """Flows by kind and id."""
    ask: Ask


class _Progress(Wire):
    """The job's progress, saved for its next attempt."""

    ids: list[UUID]
    done: int = 0
    started: int = 0
    under_way: int = 0
    not_ready: int = 0


async def research_records(payload: ResearchRecords, job: JobContext) -> ResearchedRecords:
    """Request research, batch by batch; a later attempt continues where the last one stopped."""
    service = job.service(RecordResearch)
    kind = _kind(service, payload)
    progress = _Progress.model_validate(job.state) if job.state else None
    if progress is None:
        async with job.fenced() as session:
            progress = _Progress(ids=await _waiting_longest(session, kind, payload))
            await job.save_state(session, progress.model_dump(mode="json"))
    total = len(progress.ids)
    while progress.done < total:
        batch = progress.ids[progress.done : progress.done + BATCH]
        async with job.fenced() as session:
            outcomes = Counter(
                [await _ask(session, service, kind, payload, job, each) for each in batch]
            )
            done = {"done": progress.done + len(batch)}
            counts = {name: getattr(progress, name) + outcomes[name] for name in _OUTCOMES}
            progress = progress.model_copy(update=done | counts)
            await job.save_state(session, progress.model_dump(mode="json"))
        await job.progress(progress.done, total)
    return ResearchedRecords(
        started=progress.started, under_way=progress.under_way, not_ready=progress.not_ready
    )


async def _ask(
    session: AsyncSession,
    service: RecordResearch,
    kind: SubjectKind,
    payload: ResearchRecords,
    job: JobContext,
    subject_id: UUID,
) -> str:
    try:
        submission = await service.ask(
            session,
            job.principal,
            kind,
            subject_id,
            flow=payload.flow,
            priority=Priority.LOW,
            wanted=WantedRun(payload.run_type, payload.parameters),
        )
    except (OtherResearchUnderWay, JustEnded):
        return "under_way"
    except (NotReady, NotFound):  # not complete yet, or deleted since it was listed
        return "not_ready"
    return "started" if submission.created else "under_way"


async def _waiting_longest(
    session: AsyncSession, kind: SubjectKind, payload: ResearchRecords
) -> list[UUID]:
    """The records that match the filters: never researched ones first, then the longest ago."""
    last_request = (
        select(Run.subject_id, func.max(Run.created_at).label("at"))
        .where(Run.kind == kind.kind, Run.flow == payload.flow, Run.lane == LaneName.PRIMARY)
        .group_by(Run.subject_id)
        .subquery()
    )
    query = (
        select(kind.row.id)
        .outerjoin(last_request, last_request.c.subject_id == kind.row.id)
        .where(*await conditions(session, kind, _filters(kind, payload)))
        .order_by(last_request.c.at.nulls_first(), kind.row.id)
        .limit(payload.most)
    )
    return list(await session.scalars(query))


def check(payload: ResearchRecords, services: Services) -> None:
    """Raises Invalid for an unknown kind, flow, run type or filter."""
    service = services.get(RecordResearch)
    kind = _kind(service, payload)
    offered = sorted(flow for of_kind, flow in service.flows if of_kind == kind.kind)
    if payload.flow not in offered:
        there = ", ".join(offered) or "none"
        raise Invalid(f"There is no flow '{payload.flow}' for {kind.kind}; the flows are {there}.")
    flow = service.flows[kind.kind, payload.flow]
    flow.run_type(payload.run_type).parse(payload.parameters)
    _filters(kind, payload)


def _kind(service: RecordResearch, payload: ResearchRecords) -> SubjectKind:
    if payload.kind not in service.kinds:
        there = ", ".join(sorted(service.kinds)) or "none"
        raise Invalid(f"There is no subject kind '{payload.kind}'; the kinds are {there}.")
    return service.kinds[payload.kind]


def _filters(kind: SubjectKind, payload: ResearchRecords) -> BaseModel:
    try:
        return narrowing(kind).model_validate(payload.filters)
    except ValidationError as error:
        faults = faults_of(error, narrowing(kind))
        raise Invalid(
            f"These filters do not fit {kind.kind}: {sentence(faults, len(faults))}."
        ) from error


RESEARCH_RECORDS = Job(
    "research_records",
    "Request research of the records of a kind",
    ResearchRecords,
    research_records,
    check=check,
)
