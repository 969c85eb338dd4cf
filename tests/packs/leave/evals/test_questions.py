"""Questions in new words are answered from the right rule, refused, and never taken for changes."""

from __future__ import annotations

import pytest

from whence.packs.leave.evals import MESSAGES
from whence.packs.leave.evals.questions import QuestionsReport, questions

QUESTIONS, COVERED = 60, 48


@pytest.fixture(scope="module")
def reports() -> dict[str, QuestionsReport]:
    return dict(questions(MESSAGES))


@pytest.mark.parametrize(("name", "least"), [("first", 0.9), ("second", 0.9), ("third", 0.8)])
def test_questions_in_new_words_are_answered_from_the_right_rule_or_refused(
    reports: dict[str, QuestionsReport], name: str, least: float
) -> None:
    report = reports[name]
    assert (report.n, report.answerable) == (QUESTIONS, COVERED)
    assert report.right / QUESTIONS >= least, report.figures()


@pytest.mark.parametrize("name", ["first", "second", "third"])
def test_no_question_is_taken_for_a_change_and_no_fact_lacks_its_source(
    reports: dict[str, QuestionsReport], name: str
) -> None:
    assert reports[name].taken_for_other == 0
    assert reports[name].uncited == 0
