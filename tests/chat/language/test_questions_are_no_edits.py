"""A question with typing errors stays a question, and a verb is not taken for a value."""

from __future__ import annotations

import pytest

from chat.record_views import CHAT, record_view
from whence.chat.language.intents import Intent
from whence.chat.language.question_words import correct_question_words
from whence.chat.language.understanding import understand


@pytest.mark.parametrize(
    "text",
    [
        "waht is the price",
        "waht is teh foor price",
        "hwat's the price",
        "wich price did you find",
        "hwo much is the price",
        "hi, wehn was the price set",
        "so wher does the price come from",
        "woudl a price of 40 sell",
    ],
)
def test_a_question_word_with_a_slip_begins_a_question(text: str) -> None:
    reading = understand(text, CHAT, record_view())
    assert (reading.intent, reading.changes, reading.refusal) == (Intent.QUESTION, (), None)


@pytest.mark.parametrize(
    "text",
    [
        "set the title to Wich Radio",
        "here is the price: 40",
        "were it new I would ask 40",
        "set the note to “waht a lamp”",
    ],
)
def test_what_begins_no_clause_and_what_is_a_word_of_its_own_stays(text: str) -> None:
    assert correct_question_words(text) == text


@pytest.mark.parametrize("text", ["mark it good", "mark it good, a neighbour picked it up"])
def test_a_choice_is_still_one(text: str) -> None:
    changes = understand(text, CHAT, record_view(condition="new")).changes
    assert [(each.field, each.value) for each in changes] == [("condition", "good")]
