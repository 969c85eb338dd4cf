"""The wizard's results: rule rows along the way, and the full result at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from whence.packs.leave.eligibility.assessing import assess
from whence.packs.leave.eligibility.judging import Result, RuleResult
from whence.packs.leave.eligibility.limits import ADVICE, not_checked_words
from whence.packs.leave.eligibility.overview import overview, relevant
from whence.packs.leave.eligibility.sensitivity import alternatives
from whence.packs.leave.eligibility.words import FIELDS, LAWS, day, lower_first
from whence.packs.leave.flows.dossier import (
    body_of,
    cover_words,
    freed_words,
    leave_words,
    unread_words,
)
from whence.sdk.values import now
from whence.sdk.wizards import Alternative, Answers, RuleRow, WizardOutcome

from .calendar import calendar_of
from .request import request_of

LABELS = {
    "laws": "By law",
    "leave": "How much leave",
    "askedWeeks": "Weeks of leave asked for",
    "together": "What runs at the same time",
    "dates": "Dates",
    "remarks": "To bear in mind",
    "unread": "Sections whose own text was not read",
    "warnings": "To check",
    "missing": "Still needed",
    "notChecked": "Taken as usual, and not checked",
    "advice": "No legal advice",
    "agencies": "Whom to ask",
    "letters": "Drafts of the employer's notices",
}
"""Headings of the outcome's values."""
DATES = {
    "notice": "The employee's notice",
    "response_fmla": "The employer's answer, FMLA",
    "response_cfra": "The employer's answer, CFRA",
    "response_pdl": "The employer's answer, pregnancy disability leave",
    "designation": "The employer's designation",
    "certification": "The certification",
    "bonding_ends": "The end of bonding leave",
    "return": "Return to work",
}
"""What each of the dates is, by its name."""
NO_DIAGNOSIS = "A diagnosis was neither asked for nor needed."


def rows(answers: Answers) -> Sequence[RuleRow]:
    """Every rule that applies, held against the answers so far."""
    assessed = relevant(assess(request_of(answers)))
    return [_row(one) for law in assessed for one in law.results]


def rules_on(*fields: str) -> Callable[[Answers], Sequence[RuleRow]]:
    """The rules that look at some of these fields and can be told."""
    wanted_fields = frozenset(fields)

    def rule_rows(answers: Answers) -> Sequence[RuleRow]:
        return [
            _row(one)
            for law in relevant(assess(request_of(answers)))
            for one in law.results
            if wanted_fields.intersection(one.fields) and not one.missing
        ]

    return rule_rows


def outcome(answers: Answers) -> WizardOutcome:
    """Each law's standing, how much leave, what runs together, what is due, what is missing."""
    today = now().date()
    request = request_of(answers)
    assessment = overview(request, today)
    lines = [one.wording for one in assessment.relevant_laws]
    lines += [
        f"{LAWS[one.rule.law]}, {lower_first(one.rule.title)}: {one.change}"
        for law in assessment.relevant_laws
        for one in (*law.with_result(Result.NOT_MET), *law.with_result(Result.MET_LATER))
        if one.change
    ]
    for leave in assessment.leave:
        lines += filter(None, [leave_words(leave), cover_words(leave), *freed_words(leave)])
    lines += [
        f"{one.text} ({one.provision.cited})"
        for one in (*assessment.together, *assessment.deadlines, *assessment.remarks)
    ]
    lines += assessment.warnings
    lines += filter(None, [unread_words(assessment)])
    lines += [not_checked_words(assessment.not_checked), ADVICE, *assessment.agencies]
    body = body_of(assessment).model_dump(mode="json", by_alias=True)
    return WizardOutcome(
        title=assessment.headline,
        text="\n".join([*lines, NO_DIAGNOSIS]),
        rules=tuple(_row(one) for law in assessment.relevant_laws for one in law.results),
        values={
            **body,
            "dates": [
                {**date_view, "title": DATES[date_view["name"]]} for date_view in body["dates"]
            ],
            "missing": [FIELDS[name] for name in assessment.missing],
        },
        labels=LABELS,
        about={
            "Request": request.title,
            "First day": day(request.starts_on) if request.starts_on else "not stated",
            "Last day": day(request.ends_on) if request.ends_on else "not stated",
        },
        calendar=calendar_of(assessment),
        alternatives=tuple(
            Alternative(
                fact=one.fact,
                stated=one.stated,
                supposed=one.supposed,
                effects=list(one.effects),
            )
            for one in alternatives(assessment, today)
        ),
    )


def _row(one: RuleResult) -> RuleRow:
    return RuleRow(
        law=LAWS[one.rule.law],
        rule=one.rule.title,
        needed=one.rule.needed,
        actual=one.actual,
        result="met" if one.result is Result.MET_LATER else one.result.value,
        source=one.rule.cited,
    )
