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
