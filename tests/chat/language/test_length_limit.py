"""How much of a long message rules read: its beginning and its end, and no change out of either."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.record_views import CHAT, record_view
from whence.chat.citing.composing import topics_of
from whence.chat.language.fields import changes_in
from whence.chat.language.intents import Intent, intent_of
from whence.chat.language.length_limit import (
    MAX_CHANGE_REQUEST,
    MAX_READ,
    TooLongToChange,
    readable_part,
)
from whence.chat.proposals.undoing import find_undo_request
from whence.chat.transcript.messages import CONTENT_LIMIT

BLANKS = " " * CONTENT_LIMIT


@given(st.text(max_size=3 * MAX_READ))
def test_a_short_message_is_read_whole_and_a_long_one_in_bounds(text: str) -> None:
    read = readable_part(text)
    assert read == text if len(text) <= MAX_READ else len(read) == MAX_READ
    assert readable_part(read) == read


@pytest.mark.parametrize(
    ("beginning", "end", "intent"),
    [
        ("What is the price?", "", Intent.QUESTION),
        ("", "What is the price?", Intent.QUESTION),
        ("Here is what I read.", "Please set the price to 40.", Intent.ACTION),
    ],
)
def test_a_long_message_says_what_it_wants_before_or_after_what_it_quotes(
    beginning: str, end: str, intent: Intent
) -> None:
    assert intent_of(f"{beginning}\n{'lorem ' * 3_000}\n{end}", CHAT) is intent


@pytest.mark.parametrize("filling", [BLANKS, ", " * (CONTENT_LIMIT // 2)])
def test_the_middle_of_a_message_made_to_be_slow_is_not_read(filling: str) -> None:
    """Read whole, each of these takes a quarter of a minute."""
    change, undo, question = "Set the price to 40.", "Undo that.", "What is the price?"
    assert intent_of(change, CHAT) is Intent.ACTION
    assert find_undo_request(undo, CHAT) is not None
    assert topics_of(CHAT, question)

    half = filling[:9_400]
    assert intent_of(f"{half}{change}{half}", CHAT) is intent_of(half + half, CHAT)
    assert find_undo_request(f"{half}{undo}{half}", CHAT) is None
    assert topics_of(CHAT, f"{half}{question}{half}") == topics_of(CHAT, half + half)


def test_a_change_is_refused_in_a_message_too_long_to_be_read_whole() -> None:
    request_text = "Set the price to 40."
    assert changes_in(request_text.ljust(MAX_CHANGE_REQUEST), CHAT, record_view())
    with pytest.raises(
        TooLongToChange, match=r"may have at most 3,000 char.*has 3,001.* `PATCH /api/lamps/ID`"
    ):
        changes_in(request_text.ljust(MAX_CHANGE_REQUEST + 1), CHAT, record_view())
