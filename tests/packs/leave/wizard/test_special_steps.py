"""Questions that few requests need: asked only where they can decide, and never concluded past."""

from __future__ import annotations

from typing import Any

import pytest

from packs.leave.wizard.test_request_wizard import CARE, ids, walked
from whence.packs.leave.records import LeaveRequest, OpenFact
from whence.packs.leave.wizard.definition import REQUEST

Values = dict[str, Any]
OWN: dict[str, Values] = {**CARE, "reason": {"reason": "own_health"}, "site": {
    "employeesWithin75Miles": 80
}}  # fmt: skip
CAREGIVER: dict[str, Values] = {
    **OWN,
    "reason": {"reason": "military_caregiver"},
    "line_of_duty": {"lineOfDuty": "yes"},
    "veteran": {"veteran": "no"},
}
SPECIAL = {
    "next_of_kin", "veteran", "discharge", "exigency", "placement", "federal", "joint", "teaching",
    "near_fifty", "service_break", "hours_credit", "crew", "pregnancy_hours", "short_bonding",
    "holidays",
}  # fmt: skip


def test_an_ordinary_request_is_asked_none_of_them() -> None:
    place = walked(OWN)
    assert place.is_done
    assert not SPECIAL & set(ids(place))


@pytest.mark.parametrize(
    ("changed", "step"),
    [
        ({"hours": {"hoursLast12Months": 900, "weeklyHours": 40}}, "hours_credit"),
        ({"service": {"hiredOn": "2025-06-01", "earlierServiceMonths": 9}}, "service_break"),
        ({"employer": {"publicEmployer": False, "employees": 60}}, "near_fifty"),
        ({"employer": {"publicEmployer": False, "employees": 300, "kinds": ["school"]}},
         "teaching"),
        ({"employer": {"publicEmployer": False, "employees": 300, "kinds": ["joint_employer"]}},
         "joint"),
        ({"employer": {"publicEmployer": True, "employees": 300, "kinds": ["federal_employer"]}},
         "federal"),
        ({"dates": {"startsOn": "2026-09-07", "endsOn": "2026-09-08"}}, "holidays"),
    ],
)  # fmt: skip
def test_it_is_asked_where_it_can_decide(changed: dict[str, Values], step: str) -> None:
    assert step in ids(walked(OWN, **changed))


@pytest.mark.parametrize(
    ("relation", "asks"), [("sibling", True), ("grandchild", True), ("spouse", False)]
)
def test_next_of_kin_is_asked_of_a_relative_who_may_be_one(relation: str, asks: bool) -> None:
    place = walked(CAREGIVER, who={"relation": relation})
    assert ("next_of_kin" in ids(place)) is asks


def test_bonding_of_a_week_asks_how_often_before() -> None:
    changed = {
        "reason": {"reason": "bonding_birth"},
        "arrival": {"childArrivesOn": "2026-02-10"},
        "spouse": {"spouseSameEmployer": "no"},
    }
    week = {"dates": {"startsOn": "2026-03-02", "endsOn": "2026-03-06"}}
    assert "short_bonding" in ids(walked(OWN, **changed, **week))
    assert "short_bonding" not in ids(walked(OWN, **changed))


def test_what_is_not_known_is_kept_and_not_concluded_on() -> None:
    few = {"hours": {"hoursLast12Months": 900, "weeklyHours": 40}}
    place = walked(OWN, **few, hours_credit={"militaryHours": 0, "flightCrew": "unknown"})
    assert place.is_done
    outcome = REQUEST.outcome(place.answers)
    assert outcome.title == "Cannot be determined yet for FMLA and CFRA"
    assert "whether the employee is airline flight crew" in outcome.text
    assert REQUEST.fill is not None
    written = REQUEST.fill(place.answers)
    assert isinstance(written, LeaveRequest)
    assert written.not_known == [OpenFact.FLIGHT_CREW]


def test_what_is_known_decides() -> None:
    few = {"hours": {"hoursLast12Months": 900, "weeklyHours": 40}}
    no = walked(OWN, **few, hours_credit={"militaryHours": 0, "flightCrew": "no"})
    assert REQUEST.outcome(no.answers).title == "Does not appear eligible under these laws"
    served = walked(OWN, **few, hours_credit={"militaryHours": 400, "flightCrew": "no"})
    assert REQUEST.outcome(served.answers).title == "Appears eligible under FMLA and CFRA"


def test_a_special_employer_is_written_and_is_known_again() -> None:
    kinds = {"publicEmployer": False, "employees": 300, "kinds": ["school"]}
    place = walked(OWN, employer=kinds, teaching={"teacher": "no"})
    assert REQUEST.fill is not None
    written = REQUEST.fill(place.answers)
    assert isinstance(written, LeaveRequest)
    assert (written.school, written.federal_employer, written.teacher) == (True, False, False)


def test_every_outcome_says_what_it_is_not_and_whom_to_ask() -> None:
    text = REQUEST.outcome(walked(OWN).answers).text
    assert "This is not legal advice. The employer decides." in text
    assert "Not checked: " in text
    assert "Wage and Hour Division of the U.S. Department of Labor" in text
    assert "Civil Rights Department" in text
    nevada = walked(OWN, place={"worksInCalifornia": "no"})
    assert "Civil Rights Department" not in REQUEST.outcome(nevada.answers).text
