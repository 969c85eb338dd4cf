"""The body of a leave request's dossier, and the rules' results in sentences."""

from __future__ import annotations

from datetime import date
from typing import Any

from whence.packs.leave.eligibility.assessing import LawAssessment
from whence.packs.leave.eligibility.book import BASES, Basis, Dated, Provision
from whence.packs.leave.eligibility.entitlement import LawLeave
from whence.packs.leave.eligibility.judging import RuleResult
from whence.packs.leave.eligibility.limits import ADVICE
from whence.packs.leave.eligibility.overview import Overview
from whence.packs.leave.eligibility.words import (
    FIELDS,
    LAWS,
    METHODS,
    counted,
    day,
    join_words,
    lower_first,
)
from whence.packs.leave.letters.drafting import Letter, letters
from whence.packs.leave.records import LeaveRequest
from whence.sdk.values import Wire

SCHEMA_VERSION = 3
"""2: what each rule was checked against, remarks, and days moved by holidays.  3: laws that are met
only later in the leave, what was not checked, whom to ask, and drafts of the notices."""
RESULTS = {
    "met": "met",
    "met_later": "met later in the leave",
    "not_met": "not met",
    "unknown": "not known",
}


class RuleView(Wire):
    id: str
    title: str
    needed: str
    actual: str
    result: str
    section: str
    url: str
    basis: Basis
    source: str | None
    change: str | None


class LawView(Wire):
    law: str
    name: str
    standing: str
    since: date | None
    """The day of the leave from which the law gives it, where that is not the first."""
    wording: str
    rules_version: str
    rules_effective: date
    """Since when the law has been as it was applied."""
    rules_checked: date
    rules: list[RuleView]


class LeaveView(Wire):
    law: str
    weeks: float
    hours: float | None
    method: str | None
    method_chosen: bool
    period_first: date | None
    period_last: date | None
    used_weeks: float | None
    left_weeks: float | None
    left_hours: float | None
    covered_until: date | None
    covers_all: bool | None
    frees_up: list[str]
    words: str
    section: str
    url: str
    basis: Basis


class StatementView(Wire):
    text: str
    section: str
    url: str
    basis: Basis


class DateView(StatementView):
    name: str
    who: str
    on: date | None
    later: date | None
    """The day instead, where public holidays are no business days of the employer."""
    is_past: bool


class UnreadView(Wire):
    """A rule whose own text was not read when the data was checked."""

    law: str
    title: str
    section: str
    words: str


class LeaveDossier(Wire):
    """The body of a leave request's dossier."""

    headline: str
    laws: list[LawView]
    leave: list[LeaveView]
    asked_weeks: float | None
    together: list[StatementView]
    dates: list[DateView]
    remarks: list[StatementView]
    unread: list[UnreadView]
    warnings: list[str]
    missing: list[str]
    not_checked: list[str]
    advice: str
    agencies: list[str]
    """Whom to ask."""
    letters: list[Letter]
    """Drafts of the employer's notices."""


def rule_words(result: RuleResult) -> str:
    """`FMLA, hours of service: required: ...; stated: ...; met.`"""
    rule = result.rule
    return (
        f"{LAWS[rule.law]}, {lower_first(rule.title)}: required: {rule.needed}; "
        f"stated: {result.actual}; {RESULTS[result.result.value]}."
    )


def leave_words(leave: LawLeave) -> str:
    """How much leave a law gives, what was used and what is left."""
    name = LAWS[leave.law]
    hours = "" if leave.hours is None else f" ({counted(leave.hours, 'hour')})"
    words = f"{name} gives up to {counted(leave.weeks, 'week')}{hours}"
    if leave.period and leave.method:
        way = METHODS[leave.method]
        chosen = (
            way
            if leave.chosen
            else f"{way}, the most favorable method, as the employer's choice is not known"
        )
        words += f" in a 12-month period ({chosen})"
    elif leave.period:
        words += f" in the single 12-month period from {day(leave.period.first)}"
    if leave.left_weeks is None:
        missing = join_words([FIELDS[name] for name in leave.missing])
        return f"{words}; what is left cannot be determined yet: {missing}."
    left = "" if leave.left_hours is None else f" ({counted(leave.left_hours, 'hour')})"
    used = counted(leave.used_weeks or 0.0, "week")
    at = f"on {day(leave.since)}" if leave.since else "at the start"
    return f"{words}; {used} used, {counted(leave.left_weeks, 'week')}{left} left {at}."


