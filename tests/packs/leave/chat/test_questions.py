"""What people ask beside eligibility: answered from cited rules, refused by name, never an edit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from packs.leave.chat.test_answers import answered
from whence.chat.citing.composing import topic_of
from whence.chat.record_view import RecordView
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.records import LeaveRequest
from whence.sdk.chat import Intent, intent_of

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]


@pytest.mark.parametrize(
    ("question", "topic", "section"),
    [
        ("What is FMLA?", "definition", "825.100"),
        ("What does CFRA mean?", "definition", "12945.2"),
        ("what's PDL", "definition", "12945"),
        ("Is the leave paid?", "pay", "825.207"),
        ("Can the employer make me use my vacation first?", "pay", "11092"),
        ("Do I have to use my sick days?", "pay", "11092"),
        ("Does my health insurance continue?", "health", "825.209"),
        ("What if I pay the premium late?", "what_if", ""),
        ("My premium is late, can they drop my coverage?", "health", "825.212"),
        ("What must be in the rights and responsibilities notice?", "rights", "825.300(c)"),
        ("Can they demand a fitness-for-duty certificate?", "fitness", "825.312"),
        ("How often may they ask for recertification?", "recertification", "825.308"),
        ("Can my employer demand a second opinion?", "opinion", "825.307"),
        ("What is the smallest increment I can take?", "increments", "825.205"),
        ("Can I take leave by the hour?", "increments", "825.205"),
        ("What types of exigency are there?", "exigency", "825.126"),
        ("Can I be transferred to another job during the leave?", "accommodation", "825.204"),
        ("Can they retaliate against me?", "retaliation", "825.220"),
        ("Will I be fired for this?", "retaliation", "825.220"),
        ("Who can I complain to?", "agencies", ""),
        ("Please draft the designation letter", "letters", "825.300"),
    ],
)
def test_it_is_answered_from_the_rule_with_its_section(
    a_request: NewRequest, look_at: LookAt, question: str, topic: str, section: str
) -> None:
    chosen = topic_of(CHAT, question)
    assert chosen is not None
    assert chosen.name == topic
    if section:
        answer = answered(look_at(a_request()), question)
        titles = " ".join(reference.source.title for reference in answer.references)
        assert section in titles
        assert (answer.removed, answer.uncited, answer.unsupported) == (0, (), ())


@pytest.mark.parametrize(
    "question",
    [
        "Can I use my vacation instead of unpaid leave?",
        "Does the first day have to be a Monday?",
        "Is the end date important for the health insurance?",
        "How often may they ask for recertification?",
        "Can she be transferred to lighter work?",
        "What happens if the start date changes to June 3?",
        "Will the hours worked count if she was on sick leave?",
        "Does a relation by marriage count?",
        "Could the notice date be before the due date?",
        "What is the hire date used for?",
        "Can they fire me for taking leave?",
    ],
)
def test_a_question_is_never_taken_for_a_change(question: str) -> None:
    assert intent_of(question, CHAT) is Intent.QUESTION


@pytest.mark.parametrize(
    "question",
    [
        "What does the law of New York say?",
        "Is the money taxed?",
        "Can I sue them?",
        "Do I get unemployment afterwards?",
    ],
)
def test_what_is_lacking_is_refused(a_request: NewRequest, look_at: LookAt, question: str) -> None:
    answer = answered(look_at(a_request()), question)
    assert "The rules I have do not cover that" in answer.text
    assert not answer.references


def test_pregnancy_leave_answers_for_itself(a_request: NewRequest, look_at: LookAt) -> None:
    view = look_at(a_request(reason="pregnancy_disability", child_arrives_on="2026-05-01"))
    answer = answered(view, "Must she use her vacation during the leave?")
    assert "2 CCR 11044(a)-(b)" in answer.text
    assert "used only if the employee chooses to" in answer.text


def test_an_answer_that_is_overdue_says_so(a_request: NewRequest, look_at: LookAt) -> None:
    view = look_at(a_request(foreseeable=True, notice_given_on="2026-01-12"))
    text = answered(view, "By when does the employer have to respond?").text
    assert "it is overdue since January 20, 2026" in text  # five business days, a holiday passed
