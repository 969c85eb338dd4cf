"""Proposals and decisions on them, as they are on the wire."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal
from uuid import UUID

from pydantic import computed_field

from whence.chat.proposals.tables import ProposalRow
from whence.kernel.text import camel
from whence.kernel.wire import Wire
from whence.records.history import FieldChange
from whence.records.item_id import item_id


class ProposalStatus(StrEnum):
    PROPOSED = "proposed"
    APPLIED = "applied"
    UNDONE = "undone"
    DECLINED = "declined"
    EXPIRED = "expired"
    """Never applied, and too old to apply."""
    STALE = "stale"
    """Never applied, and outdated because the record has changed."""


class ProposalAnswer(Wire):
    """A proposed change of a record, and its status."""

    id: UUID
    kind: str
    subject_id: UUID
    subject_version: int
    """The version of the record it was made for."""
    user_id: UUID
    """The person who asked for it, and the only one who can apply it."""
    changes: list[FieldChange]
    reason: str
    evidence: list[UUID]
    claims: list[str]
    """Paths in the dossier that was current then."""
    status: ProposalStatus
    created_at: datetime
    expires_at: datetime
    applied_at: datetime | None
    undone_at: datetime | None
    declined_at: datetime | None
    chat_session_id: UUID | None
    """The conversation and the message it comes from; shown only to its own user."""
    message_id: UUID | None

    @computed_field
    @property
    def item_id(self) -> UUID | None:
        """The same as `subjectId`, where the kind is `items`."""
        return item_id(self.kind, self.subject_id)


class ActionPayload(Wire):
    """What an action would write."""

    kind: str
    subject_id: UUID
    values: dict[str, Any]
    """The new value of each field, by name."""

    @computed_field
    @property
    def item_id(self) -> UUID | None:
        """The same as `subjectId`, where the kind is `items`."""
        return item_id(self.kind, self.subject_id)


class Action(ProposalAnswer):
    """A proposed change as one of an answer's actions."""

    type: Literal["update_record"] = "update_record"
    payload: ActionPayload
    applied: bool
    """Whether the record has the change: it was applied, and not undone since."""


class Applied(Wire):
    """The result of applying a proposal, or of undoing it."""

    proposal_id: UUID
    status: ProposalStatus
    kind: str
    subject_id: UUID
    version: int
    """The version of the record with this change."""
    changes: list[FieldChange]
    """The changes made; after an undo, `after` holds the original values."""
    reason: str
    at: datetime

    @computed_field
    @property
    def item_id(self) -> UUID | None:
        """The same as `subjectId`, where the kind is `items`."""
        return item_id(self.kind, self.subject_id)

    @classmethod
    def from_row(cls, proposal: ProposalRow) -> Applied:
        """The result stored in the row, so that a second click gets the same answer."""
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
    """The fields it changes, by name; `back`: as for an undo."""
    old, new = proposal.before, proposal.after
    if back:
        old, new = new, old
    return [
        FieldChange(field=camel(name), before=old[name], after=new[name]) for name in sorted(new)
    ]


def status_of(proposal: ProposalRow, version: int | None, at: datetime) -> ProposalStatus:
    """Its status, given the current version of the record (None: deleted)."""
    if proposal.status != "proposed":
        return ProposalStatus(proposal.status)
    if proposal.expires_at <= at:
        return ProposalStatus.EXPIRED
    return ProposalStatus.STALE if version != proposal.subject_version else ProposalStatus.PROPOSED


def proposal_answer(
    proposal: ProposalRow, version: int | None, at: datetime, reader: UUID
) -> ProposalAnswer:
    """A proposal as this reader sees it, given the record's current version."""
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


def action_of(
    proposal: ProposalRow, version: int | None, at: datetime, reader: UUID
) -> dict[str, Any]:
    """A proposal as an answer's action, as JSON for the wire."""
    shown = proposal_answer(proposal, version, at, reader)
    action = Action(
        **{name: getattr(shown, name) for name in ProposalAnswer.model_fields},
        payload=ActionPayload(
            kind=shown.kind,
            subject_id=shown.subject_id,
            values={change.field: change.after for change in shown.changes},
        ),
        applied=shown.status is ProposalStatus.APPLIED,
    )
    return action.model_dump(mode="json", by_alias=True)
