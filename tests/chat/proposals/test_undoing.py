"""What asks to undo, and what says a value or asks a question instead."""

from __future__ import annotations

import pytest

from chat.record_views import CHAT
from whence.chat.language.intents import Intent, intent_of
from whence.chat.proposals.undoing import UndoRequest, find_undo_request

ALL = UndoRequest()


@pytest.mark.parametrize(
    "text",
    [
        "undo",
        "Undo that.",
        "undo that, please",
        "can you undo my last change?",
        "revert the last change",
        "put it back",
        "put it back to how it was",
        "Please roll that back",
        "take it back",
        "no, change it back to what it was before",
        "go back to the old value",
        "oops, undo what you just did",
        "restore the previous value",
    ],
)
def test_a_wish_to_undo_is_an_action_and_is_known(text: str) -> None:
    assert (find_undo_request(text, CHAT), intent_of(text, CHAT)) == (ALL, Intent.ACTION)


def test_a_field_that_is_named_is_undone_alone() -> None:
    assert find_undo_request("put the price back", CHAT) == UndoRequest(frozenset({"asking_price"}))
    assert find_undo_request("undo the change of the title", CHAT) == UndoRequest(
        frozenset({"title"})
    )
    assert find_undo_request("undo the title change", CHAT) == UndoRequest(frozenset({"title"}))


@pytest.mark.parametrize(
    "text",
    [
        "change it back to 40",
        "set the price back to 40",
        "undo that and set the price to 40",
        "how do I undo a change?",
        "can a change be undone?",
        "put it on the back burner",
        "set the title to undo that",
        'set the note to "undo that"',
        "don't undo that",
        "set the price to 40",
        "",
    ],
)
def test_what_says_a_value_or_asks_is_no_undo(text: str) -> None:
    assert find_undo_request(text, CHAT) is None
