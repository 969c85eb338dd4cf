"""Decides why a proposal cannot be applied, undone or declined.

Everything here is pure; `service.py` reads the values and locks the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from whence.chat.proposals.tables import ProposalRow
from whence.kernel.errors import Conflict, Forbidden, Invalid
from whence.kernel.text import camel
from whence.kernel.text import digest as digest_of
from whence.tenancy.principal import Principal, Scope

VALUE_CHARACTERS = 80
"""Characters of a value in a message: enough to recognise it."""


class NothingToChange(Invalid):
    """The record has these values already; there is nothing to change."""


class AgentsMayNotApply(Forbidden):
    """Only a person may apply, undo or decline a proposal; runs and agents may not."""


class NotYours(Forbidden):
    """This change was proposed to somebody else; ask for it to get a proposal of your own."""


class ProposalExpired(Conflict):
    """This proposal is too old to be applied; ask for the change again."""


class RecordChanged(Conflict):
    """The record changed after this was proposed; review it and ask for the change again."""


class AlreadyApplied(Conflict):
    """This change has already been applied; see the record's history."""


class AlreadyUndone(Conflict):
    """This change was applied and undone; ask for it again to get a new proposal."""


class AlreadyDeclined(Conflict):
    """This proposal was declined; ask for the change again to get a new one."""


class NotApplied(Conflict):
    """This proposal was never applied, so there is nothing to undo."""


class RulesChanged(Conflict):
    """Under the current rules this would change more than was shown; ask for the change again."""


class NotAsProposed(Conflict):
    """This proposal was altered after it was made; ask for it again and tell the operator."""


@dataclass(frozen=True)
class Expected:
    """The state a record must have for a proposal to be applied or undone."""

    version: int
    values: Mapping[str, Any]
    fields: frozenset[str]
    """The fields to write: they must match even at the same version, since research may set a field
    without a new version."""


def before_applying(proposal: ProposalRow) -> Expected:
    """The record as the proposal saw it."""
    return Expected(proposal.subject_version, proposal.seen, frozenset(proposal.after))


def before_undoing(proposal: ProposalRow) -> Expected:
    """The record as the proposal left it."""
    values = {**proposal.seen, **proposal.after}
    return Expected(proposal.applied_version or 0, values, frozenset(proposal.after))


def require_person(who: Principal) -> None:
    """Raise unless this is a person who may write: AgentsMayNotApply, Forbidden."""
    if who.is_agent:
        raise AgentsMayNotApply
    who.require(Scope.WRITE)


def require_asker(proposal: ProposalRow, who: Principal) -> None:
    """Raise unless the change was proposed to this person: AlreadyApplied, NotYours."""
    if proposal.user_id != who.user_id:
        if proposal.status == "applied":
            raise AlreadyApplied("Somebody else has already applied this.")
        raise NotYours


def require_open(proposal: ProposalRow, at: datetime) -> None:
    """Raise unless the proposal is open: AlreadyUndone, AlreadyDeclined, ProposalExpired…"""
    match proposal.status:
        case "applied":
            raise AlreadyApplied
        case "undone":
            raise AlreadyUndone
        case "declined":
            raise AlreadyDeclined
        case _:
            if proposal.expires_at <= at:
                raise ProposalExpired


def require_unchanged(expected: Expected, version: int, values: Mapping[str, Any]) -> None:
    """Raise RecordChanged with the differences unless the record is as expected."""
    names = [name for name, value in values.items() if expected.values.get(name) != value]
    if version == expected.version and expected.fields.isdisjoint(names):
        return
    errors = [
        {
            "field": camel(name),
            "message": (
                f"was {format_value(expected.values.get(name))}, is {format_value(values[name])}"
            ),
        }
        for name in names
    ]
    summary = "; ".join(f"{item['field']} {item['message']}" for item in errors[:3])
    if not errors:
        summary = "it was changed and changed back"
    raise RecordChanged(
        f"The record has changed ({summary}); review it and ask for the change again.",
        errors=errors,
    )


def require_intact(proposal: ProposalRow) -> None:
    """Raise NotAsProposed unless the proposal is still what the person was shown."""
    if proposal.digest != proposal_digest(proposal):
        raise NotAsProposed


def proposal_digest(proposal: ProposalRow) -> str:
    """A digest of what a proposal is bound to: its arguments, the record's version, the user."""
    return digest_of(
        {
            "user": str(proposal.user_id),
            "record": [proposal.kind, str(proposal.subject_id), proposal.subject_version],
            "seen": _plain(proposal.seen),
            "after": _plain(proposal.after),
            "reason": proposal.reason,
            "evidence": [str(one) for one in proposal.evidence],
            "claims": list(proposal.claims),
            "expires": proposal.expires_at.timestamp(),
        }
    )


def format_value(value: object) -> str:
    """A value for a sentence."""
    text = "empty" if value is None or value in ("", [], {}) else f"'{value}'"
    return text if len(text) <= VALUE_CHARACTERS else text[:VALUE_CHARACTERS] + " …'"


def _plain(value: Any) -> Any:
    """A value as both JSON and JSONB return it: JSONB does not distinguish 40.0 from 40."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {name: _plain(one) for name, one in value.items()}  # pyright: ignore
        case list():
            return [_plain(one) for one in value]  # pyright: ignore
        case _:
            return value
