"""Answers say what was asked: demand for demand, a place for an amount, a draft for a draft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from whence.chat.citing.composing import topics_of
from whence.chat.language.intents import Intent
from whence.chat.language.understanding import understand
from whence.packs.resale.chat.offer import CHAT
from whence.packs.resale.evals.requests import view
from whence.sdk.chat import RecordView
from whence.sdk.testing import answer_by_rules


def topics(question: str) -> list[str]:
    return [topic.name for topic in topics_of(CHAT, question)]


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Why is demand low?", "demand"),
        ("why are the fees so high", "selling"),
        ("Why this price?", "comparables"),
        ("why is the price so low", "comparables"),
        ("is 145 obo too greedy", "price"),
        ("Write me a listing description.", "draft"),
        ("draft an ad for it", "draft"),
    ],
)
def test_the_topic_is_the_one_that_was_asked_for(question: str, topic: str) -> None:
    assert topics(question) == [topic]


def test_an_amount_in_a_question_is_placed_in_the_range_first(
    looks: Mapping[str, RecordView],
) -> None:
    answer = answer_by_rules(CHAT, looks["HP-001"], "is 9999 obo too greedy")
    assert answer.text.startswith("Yes, that price is above the range [1]")


def test_a_draft_is_marked_as_one_and_states_only_what_it_cites(
    looks: Mapping[str, RecordView],
) -> None:
    answer = answer_by_rules(CHAT, looks["HP-001"], "Write me a listing description.")
    assert answer.text.startswith("Draft of a listing, to be checked before you use it:")
    assert (answer.uncited, answer.unsupported) == ((), ())
    assert answer.references


def test_a_request_for_a_draft_is_no_change_without_a_value() -> None:
    assert understand("Write me a listing description", CHAT, view()).intent is Intent.QUESTION
    change = understand("write the description: no box", CHAT, view())
    assert [(each.field, each.value) for each in change.changes] == [("description", "no box")]


def test_an_attribute_is_set_beside_the_others_and_keeps_them() -> None:
    record = view().record.model_copy(update={"attributes": {"size": "L"}})
    changed = understand("set the colour to red", CHAT, _with(record))
    assert [each.value for each in changed.changes] == [{"size": "L", "colour": "red"}]


def _with(record: Any) -> RecordView:
    return replace(view(), record=record)
