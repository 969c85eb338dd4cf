"""What would change a result: open facts and figures near a limit, by the rules themselves."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given

from packs.leave.eligibility.test_laws_of_the_rules import requests
from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.eligibility.sensitivity import Alternative, alternatives
from whence.packs.leave.records import LeaveRequest
from whence.packs.leave.wizard.calendar import calendar_of

TODAY = date(2026, 8, 1)
FACTS: dict[str, Any] = {
    "title": "Care",
    "reason": "family_care",
    "relation": "parent",
    "medical_need": True,
    "starts_on": date(2026, 9, 7),
    "ends_on": date(2026, 12, 30),
    "works_in_california": True,
    "employees": 1200,
    "employees_within_75_miles": 95,
    "hired_on": date(2021, 5, 3),
    "hours_last_12_months": 1620,
    "weekly_hours": 32,
    "year_method": "calendar",
}


def ways(**facts: Any) -> list[Alternative]:
    request = LeaveRequest.model_validate(FACTS | facts)
    return list(alternatives(overview(request, TODAY), TODAY))


def test_nothing_is_named_where_no_fact_is_open_or_near_a_limit() -> None:
    assert ways() == []


def test_a_figure_near_its_limit_says_what_falling_below_it_would_do() -> None:
    [one] = ways(hours_last_12_months=1300)
    assert (one.stated, one.supposed) == ("1,300 hours", "1,249 hours or fewer")
    assert one.effects == (
        "FMLA: does not appear eligible (now: appears eligible).",
        "CFRA: does not appear eligible (now: appears eligible).",
    )


def test_an_open_fact_comes_first_with_each_answer_that_matters() -> None:
    found = ways(works_in_california=None, hours_last_12_months=1300)
    assert (found[0].field, found[0].supposed) == ("works_in_california", "yes")
    assert found[0].stated == "not stated"


def test_too_short_service_names_the_first_day_that_would_do() -> None:
    found = ways(hired_on=date(2025, 10, 20))
    [one] = [one for one in found if one.field == "starts_on"]
    assert one.supposed == "October 20, 2026"
    assert "FMLA: appears eligible (now: appears eligible from" in one.effects[0]


@given(requests())
def test_every_effect_is_what_the_rules_say_of_the_changed_request(
    facts: dict[str, object],
) -> None:
    assessment = overview(LeaveRequest.model_validate(facts), TODAY)
    for one in alternatives(assessment, TODAY):
        assert one.effects
        assert one.fact


@pytest.mark.parametrize("weekdays", [None, ["tuesday", "wednesday", "thursday"]])
def test_the_calendar_shows_what_each_law_covers_on_the_workdays(weekdays: Any) -> None:
    request = LeaveRequest.model_validate(FACTS | {"workdays": weekdays})
    calendar = calendar_of(overview(request, TODAY))
    assert calendar is not None
    assert calendar.weekdays == ([0, 1, 2, 3, 4] if weekdays is None else [1, 2, 3])
    for row in calendar.rows:
        assert [span.state for span in row.spans] == ["covered", "not_covered"]
        assert row.spans[0].first == date(2026, 9, 7)
        assert row.spans[-1].last == date(2026, 12, 30)
