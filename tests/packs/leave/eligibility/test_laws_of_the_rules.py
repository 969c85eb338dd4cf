"""What must hold of the rules on any facts at all."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from whence.packs.leave.eligibility.assessing import assess
from whence.packs.leave.eligibility.entitlement import ROUNDING
from whence.packs.leave.eligibility.judging import Result, RuleResult
from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.records import Law, LeaveRequest, Reason, Relation, YearMethod

START = date(2026, 3, 2)
days = st.dates(date(2020, 1, 1), date(2027, 12, 31))
maybe = st.none() | st.booleans()
laws = st.lists(st.sampled_from(Law), min_size=1, max_size=3, unique=True)


@st.composite
def earlier(draw: st.DrawFn) -> dict[str, Any]:
    first = draw(st.dates(date(2024, 1, 1), date(2026, 2, 28)))
    return {
        "starts_on": first,
        "ends_on": first + timedelta(days=draw(st.integers(0, 120))),
        "hours": draw(st.none() | st.floats(0, 600)),
        "laws": draw(laws),
        "caregiver": draw(st.booleans()),
    }


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    start = draw(st.none() | st.just(START))
    return {
        "title": "Any",
        "reason": draw(st.none() | st.sampled_from(Reason)),
        "relation": draw(st.none() | st.sampled_from(Relation)),
        "child_is_adult": draw(maybe),
        "child_needs_care": draw(maybe),
        "medical_need": draw(maybe),
        "line_of_duty": draw(maybe),
        "active_duty": draw(maybe),
        "child_arrives_on": draw(st.none() | days),
        "starts_on": start,
        "ends_on": draw(st.none() | st.just(START + timedelta(days=200))) if start else None,
        "works_in_california": draw(maybe),
        "public_employer": draw(st.booleans()),
        "employees": draw(st.none() | st.integers(0, 120)),
        "employees_within_75_miles": draw(st.none() | st.integers(0, 120)),
        "hired_on": draw(st.none() | days),
        "hours_last_12_months": draw(st.none() | st.floats(0, 2_500)),
        "weekly_hours": draw(st.none() | st.floats(1, 60)),
        "year_method": draw(st.none() | st.sampled_from(YearMethod)),
        "leave_year_starts": draw(st.none() | st.just("07-01")),
        "earlier_leave": draw(st.lists(earlier(), max_size=3)),
    }


def results(facts: dict[str, Any]) -> dict[str, RuleResult]:
    request = LeaveRequest.model_validate(facts)
    return {one.rule.id: one for law in assess(request) for one in law.results}


@given(requests(), st.integers(0, 5_000), st.integers(0, 5_000), st.floats(0, 3_000))
def test_more_service_hours_or_employees_never_turn_met_into_not_met(
    facts: dict[str, Any], people: int, days_more: int, hours: float
) -> None:
    more = dict(facts)
    for name in ("employees", "employees_within_75_miles"):
        if facts[name] is not None:
            more[name] = facts[name] + people
    if facts["hired_on"] is not None:
        more["hired_on"] = max(date(1950, 1, 1), facts["hired_on"] - timedelta(days=days_more))
    if facts["hours_last_12_months"] is not None:
        more["hours_last_12_months"] = facts["hours_last_12_months"] + hours
    before, after = results(facts), results(more)
    for name, one in before.items():
        if one.result is Result.MET:
            assert after[name].result is Result.MET, name


@given(requests())
def test_a_rule_without_its_facts_is_unknown_and_never_met(facts: dict[str, Any]) -> None:
    for name, one in results(facts).items():
        if one.rule.satisfied_by and facts["public_employer"]:
            continue
        bare = {**facts, **dict.fromkeys(one.fields)}
        if "employees" in one.rule.fact:
            bare |= {"employees": None, "employees_within_75_miles": None}
        if one.rule.fact == "child_counts":
            bare |= {"child_is_adult": None, "child_needs_care": None}
        if "starts_on" in one.fields:
            bare["ends_on"] = None
        again = results(bare).get(name)
        if again is not None:  # without its reason, a rule for that reason does not apply
            assert again.result is Result.UNKNOWN
            assert again.missing


@given(requests())
def test_what_is_unknown_says_what_has_to_be_known(facts: dict[str, Any]) -> None:
    for one in results(facts).values():
        assert (one.result is Result.UNKNOWN) == bool(one.missing)
        assert (one.result is Result.MET) == (one.change is None)


@given(requests())
def test_leave_left_is_between_nothing_and_all(facts: dict[str, Any]) -> None:
    result = overview(LeaveRequest.model_validate(facts))
    for one in result.leave:
        assert one.left_weeks is None or -ROUNDING <= one.left_weeks <= one.weeks + ROUNDING
        assert (one.left_weeks is None) == bool(one.missing)


@given(requests(), earlier())
def test_earlier_leave_never_adds_to_what_is_left(
    facts: dict[str, Any], another: dict[str, Any]
) -> None:
    # Measured forward, an earlier first leave begins another period; the best way may be that one.
    assume(facts["year_method"] in (YearMethod.CALENDAR, YearMethod.FIXED, YearMethod.ROLLING))
    before = overview(LeaveRequest.model_validate(facts))
    # So may an earlier leave for a servicemember, which begins another single 12-month period.
    more = {**facts, "earlier_leave": [*facts["earlier_leave"], {**another, "caregiver": False}]}
    after = overview(LeaveRequest.model_validate(more))
    for one, less in zip(before.leave, after.leave, strict=True):
        if one.left_weeks is not None and less.left_weeks is not None:
            assert less.left_weeks <= one.left_weeks + ROUNDING


@pytest.mark.parametrize(
    ("hired", "fmla", "cfra"),
    [
        (date(2025, 3, 3), Result.NOT_MET, Result.NOT_MET),
        (date(2025, 3, 2), Result.MET, Result.NOT_MET),
        (date(2025, 3, 1), Result.MET, Result.MET),
    ],
)
def test_exactly_twelve_months_are_enough_for_the_fmla_only(
    hired: date, fmla: Result, cfra: Result
) -> None:
    result = results({"title": "Any", "starts_on": START, "ends_on": START, "hired_on": hired})
    assert (result["fmla.tenure"].result, result["cfra.tenure"].result) == (fmla, cfra)
