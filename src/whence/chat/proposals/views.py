"""Proposals as they are shown, and what became of them as it is answered."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from whence.chat.proposals.tables import ProposalRow
from whence.kernel.text import camel
from whence.kernel.wire import Wire
from whence.records.history import FieldChange


class ProposalStatus(StrEnum):
    PROPOSED = "proposed"
    APPLIED = "applied"
    UNDONE = "undone"
    DECLINED = "declined"
    EXPIRED = "expired"
    """Never applied, and too old to be."""
    STALE = "stale"
    """Never applied, and the record has changed since."""


class ProposalAnswer(Wire):
    """A proposed change of a record, and what became of it."""

    id: UUID
    kind: str
    subject_id: UUID
    subject_version: int
    """The record's version that it was made for."""
    user_id: UUID
    """Whose it is: who asked, and the only one who can apply it."""
    changes: list[FieldChange]
    reason: str
    evidence: list[UUID]
    claims: list[str]
    """Paths in the dossier that was current."""
    status: ProposalStatus
    created_at: datetime
    expires_at: datetime
    applied_at: datetime | None
    undone_at: datetime | None
    declined_at: datetime | None
    chat_session_id: UUID | None
    """The conversation that it comes from, and the message in it; told to its own user only."""
    message_id: UUID | None


class Applied(Wire):
    """The one effect of applying a proposal, or of taking it back."""

    proposal_id: UUID
    status: ProposalStatus
    kind: str
    subject_id: UUID
    version: int
    """The record's version with this change."""
    changes: list[FieldChange]
    """As they were made; of what was taken back, `after` is what the record had before."""
    reason: str
    at: datetime

    @classmethod
    def from_row(cls, proposal: ProposalRow) -> Applied:
        """What the row says, so that a second click gets what the first one got."""
        undone = proposal.status == "undone"
        return cls.model_validate(
            {
                "proposal_id": proposal.id,
                "status": proposal.status,
                "kind": proposal.kind,
                "subject_id": proposal.subject_id,
                "version": proposal.undone_version if undone else proposal.applied_version,
                "changes": changes_of(proposal, back=undone),
                "reason": proposal.undone_reason if undone else proposal.applied_reason,
                "at": proposal.undone_at if undone else proposal.applied_at,
            }
        )


def changes_of(proposal: ProposalRow, *, back: bool = False) -> list[FieldChange]:
    """The fields that it changes, by name; `back`: as it is taken back."""
    old, new = proposal.before, proposal.after
    if back:
        old, new = new, old
    return [
        FieldChange(field=camel(name), before=old[name], after=new[name]) for name in sorted(new)
    ]


def status_of(proposal: ProposalRow, version: int | None, at: datetime) -> ProposalStatus:
    """Its state for whoever looks, at a version of the record (None: taken away)."""
    if proposal.status != "proposed":
        return ProposalStatus(proposal.status)
    if proposal.expires_at <= at:
        return ProposalStatus.EXPIRED
    return ProposalStatus.STALE if version != proposal.subject_version else ProposalStatus.PROPOSED


def proposal_answer(
    proposal: ProposalRow, version: int | None, at: datetime, reader: UUID
) -> ProposalAnswer:
    """A proposal for a reader, beside the record's version now."""
    own = proposal.user_id == reader
    return ProposalAnswer(
        id=proposal.id,
        kind=proposal.kind,
        subject_id=proposal.subject_id,
        subject_version=proposal.subject_version,
        user_id=proposal.user_id,
        changes=changes_of(proposal),
        reason=proposal.reason,
        evidence=proposal.evidence,
        claims=proposal.claims,
        status=status_of(proposal, version, at),
        created_at=proposal.created_at,
        expires_at=proposal.expires_at,
        applied_at=proposal.applied_at,
        undone_at=proposal.undone_at,
        declined_at=proposal.declined_at,
        chat_session_id=proposal.chat_session_id if own else None,
        message_id=proposal.message_id if own else None,
    )
