"""What an outcome says as a whole: no more than its amounts, and what it leaves open."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given

from packs.leave.eligibility.test_laws_of_the_rules import requests
from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.eligibility.words import LAWS
from whence.packs.leave.records import Law, LeaveRequest

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
        (
            {
                "reason": "military_caregiver",
                "relation": "child",
                "veteran": True,
                "discharged_on": date(2024, 3, 1),
            },
            "discharge was dishonorable",
        ),
        ({"reason": "pregnancy_disability"}, "religious association"),
    ],
)
def test_what_was_taken_as_usual_is_named(
    a_request: NewRequest, changes: dict[str, object], point: str
) -> None:
    assert any(point in one for one in overview(a_request(**changes)).not_checked)


def grown(a_request: NewRequest, **facts: object) -> LeaveRequest:
    """48 employees when the leave begins, 50 from March 23 on."""
    few: dict[str, object] = {"employees": 48, "employees_within_75_miles": 48, "weeks_with_50": 20}
    return a_request(**few, fifty_employees_on=date(2026, 3, 23), **facts)


@pytest.mark.parametrize(("hours", "is_named"), [(1_260, True), (1_600, False)])
def test_hours_are_measured_on_the_day_from_which_a_law_counts(
    a_request: NewRequest, hours: int, is_named: bool
) -> None:
    points = overview(grown(a_request, hours_last_12_months=hours)).not_checked
    assert any("in the 12 months before March 23, 2026" in one for one in points) is is_named


def test_the_first_year_of_service_loses_no_hours_during_the_leave(a_request: NewRequest) -> None:
    first_year = a_request(hired_on=date(2025, 4, 1), hours_last_12_months=1_260)
    assert not any("12 months before April 1" in one for one in overview(first_year).not_checked)


def test_fifty_employees_during_the_leave_need_a_new_notice(a_request: NewRequest) -> None:
    fmla = overview(grown(a_request)).under(Law.FMLA)
    assert "from March 23, 2026 on" in fmla.wording
    assert "a new notice is needed once there are 50" in fmla.wording


def test_fmla_leave_alone_may_cut_what_is_left_of_cfra(a_request: NewRequest) -> None:
    taken = {"starts_on": "2025-09-01", "ends_on": "2025-10-24", "laws": ["fmla"]}
    [remark] = [
        one
        for one in overview(a_request(earlier_leave=[taken])).remarks
        if one.provision.id == "cfra.aggregate"
    ]
    assert "8 weeks of earlier leave counted under the FMLA and not under CFRA" in remark.text
    assert "of the 12 weeks under CFRA perhaps only 4 weeks are left" in remark.text


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


@pytest.mark.parametrize(
    ("changes", "provision", "law"),
    [
        ({"employees": 12, "employees_within_75_miles": 12}, "cure.cfra", "CFRA"),
        (
            {"employees": 12, "employees_within_75_miles": 12, "reason": "pregnancy_disability"},
            "cure.pdl",
            "pregnancy disability leave",
        ),
    ],
)
def test_seven_days_to_mend_a_certification_are_the_fmlas_alone(
    a_request: NewRequest, changes: dict[str, object], provision: str, law: str
) -> None:
    incomplete = {
        "certification": "incomplete",
        "certification_asked_on": date(2026, 2, 2),
        "certification_given_on": date(2026, 2, 13),
        "deficiency_notice_on": date(2026, 2, 16),
    }
    outcome = overview(a_request(**incomplete, **changes))
    assert Law.FMLA not in outcome.laws
    due = next(one for one in outcome.deadlines if one.name == "certification")
    assert (due.on, due.provision.id) == (None, provision)
    assert f"under {law} is not confirmed" in due.text
    assert provision in {one.id for one in outcome.unread}


def test_under_both_laws_the_day_to_mend_a_certification_names_the_fmla(
    a_request: NewRequest,
) -> None:
    outcome = overview(
        a_request(
            certification="incomplete",
            certification_asked_on=date(2026, 2, 2),
            deficiency_notice_on=date(2026, 2, 16),
        )
    )
    assert set(outcome.laws) == {Law.FMLA, Law.CFRA}
    due = next(one for one in outcome.deadlines if one.name == "certification")
    assert due.on == date(2026, 2, 23)
    assert "(FMLA)" in due.text
