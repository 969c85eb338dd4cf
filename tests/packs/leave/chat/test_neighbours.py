"""What other laws or the employer decide is refused by name, with whom to ask."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from packs.leave.chat.test_answers import answered
from whence.chat.record_view import RecordView
from whence.packs.leave.records import LeaveRequest

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]


@pytest.mark.parametrize(
    ("question", "matter", "whom"),
    [
        ("can I cash out my pto", "Paying out vacation", "Labor Commissioner"),
        ("how many vacation days does she get a year", "How much vacation", "Labor Commissioner"),
        ("is she entitled to bereavement leave", "Bereavement leave", "Civil Rights Department"),
        ("what about jury duty", "Time off for jury duty", "Labor Commissioner"),
        ("do we have to pay overtime if others cover her shifts", "Wages, overtime", "Labor"),
        ("can she get unemployment while she is off", "unemployment benefits", "edd.ca.gov"),
        ("she wants a standing desk", "Equipment and other", "Civil Rights Department"),
        ("may she work from home instead", "Work from home", "human resources"),
        ("our New York employee needs leave, what applies there", "other states", "that state"),
        ("do we need to let her pump milk at work", "express milk", "Labor Commissioner"),
        ("can the dad take leave as well, he works elsewhere", "Another person's", "its own"),
    ],
)
def test_a_matter_of_another_law_is_refused_by_name_with_whom_to_ask(
    question: str, matter: str, whom: str, a_request: NewRequest, look_at: LookAt
) -> None:
    answer = answered(look_at(a_request()), question)
    first = answer.text.split(" They cover")[0]
    assert matter.lower() in first.lower()
    assert whom in first
    assert "The rules I have do not cover that" in first
    assert "They cover eligibility, how much leave" in answer.text
    assert not answer.references


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("Can I use my vacation instead of unpaid leave?", "825.207"),
        ("May my manager call my doctor?", "825.307"),
        ("what if the employer never answers, any penalty?", "825.300(e)"),
    ],
)
def test_what_the_rules_cover_is_not_refused_for_a_word_beside_it(
    question: str, section: str, a_request: NewRequest, look_at: LookAt
) -> None:
    assert section in answered(look_at(a_request()), question).text


def test_a_refusal_of_any_other_question_says_what_is_covered_and_whom_to_ask(
    a_request: NewRequest, look_at: LookAt
) -> None:
    text = answered(look_at(a_request()), "zorbly wombat frame?").text
    assert "They cover eligibility" in text
    assert "human resources" in text
