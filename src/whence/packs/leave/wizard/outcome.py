"""What the wizard says: rule rows on its way, and the whole at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from whence.packs.leave.eligibility.assessing import LawAssessment, Standing, assess
from whence.packs.leave.eligibility.judging import Result, RuleResult
from whence.packs.leave.eligibility.overview import Overview, overview
from whence.packs.leave.eligibility.words import LAWS, listed, lowered
from whence.packs.leave.flows.telling import (
    body_of,
    cover_words,
    freed_words,
    leave_words,
    unread_words,
)
from whence.sdk.wizards import Answers, RuleRow, WizardOutcome

from .request import request_of

CAUTION = (
    "This is what the rules say on the facts as they were stated; the employer decides, and a "
    "diagnosis was neither asked for nor needed."
)


def rows(answers: Answers) -> Sequence[RuleRow]:
    """Every rule that applies, held against the answers so far."""
    return [_row(one) for law in assess(request_of(answers)) for one in law.results]


def rules_on(*fields: str) -> Callable[[Answers], Sequence[RuleRow]]:
    """The rules that look at some of these fields and can be told."""
    wanted = frozenset(fields)

    def told(answers: Answers) -> Sequence[RuleRow]:
        return [
            _row(one)
            for law in assess(request_of(answers))
            for one in law.results
            if wanted.intersection(one.fields) and not one.missing
        ]

    return told


def outcome(answers: Answers) -> WizardOutcome:
    """Each law's standing, how much leave, what runs together, what is due, what is missing."""
    found = overview(request_of(answers))
    said = [one.wording for one in found.told]
    said += [
        f"{LAWS[one.rule.law]}, {lowered(one.rule.title)}: {one.change}"
        for law in found.told
        for one in law.having(Result.NOT_MET)
        if one.change
    ]
    for leave in found.leave:
        said += filter(None, [leave_words(leave), cover_words(leave), *freed_words(leave)])
    said += [
        f"{one.text} ({one.provision.cited})"
        for one in (*found.together, *found.deadlines, *found.remarks)
    ]
    said += found.warnings
    said += filter(None, [unread_words(found)])
    return WizardOutcome(
        title=_title(found),
        text="\n".join([*said, CAUTION]),
        rules=tuple(_row(one) for law in found.assessed for one in law.results),
        values=body_of(found).model_dump(mode="json", by_alias=True),
    )


def _title(found: Overview) -> str:
    for standing, words in (
        (Standing.APPEARS_ELIGIBLE, "Appears eligible under"),
        (Standing.CANNOT_BE_TOLD, "Cannot be told yet for"),
    ):
        if laws := _laws(found.assessed, standing):
            return f"{words} {laws}"
    return "Does not appear eligible under these laws"


def _laws(assessed: Sequence[LawAssessment], standing: Standing) -> str:
    return listed([LAWS[one.law] for one in assessed if one.standing is standing])


def _row(one: RuleResult) -> RuleRow:
    return RuleRow(
        law=LAWS[one.rule.law],
        rule=one.rule.title,
        needed=one.rule.needed,
        actual=one.actual,
        result=one.result.value,
        source=one.rule.cited,
    )
