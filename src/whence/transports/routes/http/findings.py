"""Research results of a record: its dossiers with their claims, and the evidence."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.evidence import dossiers, sections
from whence.evidence.changes import EvidenceChange, evidence_changes
from whence.evidence.dossiers import Lane
from whence.evidence.lanes import LaneName
from whence.evidence.store import one, page
from whence.evidence.wire import (
    DossierAnswer,
    EvidenceAnswer,
    SectionAnswer,
    dossier_answer,
    evidence_answer,
    section_answer,
)
from whence.kernel.errors import NotFound
from whence.records import store
from whence.records.kind import SubjectKind
from whence.research import comparing, runs
from whence.research.difference import Difference
from whence.transports.edge import paging as pages
from whence.transports.edge.access import Reader
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import DEFAULT_LIMIT, BadCursor, Cursor, Limit, PageOf
from whence.transports.routes.http.subjects import Reference

FlowName = Annotated[str | None, Query(alias="type", description="The flow; default `research`")]
OfJob = Annotated[
    UUID | None, Query(alias="jobId", description="A job of the record; also an earlier one")
]
InLane = Annotated[LaneName, Query(description="`shadow`: what another version found")]


def finding_routes(kind: SubjectKind) -> APIRouter:
    """The routes of a kind's dossiers and evidence."""
    router = APIRouter(prefix=f"/api/{kind.kind}/{{id}}", tags=[kind.kind])

    @router.get("/research/latest", name=f"latest_research_of_{kind.kind}")
    async def latest(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        flow: FlowName = None,
        lane: InLane = LaneName.PRIMARY,
    ) -> DossierAnswer | None:
        """The current dossier, or null if there has been no research."""
        async with platform.unit(who) as session:
            place = await _lane(platform, session, kind, reference, flow, lane)
            dossier = await dossiers.current(session, place)
            return (
                dossier_answer(dossier, await sections.current(session, place)) if dossier else None
            )

    @router.get("/research/sections", name=f"research_sections_of_{kind.kind}")
    async def parts(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        flow: FlowName = None,
        lane: InLane = LaneName.PRIMARY,
    ) -> list[SectionAnswer]:
        """The sections of the dossier as last saved, also while research is running."""
        async with platform.unit(who) as session:
            place = await _lane(platform, session, kind, reference, flow, lane)
            return [section_answer(each) for each in await sections.current(session, place)]

    @router.get("/research/history", name=f"research_history_of_{kind.kind}")
    async def history(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        flow: FlowName = None,
        lane: InLane = LaneName.PRIMARY,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> PageOf[DossierAnswer]:
        """All dossiers, newest first."""
        before = _moment(cursor) if cursor else None
        async with platform.unit(who) as session:
            place = await _lane(platform, session, kind, reference, flow, lane)
            versions = await dossiers.history(session, place, before, limit + 1)
        return pages.page_of(
            versions,
            limit,
            dossier_answer,
            lambda dossier: pages.write_cursor(dossier.created_at.isoformat()),
        )

    @router.get("/evidence", name=f"evidence_of_{kind.kind}")
    async def evidence(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        flow: FlowName = None,
        lane: InLane = LaneName.PRIMARY,
        included: bool | None = None,
        job: OfJob = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> PageOf[EvidenceAnswer]:
        """The evidence behind the current dossier, or of a job; included first, then by
        relevance."""
        async with platform.unit(who) as session:
            place = await _lane(platform, session, kind, reference, flow, lane)
            if job is not None:
                await _require_job(session, place, job)
            run_id, start = _place(cursor) if cursor else (None, 0)
            run_id = run_id or job or await dossiers.current_run(session, place)
            if run_id is None:
                return PageOf(items=[], next_cursor=None)
            rows = await page(session, run_id, included=included, start=start, limit=limit + 1)
        facts_of, after = platform.facts_of(kind.kind), pages.write_cursor(run_id, start + limit)
        return pages.page_of(
            rows, limit, lambda row: evidence_answer(row, facts_of, run_id), lambda _: after
        )

    @router.get("/evidence/changes", name=f"evidence_changes_of_{kind.kind}")
    async def changes(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        earlier: Annotated[UUID, Query(description="A job of the record")],
        later: Annotated[UUID, Query(description="Another job of the record")],
        flow: FlowName = None,
        lane: InLane = LaneName.PRIMARY,
    ) -> list[EvidenceChange]:
        """The evidence that was in, out or absent in one job and not so in the other."""
        async with platform.unit(who) as session:
            place = await _lane(platform, session, kind, reference, flow, lane)
            for job in (earlier, later):
                await _require_job(session, place, job)
            return await evidence_changes(session, earlier, later)

    @router.get("/evidence/{evidenceId}", name=f"one_evidence_of_{kind.kind}")
    async def one_evidence(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        evidence_id: Annotated[UUID, Path(alias="evidenceId")],
        flow: FlowName = None,
        lane: InLane = LaneName.PRIMARY,
        job: OfJob = None,
    ) -> EvidenceAnswer:
        """One piece of the record's evidence, as the job judged it."""
        async with platform.unit(who) as session:
            place = await _lane(platform, session, kind, reference, flow, lane)
            judged = await one(session, evidence_id, asdict(place), job)
        if judged is None:
            raise NotFound("This record has no such evidence.")
        job_id, row = judged
        return evidence_answer(row, platform.facts_of(kind.kind), job_id)

    @router.get("/research/difference", name=f"research_difference_of_{kind.kind}")
    async def difference(
        platform: CurrentPlatform, who: Reader, reference: Reference, flow: FlowName = None
    ) -> Difference:
        """The differences between the current dossiers of the shadow and the primary lane."""
        async with platform.unit(who) as session:
            place = await _lane(platform, session, kind, reference, flow, LaneName.PRIMARY)
            return await comparing.difference(session, place.kind, place.subject_id, place.flow)

    del latest, parts, history, evidence, changes, one_evidence, difference
    return router


async def _require_job(session: AsyncSession, place: Lane, job: UUID) -> None:
    run = await runs.get(session, job)
    if (run.kind, run.subject_id, run.flow) != (place.kind, place.subject_id, place.flow):
        raise NotFound("There is no such research job.")


async def _lane(
    platform: Platform,
    session: AsyncSession,
    kind: SubjectKind,
    reference: str,
    flow: str | None,
    lane: LaneName,
) -> Lane:
    row = await store.resolve(session, kind, reference)
    return Lane(kind.kind, row.id, platform.flow(kind.kind, flow).id, lane)


def _moment(cursor: str) -> datetime:
    try:
        return datetime.fromisoformat(pages.read_cursor(cursor, 1)[0])
    except ValueError as error:
        raise BadCursor from error


def _place(cursor: str) -> tuple[UUID, int]:
    run_id, start = pages.read_cursor(cursor, 2)
    try:
        return UUID(run_id), max(0, int(start))
    except ValueError as error:
        raise BadCursor from error
