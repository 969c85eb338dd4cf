"""What if: applies the rules to a request with other facts; nothing is written."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from whence.packs.leave.eligibility.book import BASES
from whence.packs.leave.eligibility.limits import ADVICE
from whence.packs.leave.eligibility.supposing import Supposed, suppose
from whence.packs.leave.eligibility.words import LAWS
from whence.packs.leave.flows.dossier import cover_words, leave_words
from whence.packs.leave.records import (
    Count,
    Day,
    Hours,
    LeaveRequest,
    Pattern,
    Reason,
    Relation,
    SpecialFacts,
    WeeklyHours,
    WeeksOfBoth,
    YearMethod,
)
from whence.sdk.access import Scope
from whence.sdk.tools import ToolContext, tool
from whence.sdk.values import Wire

from .stored_request import RequestId, stored_request


class OtherFacts(SpecialFacts):
    """Facts to assume; what is left out stays as it is.  None of them asks for a diagnosis."""

    reason: Reason | None = None
    relation: Relation | None = None
    child_is_adult: bool | None = None
    child_needs_care: bool | None = None
    medical_need: bool | None = None
    line_of_duty: bool | None = None
    active_duty: bool | None = None
    child_arrives_on: Day | None = None
    starts_on: Day | None = None
    ends_on: Day | None = None
    pattern: Pattern | None = None
    hours_off_per_week: WeeklyHours | None = None
    works_in_california: bool | None = None
    public_employer: bool | None = None
    employees: Count | None = None
    employees_within_75_miles: Count | None = None
    hired_on: Day | None = None
    earlier_service_months: Annotated[int, Field(ge=0, le=1_200)] | None = None
    hours_last_12_months: Hours | None = None
    weekly_hours: WeeklyHours | None = None
    year_method: YearMethod | None = None
    spouse_same_employer: bool | None = None
    spouse_eligible: bool | None = None
    weeks_of_both: WeeksOfBoth | None = None
    foreseeable: bool | None = None
    need_known_on: Day | None = None
    notice_given_on: Day | None = None


class WhatIf(Wire):
    """The `id` of a request, or none, and the facts to assume about it."""

    request_id: RequestId | None = None
    facts: OtherFacts


class LawThen(Wire):
    title: str
    now: str
    then: str
    wording: str


class RuleThen(Wire):
    title: str
    needed: str
    before: str
    """What was found before, and with what result."""
    then: str
    section: str
    url: str
    checked: str
    change: str | None


class LeaveThen(Wire):
    title: str
    words: str
    section: str
    url: str


class Assessed(Wire):
    """What the rules would say; the request itself was not changed."""

    laws: list[LawThen]
    rules: list[RuleThen]
    """Rules that find something else than on the facts as they are stated."""
    leave: list[LeaveThen]
    remarks: list[LeaveThen]
    """What spouses may have to share, and how holidays count."""
    warnings: list[str]
    not_checked: list[str]
    advice: str
    agencies: list[str]
    written: bool = False


@tool(Scope.READ)
async def assess_leave(arguments: WhatIf, context: ToolContext) -> Assessed:
    """Apply the rules to a leave request with other facts (what if she had 1,300 hours?): which
    laws would give the leave, which rules change, how much leave.  Changes nothing."""
    request = await _request(arguments.request_id, context)
    return _as_answer(suppose(request, _stated_facts(arguments.facts)))


def _stated_facts(facts: OtherFacts) -> dict[str, Any]:
    """What was given; null is no fact to suppose."""
    return {name: value for name, value in dict(facts).items() if value is not None}


async def _request(request_id: str | None, context: ToolContext) -> LeaveRequest:
    if request_id is None:
        return LeaveRequest(title="Supposed")
    return await stored_request(request_id, context)


def _as_answer(supposed: Supposed) -> Assessed:
    return Assessed(
        laws=[
            LawThen(
                title=LAWS[after.law],
                now=before.eligibility.value,
                then=after.eligibility.value,
                wording=after.wording,
            )
            for before, after in supposed.laws()
        ],
        rules=[
            RuleThen(
                title=f"{LAWS[one.after.rule.law]}: {one.after.rule.title}",
                needed=one.after.rule.needed,
                before=f"{one.before.actual}: {one.before.result}" if one.before else "no rule",
                then=f"{one.after.actual}: {one.after.result}",
                section=one.after.rule.section,
                url=one.after.rule.url,
                checked=BASES[one.after.rule.basis],
                change=one.after.change,
            )
            for one in supposed.changed_rules()
        ],
        leave=[
            LeaveThen(
                title=f"Leave under {LAWS[one.law]}",
                words=" ".join(filter(None, [leave_words(one), cover_words(one)])),
                section=one.provision.section,
                url=one.provision.url,
            )
            for one in supposed.after.leave
        ],
        remarks=[
            LeaveThen(
                title=one.provision.title,
                words=one.text,
                section=one.provision.section,
                url=one.provision.url,
            )
            for one in supposed.after.remarks
        ],
        warnings=list(supposed.after.warnings),
        not_checked=list(supposed.after.not_checked),
        advice=ADVICE,
        agencies=list(supposed.after.agencies),
    )
