"""Questions about the request's own days: notice in time or late, and when leave is used up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from whence.chat.record_view import RecordView
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.records import LeaveRequest
from whence.sdk.requests import understand
from whence.sdk.testing import answer_by_rules

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]
NOTICE = {"foreseeable": True, "need_known_on": date(2025, 12, 1)}
PREGNANT = {
    "reason": "pregnancy_disability",
    "child_arrives_on": date(2026, 4, 1),
    "ends_on": date(2026, 5, 1),
}


def answer(view: RecordView, question: str) -> str:
    return answer_by_rules(CHAT, view, question).text


@pytest.mark.parametrize(
    "question",
    [
        "did she tell us too late",
        "was the heads up early enough",
        "she was late telling us wasnt she",
    ],
)
def test_whether_notice_was_late_is_told_from_its_day(
    a_request: NewRequest, look_at: LookAt, question: str
) -> None:
    in_time = look_at(a_request(**NOTICE, notice_given_on=date(2026, 1, 12)))
    late = look_at(a_request(**NOTICE, notice_given_on=date(2026, 2, 20)))
    assert "So it was in time" in answer(in_time, question)
    assert "10 days before the leave" in answer(late, question)
    assert "It came later" in answer(late, question)
    assert "in time" not in answer(late, question)


@pytest.mark.parametrize(
    "question",
    [
        "does the fmla part run out before the baby comes",
        "when does the fmla run out, before birth?",
    ],
)
def test_when_leave_is_used_up_is_told_beside_the_birth(
    a_request: NewRequest, look_at: LookAt, question: str
) -> None:
    told = answer(look_at(a_request(**PREGNANT)), question)
    assert "FMLA would last up to May 22, 2026" in told
    assert "The child is stated for April 1, 2026, before that day" in told


def test_the_length_of_the_leave_is_told(a_request: NewRequest, look_at: LookAt) -> None:
    told = answer(look_at(a_request()), "how many weeks is that")
    assert "from March 2, 2026 to April 10, 2026, takes 6 weeks" in told


def test_what_the_employer_handed_out_was_asked_for_then(
    a_request: NewRequest, look_at: LookAt
) -> None:
    view = look_at(a_request())
    reading = understand("hr gave her the forms on 2/4", CHAT, view)
    assert [each.field for each in reading.changes] == ["certification_asked_on"]
    reading = understand("she gave hr the forms on 2/14", CHAT, view)
    assert [each.field for each in reading.changes] == ["certification_given_on"]


def test_who_goes_earlier_starts_earlier(a_request: NewRequest, look_at: LookAt) -> None:
    reading = understand("she wants to go 2 weeks earlier", CHAT, look_at(a_request()))
    assert {each.field: each.value for each in reading.changes} == {"starts_on": "2026-02-16"}


def test_hours_that_a_question_supposes_are_counted(a_request: NewRequest, look_at: LookAt) -> None:
    half = {"pattern": "reduced", "hours_off_per_week": 20}
    view = look_at(a_request(**half))
    asked = "how long will the 12 weeks of CFRA last"
    assert "If it went on as planned, CFRA would last up to August 14, 2026" in answer(view, asked)
    supposed = answer(view, f"at 40 hours off a week {asked}")
    assert "At 40 hours off a week, CFRA would last up to May 22, 2026" in supposed
