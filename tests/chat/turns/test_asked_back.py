"""A question back is remembered: the next message may be nothing but its answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.record_views import CHAT, record_view
from whence.chat.language.intents import Intent
from whence.chat.language.open_questions import OpenQuestion
from whence.chat.language.understanding import Understanding, understand

PRICED = replace(CHAT, amount_field="asking_price")


def talk(*messages: str, priced: bool = False) -> Understanding:
    """What the last of some messages asks for, after the questions back of those before."""
    question: OpenQuestion | None = None
    reading = Understanding(Intent.UNKNOWN)
    for message in messages:
        reading = understand(message, PRICED if priced else CHAT, record_view(), question)
        stored = reading.question.as_json() if reading.question else None
        question = OpenQuestion.from_json(stored) if stored else None
    return reading


def changed(reading: Understanding) -> dict[str, object]:
    return {each.field: each.value for each in reading.changes}


def test_a_bare_amount_asks_whether_the_field_for_amounts_is_meant_and_yes_is_enough() -> None:
    assert str(talk("145?", priced=True).refusal) == "Should the asking price be 145?"
    assert changed(talk("145?", "yes", priced=True)) == {"asking_price": 145}
    assert changed(talk("145?", "no", priced=True)) == {}


def test_without_such_a_field_the_chat_asks_which_one_and_its_name_is_enough() -> None:
    assert "Do you mean the asking price or the quantity" in str(talk("make it 145").refusal)
    assert changed(talk("make it 145", "the quantity")) == {"quantity": 145}
    assert changed(talk("make it 145", "price")) == {"asking_price": 145}


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (("change the price", "45"), {"asking_price": 45}),
        (("change the price", "to $45 please"), {"asking_price": 45}),
        (("the title is wrong", "Tall lamp"), {"title": "Tall lamp"}),
        (("lower the price", "10%"), {"asking_price": 45}),
        (("set the price to cheap", "45"), {"asking_price": 45}),
        (("set the price to 40", "no, 45"), {"asking_price": 45}),
    ],
)
def test_a_value_alone_answers_a_question_for_one(
    messages: tuple[str, ...], expected: dict[str, object]
) -> None:
    assert changed(talk(*messages)) == expected


def test_what_answers_something_else_is_read_for_itself() -> None:
    assert talk("change the price", "what is it worth?").intent is Intent.QUESTION
    assert talk("change the price", "research it again").intent is Intent.RESEARCH
    assert changed(talk("change the price", "set the quantity to 3")) == {"quantity": 3}
    assert changed(talk("set the price to 40", "thanks")) == {}
