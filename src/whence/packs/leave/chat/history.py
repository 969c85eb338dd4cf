"""When a request was researched, by which versions of the rules, and what has changed since."""

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
    """The research that answers now, its rules, what differs from it today, and the runs before.

    Empty for a request that was never researched; chat then says so, with an offer.
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
    """The rule data of each law then, and now where it is another one."""
    assert view.dossier is not None
    today = {one.law: one.statute for one in overview(request_in(view)).assessed}
    said: list[Statement] = []
    for law in laws:
        then = next((one for one in view.dossier.body.get("laws", ()) if one["law"] == law), None)
        if then is None:
            continue
        text = f"It held the request against {LAWS[law]} rules of version {then['rulesVersion']}."
        said.append(Statement(text, (ByRun(),)))
        if today[law].version != then["rulesVersion"]:
            checked = day(today[law].checked)
            text = f"Today they are of version {today[law].version}, checked on {checked}."
            said.append(
                Statement(text, (ByRule(f"{LAWS[law]}: rule data {today[law].version}", text),))
            )
    return said


def _changes(view: RecordView) -> list[Statement]:
    """Which of the stated facts are other ones than those that were researched."""
    kept = next((one for one in view.evidence if one.judgement.role == RECORD), None)
    if kept is None:
        return []
    then, now = _stated(kept), request_in(view).model_dump(mode="json")
    return [
        Statement(
            f"Changed since: {FIELDS[name]}, from {_shown(then[name])} to {_shown(now[name])}.",
            (ByEvidence(kept.evidence.id), ByRecord(name)),
        )
        for name in FIELDS
        if then.get(name) != now.get(name)
    ]


def _stated(kept: BundledEvidence) -> dict[str, object]:
    return LeaveRequest.model_validate(kept.evidence.data).model_dump(mode="json")


def _shown(value: object) -> str:
    match value:
        case None:
            return "not stated"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value).replace("_", " ")
