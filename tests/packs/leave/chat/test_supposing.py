"""What-if questions without a model: what is supposed, what would follow, and nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from whence.chat.citing.composing import topic_of
from whence.chat.language.intents import Intent, intent_of
from whence.chat.record_view import RecordView
from whence.packs.leave.chat.doubtful_figures import doubtful_figure
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.chat.supposed_facts import supposed_in
from whence.packs.leave.chat.supposing import SUPPOSABLE, what_if
from whence.packs.leave.records import LeaveRequest, Relation

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("What if she had worked 1300 hours?", {"hours_last_12_months": 1300}),
    (
        "what if she had worked 1,249.5 hours in the last 12 months",
        {"hours_last_12_months": 1249.5},
    ),
    ("Suppose he worked 20 hours a week.", {"weekly_hours": 20}),
    ("Would it help if there were 50 employees near the site?", {"employees_within_75_miles": 50}),
    ("What if the employer had 4 employees?", {"employees": 4}),
    ("What if she worked outside California?", {"works_in_california": False}),
    ("If it were for her mother-in-law, would CFRA apply?", {"relation": Relation.PARENT_IN_LAW}),
    ("What if it was for his sister?", {"relation": Relation.SIBLING}),
    ("What if it is for a friend?", {"relation": Relation.OTHER}),
    ("What if she was hired on 2025-03-02?", {"hired_on": date(2025, 3, 2)}),
    (
        "What if she had exactly 12 months of service?",
        {"hired_on": date(2025, 3, 2), "earlier_service_months": 0},
    ),
    (
        "What if she had worked there for more than 12 months?",
        {"hired_on": date(2025, 3, 1), "earlier_service_months": 0},
    ),
    (
        "What if the leave started on April 1, 2026?",
        {"starts_on": date(2026, 4, 1), "ends_on": date(2026, 5, 10)},
    ),
    ("What if she gave notice on 2026-02-27?", {"notice_given_on": date(2026, 2, 27)}),
]


@pytest.mark.parametrize(("question", "facts"), QUESTIONS, ids=lambda one: str(one)[:40])
def test_the_supposed_facts_are_read(
    question: str, facts: dict[str, Any], a_request: NewRequest
) -> None:
    assert supposed_in(question, a_request()) == facts
    topic = topic_of(CHAT, question)
    assert topic is not None
    assert topic.name == "what_if"
    assert intent_of(question, CHAT) is Intent.QUESTION


def test_what_would_follow_is_told_with_the_rule(a_request: NewRequest, look_at: LookAt) -> None:
    view = look_at(a_request(hours_last_12_months=1100))
    answer = what_if(view, "What if she had worked 1,300 hours?")
    words = " ".join(one.text for one in answer)
    assert "appears eligible for leave under FMLA" in words
    assert "1,300 hours; met, before: not met" in words
    assert "The request itself is unchanged" in words
    assert view.record == a_request(hours_last_12_months=1100)


def test_only_the_law_that_is_named_is_told(a_request: NewRequest, look_at: LookAt) -> None:
    view = look_at(a_request())
    words = " ".join(one.text for one in what_if(view, "What if she had 40 hours, under CFRA?"))
    assert "CFRA" in words
    assert "FMLA" not in words


@pytest.mark.parametrize("question", ["What if the moon fell down?", "What if it rains?"])
def test_a_fact_that_cannot_be_read_is_asked_for(
    question: str, a_request: NewRequest, look_at: LookAt
) -> None:
    [answer] = what_if(look_at(a_request()), question)
    assert answer.text == SUPPOSABLE


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What if she had worked -5 hours?", "“-5 hours”"),
        ("What if she had worked minus 5 hours?", "“minus 5 hours”"),
        ("What if she had worked 1e400 hours?", "“1e400 hours”"),
        ("What if she had worked 1e400 hours and it were for her dog?", "“1e400 hours”"),
        ("What if she had worked about 2000 hours less?", "“2000 hours less”"),
        ("What if she had worked 200 more hours?", "“200 more hours”"),
        ("What if she had worked another 200 hours?", "“another 200 hours”"),
        ("What if she had not worked 1,300 hours?", "“not worked 1,300 hours”"),
        ("What if she hadn't worked 1,300 hours?", "“hadn't worked 1,300 hours”"),
        ("What if she had worked less than 1,250 hours?", "“less than 1,250 hours”"),
        ("What if there were no more than 49 employees?", "“no more than 49 employees”"),
        ("What if she worked 10 to 20 hours a week?", "“10 to 20 hours”"),
        ("What if she had worked 1 300 hours?", "“1 300 hours”"),
        ("What if it were not for her mother?", "“not for her mother”"),
    ],
)
def test_a_figure_that_is_not_plain_is_not_read_as_one(
    question: str, words: str, a_request: NewRequest, look_at: LookAt
) -> None:
    [answer] = what_if(look_at(a_request()), question)
    assert answer.text.startswith(f"I cannot take {words} as it is. Name what you assume")


@pytest.mark.parametrize(
    "question",
    [
        *(question for question, _ in QUESTIONS),
        "Would he not be eligible if he had worked 1,300 hours?",
        "What if she worked 1,300 hours and not in California?",
    ],
)
def test_plain_figures_are_taken(question: str) -> None:
    assert doubtful_figure(question) is None


def test_a_fact_that_cannot_be_is_refused_in_words(a_request: NewRequest, look_at: LookAt) -> None:
    [answer] = what_if(look_at(a_request()), "What if he worked 900 hours a week?")
    assert answer.text.startswith("That cannot be supposed: weekly_hours")
