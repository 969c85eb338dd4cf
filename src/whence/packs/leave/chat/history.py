"""When a request was researched, with which versions of the rules, and what changed since."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.eligibility.words import FIELDS, LAWS, day
from whence.packs.leave.flows.claims import RECORD
from whence.packs.leave.records import Law, LeaveRequest
from whence.sdk.chat import (
    ByEvidence,
    ByRecord,
    ByRule,
    ByRun,
    RecordView,
    Statement,
    earlier_research,
    latest_research,
)
from whence.sdk.evidence import BundledEvidence

from .carrying import laws_in, request_in


def history(view: RecordView, question: str) -> Sequence[Statement]:
    """The current research, its rules, what has changed since, and the earlier runs.

    Empty for a request that was never researched; the chat then says so and offers research.
    """
    if view.dossier is None:
        return ()
    return [
        *latest_research(view),
        *_versions(view, laws_in(question)),
        *_changes(view),
        *earlier_research(view),
    ]


def _versions(view: RecordView, laws: Sequence[Law]) -> list[Statement]:
    """The rule data of each law at that time, and the current one if it differs."""
    assert view.dossier is not None
    today = {one.law: one.statute for one in overview(request_in(view)).assessed}
    statements: list[Statement] = []
    for law in laws:
        earlier = next(
            (one for one in view.dossier.body.get("laws", ()) if one["law"] == law), None
        )
        if earlier is None:
            continue
        text = f"It applied version {earlier['rulesVersion']} of the {LAWS[law]} rules."
        statements.append(Statement(text, (ByRun(),)))
        if today[law].version != earlier["rulesVersion"]:
            checked = day(today[law].checked)
            text = f"The current version is {today[law].version}, checked on {checked}."
            statements.append(
                Statement(text, (ByRule(f"{LAWS[law]}: rule data {today[law].version}", text),))
            )
    return statements


def _changes(view: RecordView) -> list[Statement]:
    """The stated facts that differ from those that were researched."""
    stated_record = next((one for one in view.evidence if one.judgement.role == RECORD), None)
    if stated_record is None:
        return []
    before, today = _stated(stated_record), request_in(view).model_dump(mode="json")
    return [
        Statement(
            f"Changed since: {FIELDS[name]}, from {_format_value(before[name])} "
            f"to {_format_value(today[name])}.",
            (ByEvidence(stated_record.evidence.id), ByRecord(name)),
        )
        for name in FIELDS
        if before.get(name) != today.get(name)
    ]


def _stated(evidence: BundledEvidence) -> dict[str, object]:
    return LeaveRequest.model_validate(evidence.evidence.data).model_dump(mode="json")


def _format_value(value: object) -> str:
    match value:
        case None:
            return "not stated"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value).replace("_", " ")
