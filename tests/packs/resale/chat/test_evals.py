"""The evaluations that ship with the pack hold on the data that ship with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whence.kernel.errors import Invalid
from whence.packs.resale import pack
from whence.packs.resale.evals.answers import QUESTIONS, answers, read_questions
from whence.packs.resale.evals.messages import SETS, intents
from whence.packs.resale.evals.requests import requests

SAMPLE = pack.FOLDER / "sample"
LEAST_ACCURACY = 0.90
"""Share of messages that lead to the right proposal, answer or research without a model."""
LEAST_LABELS = 0.85


def test_messages_are_read_as_their_writers_want_by_rules() -> None:
    report = intents(SAMPLE)["held out"]
    assert report.n == 35
    assert report.accuracy >= LEAST_LABELS, report.figures()


@pytest.mark.parametrize(
    ("name", "n"),
    [
        ("tuning", 79),
        ("fresh", 40),
        ("second", 36),
        ("third", 17),
        ("fourth", 17),
        ("fifth", 38),
        ("sixth", 24),
    ],
)
def test_everyday_messages_lead_to_what_their_writers_want(name: str, n: int) -> None:
    report = requests(SAMPLE)[name]
    assert report.n == n
    assert report.right / n >= LEAST_ACCURACY, report.figures()


def test_every_sentence_of_forty_answers_is_carried_by_what_contains_its_figures() -> None:
    report = answers(SAMPLE)
    assert (report.questions, report.answered) == (40, 40)
    assert (report.uncited_factual, report.unsupported, report.removed) == (0, 0, 0)
    assert report.right_topic == 1.0
    assert report.cited >= 150
    assert (report.items, report.unsupported_claims) == (4, 0)


def test_a_mistake_is_counted_by_what_was_wanted_and_what_was_read(tmp_path: Path) -> None:
    rows = [
        {"text": "What is it worth?", "intent": "research"},
        {"text": "What is it worth?", "intent": "question"},
    ]
    for name in SETS:
        (tmp_path / SETS[name]).write_text("\n".join(json.dumps(row) for row in rows))
        assert intents(tmp_path)[name].figures() == {
            "accuracy": 0.5,
            "n": 2,
            "question": "1 of 1",
            "research": "0 of 1",
            "research read as question": 1,
        }
    assert list(intents(tmp_path)) == list(SETS)


@pytest.mark.parametrize("line", ["", "{", '{"text": "x"}', '{"text": "x", "intent": "wish"}'])
def test_a_line_that_is_no_message_is_refused_by_its_place(tmp_path: Path, line: str) -> None:
    (tmp_path / SETS["held out"]).write_text(line)
    with pytest.raises(Invalid, match=SETS["held out"]):
        intents(tmp_path)
    with pytest.raises(Invalid):
        intents(tmp_path / "nowhere")


def test_a_question_on_no_topic_is_refused(tmp_path: Path) -> None:
    path = tmp_path / QUESTIONS
    path.write_text(json.dumps({"item": "HP-001", "text": "Why?", "topic": "weather"}))
    with pytest.raises(Invalid, match="weather"):
        list(read_questions(path))
