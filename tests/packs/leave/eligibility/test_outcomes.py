"""What an outcome says as a whole: no more than its amounts, and what it leaves open."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given

from packs.leave.eligibility.test_laws_of_the_rules import requests
from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.eligibility.words import LAWS
from whence.packs.leave.records import LeaveRequest

NewRequest = Callable[..., LeaveRequest]


@given(requests())
def test_the_headline_never_promises_leave_that_is_used_up(facts: dict[str, object]) -> None:
    outcome = overview(LeaveRequest.model_validate(facts))
    parts = outcome.headline.split("; ")
    for leave in outcome.leave:
        if leave.is_exhausted:
            named = [part for part in parts if LAWS[leave.law] in part]
            assert [part.lower().startswith("no leave is left under") for part in named] == [True]
            assert all(leave.law not in one.laws for one in outcome.together[:1])


@given(requests())
def test_every_outcome_names_whom_to_ask_and_what_was_not_checked(
    facts: dict[str, object],
) -> None:
    outcome = overview(LeaveRequest.model_validate(facts))
    assert outcome.agencies
    assert outcome.not_checked


def test_pregnancy_leave_promises_no_cfra_weeks_that_were_used(a_request: NewRequest) -> None:
    taken = {"starts_on": "2025-09-01", "ends_on": "2025-11-21", "laws": ["cfra"]}
    pregnant = a_request(
        reason="pregnancy_disability", child_arrives_on=date(2026, 4, 6), earlier_leave=[taken]
    )
    text = " ".join(one.text for one in overview(pregnant).together)
    assert "no CFRA leave is left for bonding" in text
    four = {**taken, "ends_on": "2025-09-26"}
    some = " ".join(
        one.text for one in overview(pregnant.model_copy(update={"earlier_leave": []})).together
    )
    assert "appears eligible for up to 12 weeks for bonding" in some
    partly = LeaveRequest.model_validate({**dict(pregnant), "earlier_leave": [four]})
    text = " ".join(one.text for one in overview(partly).together)
    assert "appears eligible for up to 8 weeks for bonding under CFRA" in text


@pytest.mark.parametrize(
    ("changes", "point"),
    [
        ({"hours_last_12_months": 900}, "airline flight crew"),
        ({"hours_last_12_months": 900}, "military service"),
        ({"hired_on": date(2026, 1, 5)}, "earlier service with the same employer"),
        ({"employees": 40, "employees_within_75_miles": 40}, "joint employer"),
        ({"employees": 40, "employees_within_75_miles": 40}, "reaches 50 employees"),
        ({}, "50 employees in 20 or more workweeks"),
        ({}, "the employer is federal"),
        ({"reason": "military_caregiver", "relation": "child"}, "a veteran"),
    ],
)
def test_what_was_taken_as_usual_is_named(
    a_request: NewRequest, changes: dict[str, object], point: str
) -> None:
    assert any(point in one for one in overview(a_request(**changes)).not_checked)


def test_what_was_stated_is_not_named(a_request: NewRequest) -> None:
    request = a_request(hours_last_12_months=900, flight_crew=False, military_hours=0)
    assert not [one for one in overview(request).not_checked if "crew" in one or "military" in one]


def test_an_answer_of_the_employer_is_overdue_only_after_its_day(a_request: NewRequest) -> None:
    request = a_request(foreseeable=True, notice_given_on=date(2026, 1, 26))
    due = {one.name: one for one in overview(request, date(2026, 2, 2)).deadlines}
    assert not due["response_fmla"].is_past
    late = {one.name: one for one in overview(request, date(2026, 2, 3)).deadlines}
    assert late["response_fmla"].is_past
    assert "it is overdue since February 2, 2026" in late["response_fmla"].text
