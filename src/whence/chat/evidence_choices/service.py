"""Previews and applies choices of evidence: a proposal that its own person applies at once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from pydantic import Field

from whence.chat.evidence_choices.offer import EvidenceChoices, Recomputed
from whence.chat.load_record_view import load_record_view
from whence.chat.proposals import service as proposals
from whence.chat.proposals.follow_up import FollowUp
from whence.chat.proposals.refusals import NothingToChange
from whence.chat.proposals.views import Applied
from whence.chat.record_view import RecordView
from whence.db.database import Database
from whence.kernel.clock import now
from whence.kernel.errors import Conflict, Invalid
from whence.kernel.wire import Wire
from whence.records.kind import Kinds, SubjectKind
from whence.tenancy.principal import Principal

MAX_CHOICES = 100
"""Choices at once: as many as one proposal may cite."""
NAMED = 3
"""Pieces of evidence that the reason names by title."""


class OutdatedDossier(Conflict):
    """The research or the record changed after this was shown; look at it again and choose anew."""


class NotChoosable(Invalid):
    """This is no evidence of the current research that can be included or excluded."""


class EvidenceChoice(Wire):
    """Whether a piece of evidence is to count."""

    evidence_id: UUID
    included: bool


class FigureChange(Wire):
    """A figure as it is, and as it would be; `after` is null if it could not be concluded."""

    path: str
    label: str
    before: float | None
    after: float | None
    unit: str
    confidence_before: float | None
    confidence_after: float | None


class ChoicesPreview(Wire):
    """What the research would conclude with these choices; nothing is stored."""

    dossier_id: UUID
    version: int
    """The version of the record that the choices would change."""
    summary: str
    figures: list[FigureChange]
    value: Any = Field(description="The new value of the record's field")


@dataclass(frozen=True)
class Basis:
    """What the person was looking at."""

    dossier_id: UUID
    version: int | None = None
    """The record's version; None if the person did not see it."""


async def preview(
    db: Database,
    who: Principal,
    kind: SubjectKind,
    offer: EvidenceChoices,
    subject_id: UUID,
    basis: Basis,
    choices: Mapping[UUID, bool],
) -> ChoicesPreview:
    """What the dossier would conclude with these choices; writes nothing.

    Raises OutdatedDossier, NotChoosable, and NothingToChange.
    """
    async with db.unit(who.org_id) as session:
        view = await load_record_view(session, kind, subject_id, now())
    value = _value(offer, view, basis, choices)
    return await _previewed(offer, view, basis, value)


async def choose(
    db: Database,
    who: Principal,
    kinds: Kinds,
    kind: SubjectKind,
    offer: EvidenceChoices,
    subject_id: UUID,
    basis: Basis,
    choices: Mapping[UUID, bool],
    *,
    reason: str | None = None,
    follow_up: FollowUp | None = None,
) -> Applied:
    """Write these choices to the record, through a proposal that says what they change.

    Raises what `preview`, `proposals.propose` and `proposals.apply` raise.
    """
    shown = await preview(db, who, kind, offer, subject_id, basis, choices)
    async with db.unit(who.org_id) as session:
        # The preview read the record in a transaction of its own.
        view = await load_record_view(session, kind, subject_id, now())
        value = _value(offer, view, Basis(basis.dossier_id, shown.version), choices)
        proposal = await proposals.propose(
            session,
            who,
            kind,
            subject_id,
            {offer.field: value},
            reason=_reason(view, choices, reason, shown.summary),
            evidence=list(choices),
        )
        return await proposals.apply(session, who, kinds, proposal.id, follow_up=follow_up)


def _value(
    offer: EvidenceChoices, view: RecordView, basis: Basis, choices: Mapping[UUID, bool]
) -> Any:
    """The new value of the field; raises OutdatedDossier, NotChoosable, and NothingToChange."""
    if view.dossier is None or view.dossier.id != basis.dossier_id:
        raise OutdatedDossier
    if basis.version not in (None, view.version):
        raise OutdatedDossier
    own = {each.evidence.id: each.judgement for each in view.evidence}
    if any(each not in own or own[each].role != offer.role for each in choices):
        raise NotChoosable
    if all(own[each].included is included for each, included in choices.items()):
        raise NothingToChange
    return offer.choose(view, choices)


async def _previewed(
    offer: EvidenceChoices, view: RecordView, basis: Basis, value: Any
) -> ChoicesPreview:
    # Pricing a hundred listings takes a tenth of a second.
    recomputed: Recomputed = await asyncio.to_thread(offer.recompute, view, value)
    return ChoicesPreview(
        dossier_id=basis.dossier_id,
        version=view.version,
        summary=recomputed.summary,
        figures=[FigureChange(**asdict(each)) for each in recomputed.figures],
        value=value,
    )


def _reason(view: RecordView, choices: Mapping[UUID, bool], own: str | None, summary: str) -> str:
    """What the person said, or which evidence was chosen; then what it changes."""
    titles = {each.evidence.id: each.evidence.title for each in view.evidence}
    parts: list[str] = []
    for included, verb in ((False, "Exclude"), (True, "Include")):
        named = [f"“{titles[each]}”" for each, value in choices.items() if value is included]
        if named:
            more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
            parts.append(f"{verb} {', '.join(named[:NAMED])}{more}")
    words = "; ".join(parts)
    said = f"{own.strip()} ({words})" if own and own.strip() else words
    return f"{said}. {summary}"[: proposals.MAX_REASON]
