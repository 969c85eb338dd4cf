"""Proposals: a change of a record that an agent suggests and a person applies, once.

    proposed → applied → undone        proposed → declined

The record's change, the proposal's status, the audit entry and the notification of the conversation
are one transaction, the caller's.  Applying locks the proposal's row and then the record's, so that
of two clicks the second waits and gets the result of the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.proposals import refusals
from whence.chat.proposals.evidence_check import require_own_citations
from whence.chat.proposals.follow_up import FollowUp
from whence.chat.proposals.notifications import notify_conversation
from whence.chat.proposals.tables import ProposalRow
from whence.chat.proposals.views import Applied
from whence.kernel.clock import now
from whence.kernel.errors import Invalid, NotFound
from whence.kernel.ids import new_id
from whence.kernel.paging import RowCursor
from whence.kernel.text import camel, clean
from whence.records import store
from whence.records.audit import audit
from whence.records.kind import Kinds, SubjectKind
from whence.tenancy.principal import Principal, Scope

LIFETIME = timedelta(hours=24)
"""How long a proposal stays open: until the next morning.  After that both the person's intention
and the record are likely to have changed."""
MAX_REASON = 2_000
"""Characters of a reason."""


async def propose(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    subject_id: UUID,
    changes: Mapping[str, Any],
    *,
    reason: str,
    evidence: Sequence[UUID] = (),
    claims: Sequence[str] = (),
    chat_session_id: UUID | None = None,
    message_id: UUID | None = None,
) -> ProposalRow:
    """Propose a change of one or several fields to the principal's user.

    `changes` are JSON values by field; the record itself is not touched.  `evidence` and `claims`
    (ids, and paths in a current dossier) support it.  Raises Forbidden, NotFound, and Invalid, with
    nothing stored: for an unknown field, a record that would be invalid, no change at all, and
    evidence or claims that are not the record's.
    """
    who.require(Scope.PROPOSE)
    row = await store.get(session, kind, subject_id)
    difference = store.difference(kind, row, _by_field_name(kind, changes))
    if not difference.after:
        raise refusals.NothingToChange
    await require_own_citations(session, kind.kind, subject_id, evidence, claims)
    at = now()
    proposal = ProposalRow(
        id=new_id(),
        user_id=who.user_id,
        kind=kind.kind,
        subject_id=subject_id,
        subject_version=row.version,
        seen=kind.before(row),
        after=dict(difference.after),
        reason=_reason(reason),
        evidence=list(dict.fromkeys(evidence)),
        claims=list(dict.fromkeys(claims)),
        chat_session_id=chat_session_id,
        message_id=message_id,
        created_at=at,
        expires_at=at + LIFETIME,
    )
    proposal.digest = refusals.proposal_digest(proposal)
    session.add(proposal)
    await session.flush()
    details = {
        "proposal": str(proposal.id),
        "fields": sorted(difference.after),
        "reason": proposal.reason,
    }
    await audit(session, who, "propose_change", kind.kind, subject_id, details)
    return proposal


async def apply(
    session: AsyncSession,
    who: Principal,
    kinds: Kinds,
    proposal_id: UUID,
    reason: str | None = None,
    *,
    follow_up: FollowUp | None = None,
) -> Applied:
    """Write a proposal's change to its record; a repeated call returns the same result.

    `reason`: the person's own, instead of the proposal's.  Raises the refusals, NotFound, and
    Invalid if the record's rules no longer accept the change.
    """
    refusals.require_person(who)
    proposal = await _lock_proposal(session, proposal_id)
    refusals.require_asker(proposal, who)
    if proposal.status == "applied":
        return Applied.from_row(proposal)
    at = now()
    refusals.require_open(proposal, at)
    refusals.require_intact(proposal)
    final_reason = _own_reason(reason) or proposal.reason
    version = await _write(
        session,
        who,
        kinds,
        proposal,
        refusals.before_applying(proposal),
        proposal.after,
        action="apply_proposal",
        reason=final_reason,
        follow_up=follow_up,
    )
    proposal.status, proposal.applied_at = "applied", at
    proposal.applied_version, proposal.applied_reason = version, final_reason
    return await _finish(session, proposal)


async def undo(
    session: AsyncSession,
    who: Principal,
    kinds: Kinds,
    proposal_id: UUID,
    reason: str | None = None,
    *,
    follow_up: FollowUp | None = None,
) -> Applied:
    """Restore the values that a proposal changed, unless the record changed since.

    A repeated call returns the same result.  Raises what `apply` raises.
    """
    refusals.require_person(who)
    proposal = await _lock_proposal(session, proposal_id)
    if proposal.user_id != who.user_id:
        raise refusals.NotYours
    if proposal.status == "undone":
        return Applied.from_row(proposal)
    if proposal.status != "applied":
        raise refusals.NotApplied
    at = now()
    final_reason = _own_reason(reason) or "Undone."
    version = await _write(
        session,
        who,
        kinds,
        proposal,
        refusals.before_undoing(proposal),
        proposal.before,
        action="undo_proposal",
        reason=final_reason,
        follow_up=follow_up,
    )
    proposal.status, proposal.undone_at = "undone", at
    proposal.undone_version, proposal.undone_reason = version, final_reason
    return await _finish(session, proposal)


async def decline(session: AsyncSession, who: Principal, proposal_id: UUID) -> ProposalRow:
    """Decline a proposal for good; a second call does nothing.  Raises the refusals, NotFound."""
    refusals.require_person(who)
    proposal = await _lock_proposal(session, proposal_id)
    refusals.require_asker(proposal, who)
    if proposal.status == "declined":
        return proposal
    if proposal.status == "applied":
        raise refusals.AlreadyApplied("This change has already been applied; you can undo it.")
    if proposal.status == "undone":
        raise refusals.AlreadyUndone
    proposal.status, proposal.declined_at = "declined", now()
    await session.flush()
    details = {"proposal": str(proposal.id), "fields": sorted(proposal.after)}
    await audit(session, who, "decline_proposal", proposal.kind, proposal.subject_id, details)
    await notify_conversation(session, proposal)
    return proposal


async def of_record(
    session: AsyncSession,
    kind: str,
    subject_id: UUID,
    *,
    limit: int,
    after: RowCursor | None = None,
) -> tuple[list[ProposalRow], RowCursor | None]:
    """Everybody's proposals for a record, newest first, and where the next page begins."""
    row = ProposalRow
    query = select(row).where(row.kind == kind, row.subject_id == subject_id)
    if after:
        query = query.where(tuple_(row.created_at, row.id) < (after.at, after.id))
    query = query.order_by(row.created_at.desc(), row.id.desc()).limit(limit + 1)
    rows = list(await session.scalars(query))
    last = rows[limit - 1] if len(rows) > limit else None
    return rows[:limit], RowCursor(last.created_at, last.id) if last else None