def cover_words(leave: LawLeave) -> str | None:
    """Until which day the remaining leave lasts; None if that is not known."""
    if leave.covered_until is None:
        return None
    if leave.covers_all:
        begins = f" from {day(leave.since)}" if leave.since else ""
        return f"{LAWS[leave.law]} covers the leave{begins} to its last day."
    return f"{LAWS[leave.law]} covers it up to {day(leave.covered_until)}."


def freed_words(leave: LawLeave) -> list[str]:
    """Rolling backward: when earlier leave begins to count no more."""
    return [
        f"From {day(first)} on, {counted(weeks, 'week')} of earlier leave drop out day by day."
        for first, weeks in leave.frees_up
    ]


def body_of(assessment: Overview) -> LeaveDossier:
    """An overview as the dossier keeps it."""
    return LeaveDossier(
        headline=assessment.headline,
        laws=[_law(one) for one in assessment.assessed],
        leave=[_leave(one) for one in assessment.leave],
        asked_weeks=assessment.asked_weeks,
        together=[_cited_view(one.text, one.provision) for one in assessment.together],
        dates=[
            DateView(
                name=one.name,
                who=one.who,
                on=one.on,
                later=one.later,
                text=one.text,
                section=one.provision.section,
                url=one.provision.url,
                basis=one.provision.basis,
                is_past=one.is_past,
            )
            for one in assessment.deadlines
        ],
        remarks=[_cited_view(one.text, one.provision) for one in assessment.remarks],
        unread=[_unread(one) for one in assessment.unread],
        warnings=list(assessment.warnings),
        missing=list(assessment.missing),
        not_checked=list(assessment.not_checked),
        advice=ADVICE,
        agencies=list(assessment.agencies),
        letters=letters(assessment),
    )


def unread_words(assessment: Overview) -> str | None:
    """Which sections of a result were not read when the data was checked, None where all were."""
    if not assessment.unread:
        return None
    sections = list(
        dict.fromkeys(f"{one.section} ({BASES[one.basis]})" for one in assessment.unread)
    )
    names = join_words(sections)
    return f"Not every section's own text was read when these rules were checked: {names}."


def _cited_view(text: str, one: Provision) -> StatementView:
    return StatementView(text=text, section=one.section, url=one.url, basis=one.basis)


def _unread(one: Dated) -> UnreadView:
    return UnreadView(
        law=one.law.value, title=one.title, section=one.section, words=BASES[one.basis]
    )


def _law(one: LawAssessment) -> LawView:
    return LawView(
        law=one.law.value,
        name=one.statute.title,
        standing=one.eligibility.value,
        since=one.since,
        wording=one.wording,
        rules_version=one.statute.version,
        rules_effective=one.statute.effective,
        rules_checked=one.statute.checked,
        rules=[
            RuleView(
                id=result.rule.id,
                title=result.rule.title,
                needed=result.rule.needed,
                actual=result.actual,
                result=result.result.value,
                section=result.rule.section,
                url=result.rule.url,
                basis=result.rule.basis,
                source=result.rule.source.title if result.rule.source else None,
                change=result.change,
            )
            for result in one.results
        ],
    )


def _leave(one: LawLeave) -> LeaveView:
    return LeaveView(
        law=one.law.value,
        weeks=one.weeks,
        hours=one.hours,
        method=one.method.value if one.method else None,
        method_chosen=one.chosen,
        period_first=one.period.first if one.period else None,
        period_last=one.period.last if one.period else None,
        used_weeks=one.used_weeks,
        left_weeks=one.left_weeks,
        left_hours=one.left_hours,
        covered_until=one.covered_until,
        covers_all=one.covers_all,
        frees_up=freed_words(one),
        words=leave_words(one),
        section=one.provision.section,
        url=one.provision.url,
        basis=one.provision.basis,
    )


def stated_facts(request: LeaveRequest) -> str:
    """What was stated in the request, one line each, including what was not stated."""
    stated: dict[str, Any] = request.model_dump(mode="json", exclude={"title"})
    lines = [request.title]
    for name, value in stated.items():
        label = FIELDS.get(name, name.replace("_", " "))
        text = "not stated" if value is None else "none" if value == [] else value
        text = {True: "yes", False: "no"}[text] if isinstance(text, bool) else text
        lines.append(f"{label}: {text}")
    return "\n".join(lines)
