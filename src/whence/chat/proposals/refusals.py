"""Why a proposal is not applied, taken back or declined, and nothing else.

Everything here is decided from values; `service.py` reads them and holds the rows meanwhile.
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
"""Of a value in words: enough to recognise it."""


class NothingToChange(Invalid):
    """The record has these values already; there is nothing to change."""


class AgentsMayNotApply(Forbidden):
    """Only a person applies, takes back or declines a proposal; no run and no agent does."""


class NotYours(Forbidden):
    """Somebody else was offered this change; ask for it yourself to get a proposal of your own."""


class ProposalExpired(Conflict):
    """This proposal is too old to be applied; ask for the change again."""


class RecordChanged(Conflict):
    """The record changed after this was proposed; look at it again and propose anew."""


class AlreadyApplied(Conflict):
    """This change was applied already; the record's history shows it."""


class AlreadyUndone(Conflict):
    """This change was applied and taken back; ask for it again to get a new proposal."""


class AlreadyDeclined(Conflict):
    """This proposal was declined; ask for the change again to get a new one."""


class NotApplied(Conflict):
    """This proposal was never applied, so there is nothing to take back."""


class RulesChanged(Conflict):
    """By today's rules this would change something else than was shown; propose anew."""


class NotAsProposed(Conflict):
    """This proposal is not what was proposed; ask for the change again, and tell the operator."""


@dataclass(frozen=True)
class Expected:
    """The record as it has to be for a proposal to be applied or taken back."""

    version: int
    values: Mapping[str, Any]
    fields: frozenset[str]
    """What is going to be written: these must be as expected even at the same version, since
    research may set a field without a new version."""


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
    """Raise unless it was this person who was offered the change: AlreadyApplied, NotYours."""
    if proposal.user_id != who.user_id:
        if proposal.status == "applied":
            raise AlreadyApplied("Somebody else has applied this already.")
        raise NotYours


def require_open(proposal: ProposalRow, at: datetime) -> None:
    """Raise unless it waits for its person: AlreadyUndone, AlreadyDeclined, ProposalExpired…"""
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
    """Raise RecordChanged, telling what changed, unless the record is as expected."""
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
        summary = "it was changed, and changed back"
    raise RecordChanged(
        f"The record changed meanwhile ({summary}); look at it again and propose anew.",
        errors=errors,
    )


def require_intact(proposal: ProposalRow) -> None:
    """Raise NotAsProposed unless it still is what its person was shown."""
    if proposal.digest != proposal_digest(proposal):
        raise NotAsProposed


def proposal_digest(proposal: ProposalRow) -> str:
    """What a proposal is bound to: its arguments, the record and its version, and the user."""
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
    """A value as JSON and JSONB both give it back: JSONB knows no difference of 40.0 and 40."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {name: _plain(one) for name, one in value.items()}  # pyright: ignore
        case list():
            return [_plain(one) for one in value]  # pyright: ignore
        case _:
            return value
