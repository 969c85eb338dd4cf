"""Answers by rules on a leave request: every sentence with a figure has a source that has it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby, product
from operator import itemgetter

import pytest

from whence.chat.citing.composing import compose, topic_of
from whence.chat.citing.grounding import Grounded, Grounding
from whence.chat.citing.sources import SourceBook
from whence.chat.record_view import RecordView
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.evals import SCENARIOS
from whence.packs.leave.evals.scenarios import read_scenarios
from whence.packs.leave.records import LeaveRequest

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]


def answered(view: RecordView, question: str) -> Grounded:
    book = SourceBook()
    grounding = Grounding(book)
    grounding.feed(compose(CHAT, view, question, book))
    grounding.end()
    return grounding.result()


@pytest.mark.parametrize("topic", CHAT.topics, ids=lambda topic: topic.name)
def test_each_topic_is_asked_for_by_its_example(topic: object) -> None:
    result = topic_of(CHAT, getattr(topic, "example"))  # noqa: B009
    assert result is topic


@pytest.mark.parametrize("one_of", [29, pytest.param(1, marks=pytest.mark.long)])
def test_every_figure_of_every_answer_stands_in_a_cited_source(
    look_at: LookAt, one_of: int
) -> None:
    """Of a day's answers, one of 29: each scenario and each topic is among them."""
    scenarios = list(read_scenarios(SCENARIOS))
    pairs = list(product(scenarios, CHAT.topics))[::one_of]
    assert len({scenario.name for scenario, _ in pairs}) == len(scenarios)
    assert {topic.name for _, topic in pairs} == {topic.name for topic in CHAT.topics}
    for scenario, of_scenario in groupby(pairs, key=itemgetter(0)):
        view = look_at(scenario.request)
        for _, topic in of_scenario:
            answer = answered(view, topic.example)
            where = f"{scenario.name}: {topic.name}"
            assert (answer.removed, answer.uncited, answer.unsupported) == (0, (), ()), where


def test_it_says_appears_and_cites_the_section(a_request: NewRequest, look_at: LookAt) -> None:
    answer = answered(look_at(a_request()), "Is she eligible under the FMLA?")
    assert "appears eligible" in answer.text
    titles = [reference.source.title for reference in answer.references]
    assert any("29 CFR 825.110" in title for title in titles)


def test_what_is_unknown_is_said_to_be(a_request: NewRequest, look_at: LookAt) -> None:
    view = look_at(a_request(hours_last_12_months=None))
    assert "cannot be determined yet" in answered(view, "Is she eligible under CFRA?").text
    assert "hours worked" in answered(view, "What is missing?").text


def test_a_question_on_the_rules_is_answered_from_the_rule_data(
    a_request: NewRequest, look_at: LookAt
) -> None:
    answer = answered(look_at(a_request()), "What does CFRA say about a designated person?")
    assert "Gov. Code 12945.2" in answer.text
    assert "one in 12 months" in answer.text


def test_what_the_rules_do_not_cover_is_said(a_request: NewRequest, look_at: LookAt) -> None:
    answer = answered(look_at(a_request()), "How is it taxed?")
    assert "The rules I have do not cover that" in answer.text
    assert not answer.references


def test_no_answer_asks_for_a_diagnosis(a_request: NewRequest, look_at: LookAt) -> None:
    answer = answered(look_at(a_request()), "Does the doctor have to tell the diagnosis?")
    assert "do not tell me a diagnosis" in answer.text
