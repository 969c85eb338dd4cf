"""Dossiers and evidence on the wire: the same for the API and the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from whence.evidence.dossiers import Dossier
from whence.evidence.lanes import Fallback, LaneName
from whence.evidence.records import BundledEvidence
from whence.evidence.sections import Section
from whence.kernel.wire import Wire


class Citation(Wire):
    """Evidence a claim cites; a quote occurs there verbatim from `startsAt` to `endsAt`."""

    evidence_id: UUID
    quote: str | None = None
    starts_at: int | None = None
    ends_at: int | None = None


class ClaimAnswer(Wire):
    """One conclusion: its path in the dossier's body, and its citations."""

    path: str
    statement: str
    value: Any
    confidence: float
    method: str
    verdict: Literal["supported", "unsupported"]
    note: str | None
    evidence: list[Citation]


class SectionAnswer(Wire):
    """One part of a dossier, as last saved."""

    name: str
    title: str
    version: int
    """How many times the section was researched."""
    job_id: UUID
    summary: str
    body: dict[str, Any]
    claims: list[ClaimAnswer]
    created_at: datetime


class DossierAnswer(Wire):
    """The conclusions of one job about a record."""

    id: UUID
    job_id: UUID
    type: str
    flow_version: str
    lane: LaneName
    fallback: Fallback | None
    schema_version: int
    is_current: bool
    is_partial: bool
    not_done: list[str]
    notices: list[str]
    subject_version: int | None
    record_changed: bool
    summary: str
    body: dict[str, Any]
    claims: list[ClaimAnswer]
    created_at: datetime
    run_type: str = "default"
    """The type of the run that made it, as declared by its flow."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """The parameters of that run."""
    is_whole: bool = True
    """False: it covers only a part, and does not replace a complete dossier."""
    sections: list[SectionAnswer] = Field(default_factory=list)
    """The dossier's separately saved parts; only in the latest dossier."""


class EvidenceFacts(Wire):
    """The typed fields of a piece of evidence, as far as it has them."""

    type: str
    """What it is, in the pack's words, such as `sold_listing` or `ai_analysis`."""
    price: float | None = None
    currency: str | None = None
    sold_at: datetime | None = None
    condition: str | None = None
    image_url: str | None = None


FactsOf = Callable[[BundledEvidence], EvidenceFacts]
"""A pack's reading of its evidence as typed fields."""


def role_as_type(row: BundledEvidence) -> EvidenceFacts:
    """The facts of a pack that names none: the role is the type."""
    return EvidenceFacts(type=row.judgement.role)


class EvidenceAnswer(EvidenceFacts):
    """One piece of evidence with its typed fields and the job's judgement."""

    id: UUID
    job_id: UUID | None = None
    """The job that judged it."""
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


def section_answer(section: Section) -> SectionAnswer:
    """A saved section with its claims."""
    return SectionAnswer(
        name=section.name,
        title=section.title,
        version=section.version,
        job_id=section.run_id,
        summary=section.summary,
        body=section.body,
        claims=[ClaimAnswer.model_validate(claim) for claim in section.claims],
        created_at=section.created_at,
    )


def dossier_answer(dossier: Dossier, sections: Sequence[Section] = ()) -> DossierAnswer:
    """A saved dossier with its claims and, if given, its sections."""
    return DossierAnswer(
        id=dossier.id,
        job_id=dossier.run_id,
        type=dossier.flow,
        flow_version=dossier.flow_version,
        lane=LaneName(dossier.lane),
        fallback=Fallback.model_validate(dossier.fallback) if dossier.fallback else None,
        schema_version=dossier.schema_version,
        is_current=dossier.is_current,
        is_partial=dossier.is_partial,
        not_done=dossier.not_done,
        notices=dossier.notices,
        subject_version=dossier.subject_version,
        record_changed=dossier.record_changed,
        summary=dossier.summary,
        body=dossier.body,
        claims=[ClaimAnswer.model_validate(claim) for claim in dossier.claims],
        created_at=dossier.created_at,
        run_type=dossier.run_type,
        parameters=dossier.parameters,
        is_whole=dossier.is_whole,
        sections=[section_answer(section) for section in sections],
    )


def evidence_answer(
    row: BundledEvidence, facts_of: FactsOf = role_as_type, job_id: UUID | None = None
) -> EvidenceAnswer:
    """A piece of evidence with the job's judgement of it."""
    evidence, judgement = row.evidence, row.judgement
    return EvidenceAnswer(
        **facts_of(row).model_dump(),
        job_id=job_id,
        id=evidence.id,
        source=evidence.source,
        source_id=evidence.source_id,
        url=evidence.url,
        title=evidence.title,
        content=evidence.content,
        data=evidence.data,
        observed_at=evidence.observed_at,
        fetched_at=evidence.fetched_at,
        role=judgement.role,
        relevance=judgement.relevance,
        included=judgement.included,
        reason=judgement.reason,
    )