async def _lock_proposal(session: AsyncSession, proposal_id: UUID) -> ProposalRow:
    """A proposal, locked until the end of the transaction."""
    query = select(ProposalRow).where(ProposalRow.id == proposal_id).with_for_update()
    proposal = (
        await session.scalars(query.execution_options(populate_existing=True))
    ).one_or_none()
    if proposal is None:
        raise NotFound("There is no such proposal.")
    return proposal


async def _write(
    session: AsyncSession,
    who: Principal,
    kinds: Kinds,
    proposal: ProposalRow,
    expected: refusals.Expected,
    values: Mapping[str, Any],
    *,
    action: str,
    reason: str,
    follow_up: FollowUp | None,
) -> int:
    """Write exactly `values` to the record; return its new version."""
    kind = kinds.get(proposal.kind)
    if kind is None:
        raise NotFound(f"No pack offers {proposal.kind} any more.")
    row = await store.get(session, kind, proposal.subject_id, to_change=True)
    refusals.require_unchanged(expected, row.version, kind.before(row))
    difference = store.difference(kind, row, values)
    if dict(difference.after) != dict(values):
        raise refusals.RulesChanged
    details = {"reason": reason, "proposal": str(proposal.id), "version": row.version + 1}
    await store.write(session, who, kind, row, difference, action, **details)
    if follow_up is not None:
        await follow_up(session, who, kind, row.id, set(values), proposal.chat_session_id)
    return row.version


async def _finish(session: AsyncSession, proposal: ProposalRow) -> Applied:
    """Store the decision and notify the conversation; return the result."""
    await session.flush()
    await notify_conversation(session, proposal)
    return Applied.from_row(proposal)


def _by_field_name(kind: SubjectKind, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes by the record's own field names; raises Invalid for an unknown one."""
    names = {camel(name): name for name in kind.record.model_fields}
    names |= {name: name for name in kind.record.model_fields}
    unknown = [field for field in changes if field not in names]
    if unknown:
        raise Invalid(
            f"{_article(kind)} has no field '{unknown[0]}'; it has "
            f"{', '.join(camel(name) for name in kind.record.model_fields)}.",
            errors=[{"field": field, "message": "no such field"} for field in unknown],
        )
    return {names[field]: value for field, value in changes.items()}


def _article(kind: SubjectKind) -> str:
    title = kind.title.lower()
    return f"{'An' if title[:1] in 'aeiou' else 'A'} {title}"


def _own_reason(words: str | None) -> str | None:
    """The reason of the person who decides; None if they gave none."""
    return _reason(words) if words and words.strip() else None


def _reason(words: str) -> str:
    reason = clean(words)
    if not reason:
        raise Invalid("A change needs a reason.", errors=[{"field": "reason", "message": "empty"}])
    if len(reason) > MAX_REASON:
        fault = f"longer than {MAX_REASON} characters"
        raise Invalid(f"The reason is {fault}.", errors=[{"field": "reason", "message": fault}])
    return reason
