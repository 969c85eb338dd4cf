"""Whoever is no relative of CFRA may be a designated person: the answer says so, and never `no`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from packs.leave.chat.test_answers import answered
from whence.chat.record_view import RecordView
from whence.packs.leave.as_written import relation_in
from whence.packs.leave.records import LeaveRequest

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]
CARE = {
    "reason": "family_care",
    "relation": "parent",
    "employees": 30,
    "employees_within_75_miles": 30,
}


@pytest.mark.parametrize(
    "question",
    [
        "what if it were for my cousin?",
        "what about her best friend?",
        "What about an aunt?",
        "What if it's for her girlfriend",
        "if it were for his brother-in-law, would CFRA apply?",
        "What if it was for her ex-husband?",
        "suppose it is for my sister's son",
        "and what about my neighbor?",
        "What if the leave is for her great-grandmother?",
        "How about his godmother?",
    ],
)
def test_somebody_else_may_be_the_designated_person(
    question: str, a_request: NewRequest, look_at: LookAt
) -> None:
    text = answered(look_at(a_request(**CARE)), question).text
    assert "does not appear eligible under CFRA" not in text
    assert "Kinship alone does not meet it" in text
    assert "whether the employee names this person as designated person" in text


@pytest.mark.parametrize(
    "facts",
    [
        {"reason": "own_health"},
        {"reason": "pregnancy_disability", "child_arrives_on": "2026-04-20"},
        {"reason": "bonding_birth", "child_arrives_on": "2026-02-01"},
    ],
)
def test_leave_for_somebody_is_supposed_to_be_for_their_care(
    facts: dict[str, str], a_request: NewRequest, look_at: LookAt
) -> None:
    view = look_at(a_request(**facts))
    cousin = answered(view, "what if it were for my cousin?").text
    assert "Assuming the leave is to care for somebody else" in cousin
    assert "does not appear eligible under FMLA: family member" in cousin
    assert "Kinship alone does not meet it" in cousin
    mother = answered(view, "what if it were for my mother?").text
    assert "whether a health care provider confirms the need for leave" in mother
    assert "appears eligible for leave under California pregnancy" not in mother


def test_before_2023_nobody_could_be_designated(a_request: NewRequest, look_at: LookAt) -> None:
    days = {"starts_on": "2022-03-01", "ends_on": "2022-04-08", "hired_on": "2018-01-15"}
    text = answered(look_at(a_request(**CARE, **days)), "what if it were for my cousin?").text
    assert "does not appear eligible under CFRA" in text
    assert "in 2023 or later is also for a designated person" in text


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("for my wife's mother", "parent_in_law"),
        ("her husband’s son", "child"),
        ("my mother's mother", "grandparent"),
        ("my dad's brother", "other"),
        ("my sister's son", "other"),
        ("her friend's baby", "other"),
        ("his daughter-in-law", "other"),
        ("my daughter's 3-year-old kid", "grandchild"),
        ("the ex-wife", "other"),
        ("a stepbrother", "sibling"),
        ("my parents", "parent"),
        ("the company", None),
    ],
)
def test_the_relation_of_a_relative_is_read(text: str, relation: str | None) -> None:
    assert relation_in(text) == relation
