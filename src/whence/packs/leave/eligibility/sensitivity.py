"""What would change a result: open facts, and figures at or near the limit of a rule.

Nothing is estimated: each alternative is the request with one other fact, held against the same
rules.  An alternative that changes nothing, or that contradicts another fact, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, get_args

from pydantic import ValidationError

from whence.packs.leave.records import Law, LeaveRequest, YearMethod

from .assessing import Eligibility, LawAssessment
from .entitlement import LawLeave
from .judging import Result, RuleResult
from .overview import Overview, overview
from .service_facts import TENURE, service_reaches
from .words import FIELDS, LAWS, METHODS, ROUNDING, counted, day

NEAR = 0.2
"""The part of a limit within which a figure that meets it is worth a second look: 250 hours for
1,250 hours of service, 10 employees for 50."""
STANDINGS = {
    Eligibility.APPEARS_ELIGIBLE: "appears eligible",
    Eligibility.APPEARS_LATER: "appears eligible from {since} on",
    Eligibility.NOT_ELIGIBLE: "does not appear eligible",
    Eligibility.UNDETERMINED: "cannot be determined yet",
}
NOT_STATED = "not stated"


@dataclass(frozen=True)
class Alternative:
    """One fact as it might be, and what the rules would then say otherwise."""

    field: str
    stated: str
    supposed: str
    effects: tuple[str, ...]

    @property
    def fact(self) -> str:
        """The fact in words."""
        return FIELDS[self.field]


@dataclass(frozen=True)
class _Candidate:
    field: str
    value: Any
    words: str


def alternatives(assessment: Overview, today: date) -> tuple[Alternative, ...]:
    """What would change the result: open facts first, then in the order of the rules."""
    found: dict[tuple[str, str], Alternative] = {}
    for candidate in _candidates(assessment):
        key = candidate.field, candidate.words
        if key in found:
            continue
        after = _supposed(assessment.request, candidate, today)
        if after is None or set(after.warnings) - set(assessment.warnings):
            continue
        if effects := _effects(assessment, after):
            stated = _stated(assessment, candidate.field)
            found[key] = Alternative(candidate.field, stated, candidate.words, effects)
    return tuple(sorted(found.values(), key=lambda one: one.stated != NOT_STATED))


def _supposed(request: LeaveRequest, one: _Candidate, today: date) -> Overview | None:
    values = dict(request)
    open_facts = [fact for fact in request.not_known or () if fact.value != one.field]
    try:
        changed = LeaveRequest.model_validate(
            {**values, "not_known": open_facts or None, one.field: one.value}
        )
    except ValidationError:
        return None
    return overview(changed, today)


def _candidates(assessment: Overview) -> Iterator[_Candidate]:
    request = assessment.request
    for law in assessment.relevant_laws:
        for result in law.results:
            yield from _of_rule(result, request)
    for name in assessment.missing:
        yield from _of_choice(name)
    if request.year_method is None and request.earlier_leave:
        for method in YearMethod:
            yield _Candidate("year_method", method, METHODS[method])


def _of_rule(result: RuleResult, request: LeaveRequest) -> Iterator[_Candidate]:
    rule, limit = result.rule, result.rule.value
    if rule.fact in TENURE and limit is not None:
        reached = service_reaches(request, limit, rule.law)
        if result.result in (Result.NOT_MET, Result.MET_LATER) and reached:
            yield _Candidate("starts_on", reached, day(reached))
        return
    names = [name for name in (*result.missing, *result.fields) if _is_number(name)]
    if limit is None or not names:
        return
    name, is_more = names[0], rule.test == "more_than"
    least = limit + 1 if is_more else limit
    stated = getattr(request, name)
    if result.result is not Result.MET:
        yield _Candidate(name, least, f"at least {counted(least, rule.unit)}")
    near = stated is not None and 0 <= stated - least <= limit * NEAR
    if result.result is Result.UNKNOWN or (result.result is Result.MET and near):
        yield _Candidate(name, least - 1, f"{counted(least - 1, rule.unit)} or fewer")


def _of_choice(name: str) -> Iterator[_Candidate]:
    if bool in get_args(LeaveRequest.model_fields[name].annotation):
        yield _Candidate(name, value=True, words="yes")
        yield _Candidate(name, value=False, words="no")


def _is_number(name: str) -> bool:
    annotation = str(LeaveRequest.model_fields[name].annotation)
    return "int" in annotation or "float" in annotation


def _stated(assessment: Overview, name: str) -> str:
    value = getattr(assessment.request, name)
    if value is None:
        return NOT_STATED
    if isinstance(value, date):
        return day(value)
    units = (
        one.rule.unit for law in assessment.assessed for one in law.results if name in one.fields
    )
    unit = next(filter(None, units), "")
    return counted(value, unit) if unit else str(value)


def _effects(before: Overview, after: Overview) -> tuple[str, ...]:
    effects: list[str] = []
    named = {one.law for one in (*before.relevant_laws, *after.relevant_laws)}
    for law in Law:
        if law not in named:
            continue
        old, new = _standing(before.under(law)), _standing(after.under(law))
        if old != new:
            effects.append(f"{LAWS[law]}: {new} (now: {old}).")
            continue
        if change := _leave_change(before.leave_of(law), after.leave_of(law)):
            effects.append(f"{LAWS[law]}: {change}.")
    return tuple(effects)


def _standing(one: LawAssessment) -> str:
    return STANDINGS[one.eligibility].format(since=day(one.since) if one.since else "")


def _leave_change(before: LawLeave | None, after: LawLeave | None) -> str | None:
    if before is None or after is None:
        return None
    old, new = before.left_weeks, after.left_weeks
    if new is not None and (old is None or abs(old - new) > ROUNDING):
        than = "" if old is None else f" (now: {counted(old, 'week')})"
        return f"{counted(new, 'week')} left{than}"
    if after.covered_until and after.covered_until != before.covered_until:
        than = f" (now: {day(before.covered_until)})" if before.covered_until else ""
        return f"covers the leave up to {day(after.covered_until)}{than}"
    return None
