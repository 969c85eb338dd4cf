"""Days that people tell without naming a field."""

from __future__ import annotations

import pytest

from whence.chat.language.intents import Intent
from whence.chat.language.understanding import Understanding, understand
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.evals.requests import view


def read(text: str) -> Understanding:
    return understand(text, CHAT, view())


@pytest.mark.parametrize(
    ("text", "field", "day"),
    [
        ("she comes back June 14 now", "ends_on", "2027-06-13"),
        ("he returns to work on 2027-06-01", "ends_on", "2027-05-31"),
        ("baby came early, Feb 2", "child_arrives_on", "2027-02-02"),
        ("the twins were born on February 3", "child_arrives_on", "2027-02-03"),
        ("she gave us the doctors note on feb 8", "certification_given_on", "2027-02-08"),
        ("the certification came in on February 9", "certification_given_on", "2027-02-09"),
    ],
)
def test_a_told_day_is_the_day_of_what_is_told(text: str, field: str, day: str) -> None:
    changes = {each.field: each.value for each in read(text).changes}
    assert changes == {field: day}


@pytest.mark.parametrize(
    ("text", "day"),
    [("she wants 2 more weeks after", "2027-06-06"), ("one more month", "2027-06-23")],
)
def test_more_weeks_move_the_last_day(text: str, day: str) -> None:
    assert {each.field: each.value for each in read(text).changes} == {"ends_on": day}


def test_a_day_without_its_field_is_asked_back_about_days_only() -> None:
    reading = read("put it down as march 9")
    assert reading.refusal is not None
    assert "first day" in str(reading.refusal)
    assert "hours" not in str(reading.refusal)


@pytest.mark.parametrize(
    "text",
    ["can we say no to this", "when is she back, june 3?", "she was late telling us wasnt she"],
)
def test_a_question_in_other_words_is_no_edit(text: str) -> None:
    reading = read(text)
    assert (reading.intent, list(reading.changes)) == (Intent.QUESTION, [])
