"""Answers by rules carry what they rest on; only questions and not-knowing go without."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from whence.chat.citing.composing import topic_of
from whence.chat.record_view import RecordView
from whence.packs.leave.chat import by_law, provision_answers, rules, supposing, topics
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.eligibility.limits import ADVICE
from whence.packs.leave.eligibility.words import LAWS
from whence.packs.leave.evals import SCENARIOS
from whence.packs.leave.evals.scenarios import read_scenarios
from whence.packs.leave.records import LeaveRequest
from whence.sdk.chat import ByRule, Statement

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]
WITHOUT = {
    rules.NOT_HERE,
    rules.COVERED,
    "The rules I have do not cover that: taxes. Ask a tax adviser.",
    supposing.SUPPOSABLE,
    supposing.NOTHING_CHANGED,
    topics.NO_DIAGNOSIS,
    provision_answers.BENEFITS,
    provision_answers.DRAFTS,
    *(by_law.NOTHING.format(law=name) for name in LAWS.values()),
    ADVICE,
}
"""What is no fact of a request or a law: limits, a question, a promise, a plea."""


def answer_to(view: RecordView, question: str) -> list[Statement]:
    topic = topic_of(CHAT, question)
    assert topic is not None
    return list(topic.answer(view, question))


def test_every_sentence_of_every_answer_carries_what_it_rests_on(look_at: LookAt) -> None:
    for scenario in read_scenarios(SCENARIOS)[::7]:
        view = look_at(scenario.request)
        for topic in CHAT.topics:
            bare = {answer.text for answer in topic.answer(view, topic.example) if not answer.by}
            assert bare <= WITHOUT, f"{scenario.name}: {topic.name}"


@pytest.mark.parametrize(
    ("changes", "question", "says", "section"),
    [
        ({}, "What would change the answer under the FMLA?", "No rule rules out", "825.110"),
        ({"employees": 4, "employees_within_75_miles": 4}, "By when is notice due?",
         "No date applies under CFRA", "11087"),
        ({"employees": 4, "employees_within_75_miles": 4}, "When is the certification due?",
         "No certification is due under FMLA", "825.104"),
        ({}, "What is missing to tell?", "Nothing is missing for FMLA", "825.110"),
        ({}, "Must the doctor tell the diagnosis?", "the diagnosis need not be", "11091"),
    ],
)  # fmt: skip
def test_that_something_is_not_so_is_said_with_the_rules_that_say_it(
    a_request: NewRequest,
    look_at: LookAt,
    changes: dict[str, int],
    question: str,
    says: str,
    section: str,
) -> None:
    text = [one for one in answer_to(look_at(a_request(**changes)), question) if says in one.text]
    assert text
    cited = [by.title for by in text[0].by if isinstance(by, ByRule)]
    assert any(section in title for title in cited), cited


def test_a_spouse_at_the_employer_is_asked_about_and_told_with_the_section(
    a_request: NewRequest, look_at: LookAt
) -> None:
    request = a_request(
        reason="bonding_birth",
        child_arrives_on="2026-02-10",
        spouse_same_employer=True,
        spouse_eligible=True,
        weeks_of_both=9,
    )
    text = answer_to(look_at(request), "My wife works here too, do we have to share the weeks?")
    [limit] = [one for one in text if "limit both to 12 weeks" in one.text]
    assert any("825.201(b)" in by.title for by in limit.by if isinstance(by, ByRule))
    assert any("leaves 3 weeks for this leave" in one.text for one in text)


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("When was it researched?", "history"),
        ("when did you last look into this", "history"),
        ("What has changed since the research?", "history"),
        ("Which version of the rules was used?", "history"),
        ("When were the rules last checked?", "sources"),
        ("By when is notice due?", "dates"),
        ("When is the return?", "dates"),
    ],
)
def test_when_it_was_researched_is_no_question_on_dates(question: str, topic: str) -> None:
    result = topic_of(CHAT, question)
    assert result is not None
    assert result.name == topic
