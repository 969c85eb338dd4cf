"""What research found about a record: its dossiers with their claims, and the evidence."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from sqlalchemy.ext.asyncio import AsyncSession

from whence.evidence import dossiers
from whence.evidence.dossiers import Dossier, Lane
from whence.evidence.records import BundledEvidence
from whence.evidence.store import bundle
from whence.kernel.wire import Wire
from whence.sdk.platform import Platform
from whence.subjects import store
from whence.subjects.kind import SubjectKind
from whence.transports.http import pages
from whence.transports.http.identity import Built, Reader
from whence.transports.http.pages import DEFAULT_LIMIT, BadCursor, Cursor, Limit, PageOf
from whence.transports.http.subjects import Reference

FlowName = Annotated[str | None, Query(alias="type", description="The flow; default `research`")]


class Citation(Wire):
    """Evidence that carries a claim; a quote stands there verbatim from `startsAt` to `endsAt`."""

    evidence_id: UUID
    quote: str | None = None
    starts_at: int | None = None
    ends_at: int | None = None


class ClaimAnswer(Wire):
    """One conclusion: where it stands in the dossier's body, and what carries it."""

    path: str
    statement: str
    value: Any
    confidence: float
    method: str
    verdict: Literal["supported", "unsupported"]
    note: str | None
    evidence: list[Citation]


class DossierAnswer(Wire):
    """The conclusions of one job about a record."""

    id: UUID
    job_id: UUID
    type: str
    schema_version: int
    is_current: bool
    is_partial: bool
    summary: str
    body: dict[str, Any]
    claims: list[ClaimAnswer]
    created_at: datetime


class EvidenceAnswer(Wire):
    """One piece of evidence, and how the job judged it."""

    id: UUID
    source: str
    source_id: str
    url: str | None
    title: str
    content: str
    data: dict[str, Any]
    observed_at: datetime | None
    fetched_at: datetime
    role: str
    relevance: float | None
    included: bool
    reason: str


def finding_routes(kind: SubjectKind) -> APIRouter:
    """The routes of a kind's dossiers and evidence."""
    router = APIRouter(prefix=f"/api/{kind.kind}/{{id}}", tags=[kind.kind])

    @router.get("/research/latest", name=f"latest_research_of_{kind.kind}")
    async def latest(
        built: Built, who: Reader, reference: Reference, flow: FlowName = None
    ) -> DossierAnswer | None:
        """The current dossier, or null when there has been no research."""
        async with built.unit(who) as session:
            found = await dossiers.current(
                session, await _lane(built, session, kind, reference, flow)
            )
        return _dossier(found) if found else None

    @router.get("/research/history", name=f"research_history_of_{kind.kind}")
    async def history(
        built: Built,
        who: Reader,
        reference: Reference,
        flow: FlowName = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> PageOf[DossierAnswer]:
        """All dossiers, newest first."""
        before = _moment(cursor) if cursor else None
        async with built.unit(who) as session:
            lane = await _lane(built, session, kind, reference, flow)
            found = await dossiers.history(session, lane, before, limit + 1)
        rows = [_dossier(item) for item in found[:limit]]
        more = pages.written(rows[-1].created_at.isoformat()) if len(found) > limit else None
        return PageOf(items=rows, next_cursor=more)

    @router.get("/evidence", name=f"evidence_of_{kind.kind}")
    async def evidence(
        built: Built,
        who: Reader,
        reference: Reference,
        flow: FlowName = None,
        included: bool | None = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> PageOf[EvidenceAnswer]:
        """The evidence behind the current dossier: included first, then by relevance."""
        async with built.unit(who) as session:
            lane = await _lane(built, session, kind, reference, flow)
            run_id, start = _place(cursor) if cursor else (None, 0)
            if run_id is None and (current := await dossiers.current(session, lane)):
                run_id = current.run_id
            found = await bundle(session, run_id) if run_id else []
        rows = [row for row in found if included in (None, row.judgement.included)]
        end = start + limit
        more = pages.written(run_id, end) if len(rows) > end else None
        return PageOf(items=[_evidence(row) for row in rows[start:end]], next_cursor=more)

    del latest, history, evidence
    return router


async def _lane(
    built: Platform, session: AsyncSession, kind: SubjectKind, reference: str, flow: str | None
) -> Lane:
    row = await store.resolve(session, kind, reference)
    return Lane(kind.kind, row.id, built.flow(kind.kind, flow).id)


def _dossier(found: Dossier) -> DossierAnswer:
    return DossierAnswer(
        id=found.id,
        job_id=found.run_id,
        type=found.flow,
        schema_version=found.schema_version,
        is_current=found.is_current,
        is_partial=found.is_partial,
        summary=found.summary,
        body=found.body,
        claims=[ClaimAnswer.model_validate(claim) for claim in found.claims],
        created_at=found.created_at,
    )


def _evidence(row: BundledEvidence) -> EvidenceAnswer:
    kept, judged = row.evidence, row.judgement
    return EvidenceAnswer(
        id=kept.id,
        source=kept.source,
        source_id=kept.source_id,
        url=kept.url,
        title=kept.title,
        content=kept.content,
        data=kept.data,
        observed_at=kept.observed_at,
        fetched_at=kept.fetched_at,
        role=judged.role,
        relevance=judged.relevance,
        included=judged.included,
        reason=judged.reason,
    )


def _moment(cursor: str) -> datetime:
    try:
        return datetime.fromisoformat(pages.read(cursor, 1)[0])
    except ValueError as error:
        raise BadCursor from error


def _place(cursor: str) -> tuple[UUID, int]:
    run_id, start = pages.read(cursor, 2)
    try:
        return UUID(run_id), max(0, int(start))
    except ValueError as error:
        raise BadCursor from error
