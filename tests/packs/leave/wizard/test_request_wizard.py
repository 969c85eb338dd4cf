"""leave.request: only what matters is asked, late warns, and the answers make a request."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.packs.leave.records import Law, LeaveRequest, Relation
from whence.packs.leave.wizard.definition import REQUEST
from whence.packs.leave.wizard.request import known_of
from whence.tenancy.organization import OrganizationProfile
from whence.tenancy.profile import Profile
from whence.wizards.definition import Background, StepKind
from whence.wizards.path import Entry, Place, Start, replay

TODAY = date(2026, 1, 5)
Values = dict[str, Any]
CARE: dict[str, Values] = {
    "reason": {"reason": "family_care"},
    "who": {"relation": "sibling"},
    "need": {"medicalNeed": "yes"},
    "dates": {"startsOn": "2026-03-02", "endsOn": "2026-04-10"},
    "pattern": {"pattern": "continuous"},
    "place": {"worksInCalifornia": "yes"},
    "employer": {"publicEmployer": False, "employees": 300},
    "service": {"hiredOn": "2020-01-01"},
    "hours": {"hoursLast12Months": 1500, "weeklyHours": 40},
    "year": {"yearMethod": "rolling"},
    "before": {"wasTaken": False},
    "notice": {"foreseeable": "yes", "noticeGivenOn": "2026-01-20"},
    "certification": {"certification": "not_asked"},
    "review": {},
}


def walked(answers: dict[str, Values], **changed: Values) -> Place:
    """Where a run stands that answers step by step as long as there is an answer."""
    remaining = {**answers, **changed}
    history: list[Entry] = []
    start = Start(REQUEST, TODAY)
    place = replay(start, history)
    while place.current.id in remaining and not place.is_done:
        history.append(Entry(place.current.id, remaining.pop(place.current.id)))
        place = replay(start, history)
    return place


def ids(place: Place) -> list[str]:
    return [step.id for step in place.path]


def test_it_ends_with_what_the_rules_say() -> None:
    place = walked(CARE)
    assert place.is_done
    outcome = REQUEST.outcome(place.answers)
    assert outcome.title == "Appears eligible under CFRA"
    assert "does not appear eligible under FMLA: family member" in outcome.text
    assert {(row.rule, row.result) for row in outcome.rules if row.law == "CFRA"} >= {
        ("Length of service", "met"),
        ("Family member", "met"),
    }


def test_the_worksite_is_not_asked_where_it_can_decide_nothing() -> None:
    assert "site" not in ids(walked(CARE))  # a sibling: the FMLA is out whatever the worksite
    parent = {"who": {"relation": "parent"}}
    assert "site" in ids(walked(CARE, **parent))
    few = {"employer": {"publicEmployer": False, "employees": 49}}
    assert "site" not in ids(walked(CARE, **parent, **few))


@pytest.mark.parametrize("reason", ["own_health", "pregnancy_disability", "bonding_birth"])
def test_nobody_else_is_asked_about_where_there_is_nobody(reason: str) -> None:
    assert "who" not in ids(walked(CARE, reason={"reason": reason}))


def test_bonding_asks_for_the_birth_and_for_no_provider_and_no_certification() -> None:
    place = walked(CARE, reason={"reason": "bonding_birth"}, arrival={}, site={})
    assert "arrival" in ids(place)
    assert not {"need", "certification"} & set(ids(place))


def test_late_notice_warns_and_does_not_block() -> None:
    place = walked(CARE, notice={"foreseeable": "yes", "noticeGivenOn": "2026-02-25"})
    step = place.on_path("notice")
    assert place.is_done
    assert step is not None
    assert step.warn is not None
    [warning] = step.warn(place.answers_up_to("notice"))
    assert warning.code == "late_notice"
    assert "the right to it remains" in warning.message


def test_a_leave_that_ends_before_it_starts_blocks() -> None:
    place = walked(CARE, dates={"startsOn": "2026-03-02", "endsOn": "2026-03-01"})
    assert place.current.id == "dates"
    assert [problem.code for problem in place.problems] == ["order"]


def test_the_answers_make_a_request() -> None:
    earlier = {"startsOn": "2025-06-02", "endsOn": "2025-06-27", "laws": ["cfra"]}
    place = walked(CARE, before={"wasTaken": True}, earlier_1=earlier)
    assert REQUEST.fill is not None
    request = REQUEST.fill(place.answers)
    assert isinstance(request, LeaveRequest)
    assert request.relation is Relation.SIBLING
    assert request.medical_need is True
    assert [leave.laws for leave in request.earlier_leave] == [[Law.CFRA]]
    assert request.title.startswith("Leave: care for a family member")


@pytest.mark.parametrize(
    ("changed", "is_asked"),
    [
        ({"who": {"relation": "parent"}}, True),
        ({"who": {"relation": "sibling"}}, False),
        ({"who": {"relation": "spouse"}}, False),
        ({"reason": {"reason": "own_health"}}, False),
        ({"reason": {"reason": "bonding_birth"}, "arrival": {}}, True),
        ({"who": {"relation": "parent"}, "employer": {"publicEmployer": False}}, True),
        ({"who": {"relation": "parent"}, "site": {"employeesWithin75Miles": 40}}, False),
    ],
)
def test_a_spouse_at_the_employer_is_asked_for_only_where_weeks_may_be_shared(
    changed: dict[str, Values], is_asked: bool
) -> None:
    site = {"employeesWithin75Miles": 80}
    place = walked(CARE, **{"site": site, "spouse": {"spouseSameEmployer": "yes"}, **changed})
    assert ("spouse" in ids(place)) is is_asked
    assert ("spouse_leave" in ids(place)) is is_asked


def test_not_known_is_an_answer_and_stays_unknown() -> None:
    place = walked(CARE, need={"medicalNeed": "unknown"}, hours={})
    assert place.is_done
    assert "cannot be determined yet" in REQUEST.outcome(place.answers).text


def test_what_a_request_states_is_not_asked_again() -> None:
    assert REQUEST.fill is not None
    request = REQUEST.fill(walked(CARE).answers)
    organization = OrganizationProfile(name="Ours")
    background = Background(request, Profile("N", "n@example.org", "Ours", ""), organization, TODAY)
    place = replay(Start(REQUEST, TODAY, known_of(background, REQUEST.steps)), [])
    question = [step.id for step in place.path if step.id not in place.from_known]
    assert "dates" in place.from_known
    assert question == ["before"]  # whether there was more leave is not in the record


def test_a_record_that_only_says_private_is_asked_how_large_the_employer_is() -> None:
    request = LeaveRequest.model_validate({"title": "Half", "reason": "own_health"})
    organization = OrganizationProfile(name="Ours")
    background = Background(request, Profile("N", "n@example.org", "Ours", ""), organization, TODAY)
    known = {(one.step, one.field) for one in known_of(background, REQUEST.steps)}
    assert ("reason", "reason") in known
    assert not [field for step, field in known if step == "employer"]


def test_nothing_more_is_asked_once_no_law_can_give_the_leave() -> None:
    few = {"employer": {"publicEmployer": False, "employees": 4}}
    place = walked(CARE, **few)
    assert place.is_done
    assert ids(place)[-2:] == ["review", "outcome"]
    assert not {"service", "hours", "year", "before", "notice", "certification"} & set(ids(place))


def test_every_question_says_why_and_none_asks_for_a_diagnosis() -> None:
    asking = re.compile(r"diagnos|symptom|which illness|what illness|disease", re.I)
    for step in REQUEST.steps:
        if step.kind is not StepKind.QUESTION:
            continue
        assert step.why, step.id
        labels = " ".join(f"{hint.label} {hint.help}" for hint in step.hints.values())
        assert not asking.search(f"{step.title} {labels} {' '.join(step.model.model_fields)}")


@given(
    st.sampled_from(["family_care", "own_health", "pregnancy_disability", "military_caregiver"]),
    st.sampled_from(list(Relation)),
    st.none() | st.integers(0, 200),
    st.sampled_from(["yes", "no", "unknown"]),
)
def test_any_answers_lead_to_an_outcome(
    reason: str, relation: Relation, employees: int | None, yes_no: str
) -> None:
    place = walked(
        CARE,
        reason={"reason": reason},
        other_reason={"otherReason": "school"},
        who={"relation": relation.value},
        child_age={"childIsAdult": yes_no},
        child_care={"childNeedsCare": yes_no},
        designated={"designatedPersonNamed": yes_no},
        need={"medicalNeed": yes_no},
        line_of_duty={"lineOfDuty": yes_no},
        next_of_kin={"nextOfKin": yes_no},
        veteran={"veteran": yes_no},
        discharge={"dischargedOn": "2024-01-05"},
        near_fifty={"weeksWith50": employees},
        arrival={},
        spouse={"spouseSameEmployer": yes_no},
        spouse_leave={"spouseEligible": yes_no},
        employer={"publicEmployer": False, "employees": employees},
        site={"employeesWithin75Miles": employees},
    )
    assert place.is_done
    assert REQUEST.outcome(place.answers).rules
