"""Includes and excludes evidence of a record's research, after showing what would follow."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from whence.chat.evidence_choices import service
from whence.chat.evidence_choices.service import (
    MAX_CHOICES,
    Basis,
    ChoicesPreview,
    EvidenceChoice,
)
from whence.chat.proposals import service as proposals
from whence.chat.proposals.views import Applied
from whence.kernel.wire import Wire
from whence.records import store
from whence.records.kind import SubjectKind
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes.http.subjects import Reference


class WantedChoices(Wire):
    """The evidence to include or exclude, and the research that the person was looking at."""

    dossier_id: UUID
    version: int | None = None
    """The record's version; a later one is refused."""
    choices: Annotated[list[EvidenceChoice], Field(min_length=1, max_length=MAX_CHOICES)]

    @property
    def basis(self) -> Basis:
        """What the person was looking at."""
        return Basis(self.dossier_id, self.version)

    @property
    def by_evidence(self) -> dict[UUID, bool]:
        """Whether each piece is to count; of several choices for one, the last."""
        return {each.evidence_id: each.included for each in self.choices}


class ConfirmedChoices(WantedChoices):
    """The same, to be written."""

    reason: Annotated[str, Field(max_length=proposals.MAX_REASON)] | None = None


def evidence_choice_routes(kind: SubjectKind) -> APIRouter:
    """The routes of a kind's evidence choices; 422 where its pack offers none."""
    router = APIRouter(prefix=f"/api/{kind.kind}/{{id}}/evidence/choices", tags=[kind.kind])

    @router.post("/preview", name=f"preview_evidence_of_{kind.kind}")
    async def preview(
        platform: CurrentPlatform, who: Reader, reference: Reference, body: WantedChoices
    ) -> ChoicesPreview:
        """What the research would conclude with this evidence in or out; nothing is stored."""
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
        offer = platform.evidence_choices(kind)
        return await service.preview(
            platform.db, who, kind, offer, row.id, body.basis, body.by_evidence
        )

    @router.post("", name=f"choose_evidence_of_{kind.kind}")
    async def choose(
        platform: CurrentPlatform, who: Writer, reference: Reference, body: ConfirmedChoices
    ) -> Applied:
        """Include or exclude evidence, through a proposal that is applied at once; undo it with
        the answer's `proposalId`."""
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
        offer = platform.evidence_choices(kind)
        return await service.choose(
            platform.db,
            who,
            platform.kinds,
            kind,
            offer,
            row.id,
            body.basis,
            body.by_evidence,
            reason=body.reason,
            follow_up=platform.follow_ups,
        )

    del preview, choose
    return router
