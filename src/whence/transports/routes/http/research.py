"""Research on a record: start it, and read, cancel, resume and answer its jobs."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field, StrictFloat, StrictInt, StrictStr
from sqlalchemy.ext.asyncio import AsyncSession

from whence.evidence.lanes import LaneName
from whence.kernel.errors import NotFound
from whence.kernel.wire import Wire
from whence.records import store
from whence.records.kind import SubjectKind
from whence.research import answers, listing, run_steps, runs
from whence.research.runs import ANYWAY, WantedRun
from whence.research.tables import Run
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes import job_view as jobs
from whence.transports.routes.http.subjects import Reference
from whence.work.queue import Priority

JobId = Annotated[UUID, Path(alias="jobId")]
OfFlow = Annotated[str | None, Query(alias="type", max_length=100, description="The flow")]
JobLimit = Annotated[int, Query(ge=1, le=50)]


class ResearchRequest(Wire):
    """What to research; all fields have defaults."""

    type: str | None = None
    """The flow; by default `research`."""
    version: Annotated[str, Field(max_length=100)] | None = None
    """A version of the flow that the pack offers; by default the one set in `WHENCE_ROLLOUT`."""
    lane: LaneName | None = None
    """`shadow`: only for comparison; without `version`, the one candidate version."""
    run_type: Annotated[str, Field(max_length=100)] | None = None
    """One of the flow's types of run; by default the first."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """The parameters of that type."""
    priority: Priority = Priority.NORMAL
    interactive: bool = False
    """Whether the job may ask a person and wait for the answer."""
    anyway: bool = False
    """Whether to research a record that needs none in its state, such as a sold item."""

    @property
    def options(self) -> dict[str, Any] | None:
        """The options of the run."""
        chosen = {"interactive": self.interactive, ANYWAY: self.anyway}
        return {name: value for name, value in chosen.items() if value} or None


class JobAnswer(Wire):
    """An answer to a job's question; null means "I don't know", if the question allows it."""

    key: Annotated[str, Field(max_length=100)] | None = None
    """The id of the question; by default the current one."""
    answer: StrictStr | StrictInt | StrictFloat | None


class JobReference(Wire):
    """The job that does the research: a new one, or one already in progress."""

    job_id: UUID


def research_routes(kind: SubjectKind) -> APIRouter:
    """The routes of a kind's research jobs."""
    router = APIRouter(prefix=f"/api/{kind.kind}/{{id}}/research", tags=[kind.kind])
    job = jobs.job_model(kind)

    @router.post("", status_code=202, name=f"research_{kind.kind}")
    async def request(
        platform: CurrentPlatform,
        who: Writer,
        reference: Reference,
        response: Response,
        body: ResearchRequest | None = None,
    ) -> JobReference:
        """Start research, or join the job in progress."""
        wanted = body or ResearchRequest()
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            submitted = await platform.ask(
                session,
                who,
                kind,
                row.id,
                flow=wanted.type,
                version=wanted.version,
                lane=wanted.lane,
                priority=wanted.priority,
                options=wanted.options,
                wanted=WantedRun(wanted.run_type, wanted.parameters),
            )
        response.headers["Location"] = f"/api/{kind.kind}/{row.id}/research/jobs/{submitted.id}"
        return JobReference(job_id=submitted.id)

    @router.get("/jobs", response_model=list[job], name=f"jobs_of_{kind.kind}")
    async def listed(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        flow: OfFlow = None,
        lane: LaneName = LaneName.PRIMARY,
        limit: JobLimit = 10,
    ) -> list[dict[str, Any]]:
        """The record's newest research jobs."""
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            newest = await listing.of_record(
                session, kind.kind, row.id, flow=flow, lane=lane, limit=limit
            )
            return [await _shown(session, kind, run) for run in newest]

    @router.get("/jobs/{jobId}", response_model=job, name=f"job_of_{kind.kind}")
    async def read(
        platform: CurrentPlatform, who: Reader, reference: Reference, job_id: JobId
    ) -> dict[str, Any]:
        """A research job and its steps."""
        async with platform.unit(who) as session:
            return await _shown(session, kind, await _job(session, kind, reference, job_id))

    @router.post(
        "/jobs/{jobId}/cancel",
        response_model=job,
        responses=jobs.STOPPING,
        name=f"cancel_job_of_{kind.kind}",
    )
    async def cancel(
        platform: CurrentPlatform,
        who: Writer,
        reference: Reference,
        job_id: JobId,
        response: Response,
    ) -> dict[str, Any]:
        """Cancel a job in any state; a job that has ended stays as it is.

        202: the job is writing at the moment and ends right after that.
        """
        async with platform.unit(who) as session:
            run = await _job(session, kind, reference, job_id)
            run = await runs.cancel(session, who, run.id)
            response.status_code = jobs.status_of_cancel(run)
            return await _shown(session, kind, run)

    @router.post("/jobs/{jobId}/resume", response_model=job, name=f"resume_job_of_{kind.kind}")
    async def resume(
        platform: CurrentPlatform, who: Writer, reference: Reference, job_id: JobId
    ) -> dict[str, Any]:
        """Resume a paused or failed job now, after its last finished step."""
        async with platform.unit(who) as session:
            run = await _job(session, kind, reference, job_id)
            run = await runs.resume(session, platform.queue, who, run.id)
            return await _shown(session, kind, run)

    @router.post("/jobs/{jobId}/answer", response_model=job, name=f"answer_job_of_{kind.kind}")
    async def answer(
        platform: CurrentPlatform, who: Writer, reference: Reference, job_id: JobId, body: JobAnswer
    ) -> dict[str, Any]:
        """Answer the question of a paused job and resume it; a repeated answer has no effect."""
        async with platform.unit(who) as session:
            run = await _job(session, kind, reference, job_id)
            run = await answers.answer(
                session, platform.queue, who, run.id, body.answer, key=body.key
            )
            return await _shown(session, kind, run)

    del request, listed, read, cancel, resume, answer
    return router


async def _job(session: AsyncSession, kind: SubjectKind, reference: str, job_id: UUID) -> Run:
    row = await store.resolve(session, kind, reference)
    run = await runs.get(session, job_id)
    if (run.kind, run.subject_id) != (kind.kind, row.id):
        raise NotFound("There is no such research job.")
    return run


async def _shown(session: AsyncSession, kind: SubjectKind, run: Run) -> dict[str, Any]:
    return jobs.shown(kind, run, await run_steps.steps(session, run.id))
