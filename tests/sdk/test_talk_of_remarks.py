"""What the sample pack's chat about remarks shows: a bare amount, names and values, their words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from sdk.test_testing import FOLDER
from whence.chat.language.understanding import understand
from whence.chat.record_view import RecordView
from whence.sdk import Pack
from whence.sdk.requests import view_for
from whence.sdk.testing import load_pack


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(FOLDER)


def view(pack: Pack) -> RecordView:
    kind = next(each for each in pack.subjects if each.kind == "remarks")
    remark = {"text": "Nice", "noteId": str(UUID(int=1)), "stars": 3, "labels": {"place": "home"}}
    return view_for(kind, kind.record.model_validate(remark), datetime(2026, 11, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    ("message", "changes"),
    [
        ("make it 4", {"stars": 4}),
        ("set the place to work", {"labels": {"place": "work"}}),
        ("set the topic to travel", {"labels": {"place": "home", "topic": "travel"}}),
    ],
)
def test_a_change_in_the_words_that_the_pack_offers(
    pack: Pack, message: str, changes: dict[str, Any]
) -> None:
    chat = next(each for each in pack.chats if each.kind == "remarks")
    reading = understand(message, chat, view(pack))
    assert {each.field: each.value for each in reading.changes} == changes


def test_a_bare_amount_is_asked_back(pack: Pack) -> None:
    chat = next(each for each in pack.chats if each.kind == "remarks")
    assert "Should the stars be 4?" in str(understand("4?", chat, view(pack)).refusal)


def test_a_fact_that_no_field_holds_is_offered_for_the_text(pack: Pack) -> None:
    chat = next(each for each in pack.chats if each.kind == "remarks")
    told = understand("the example is missing btw", chat, view(pack))
    assert str(told.refusal) == "Should I add “the example is missing” to the text?"
    [change] = understand("yes", chat, view(pack), told.question).changes
    assert (change.field, change.value) == ("text", "Nice\nthe example is missing")


def test_labels_are_shown_in_words(pack: Pack) -> None:
    chat = next(each for each in pack.chats if each.kind == "remarks")
    labels = next(each for each in chat.editable if each.field == "labels")
    assert labels.in_words is not None
    assert labels.in_words(view(pack), {"place": "home", "topic": "travel"}) == (
        "place: home; topic: travel"
    )
    assert labels.in_words(view(pack), {}) == "no labels"
