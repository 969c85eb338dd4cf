"""Answers that a model was told to fill with one sign: read once, not once for each sign."""

from __future__ import annotations

from time import process_time

import pytest

from whence.chat.citing.safe_markup import AnswerFilter
from whence.chat.citing.sources import SourceBook

SIGNS = 40_000
PROSE = "It costs 40 euros. "
MOST_TIMES = 50
"""What prose of the same length takes; read anew from each sign it takes some 400 times that."""


def seconds_for(text: str) -> float:
    """Of the processor, to show an answer that comes in pieces."""
    began = process_time()
    screen = AnswerFilter(SourceBook())
    for at in range(0, len(text), 40):
        screen.feed(text[at : at + 40])
    screen.end()
    screen.result()
    return process_time() - began


@pytest.mark.parametrize("sign", [" ", "\n", "!", ".", "a", "-", "](", "[", "<"])
def test_an_answer_of_one_sign_is_shown_as_prose_of_its_length_is(sign: str) -> None:
    prose = seconds_for(PROSE * (SIGNS // len(PROSE)))
    assert seconds_for(sign * (SIGNS // len(sign)) + " end") < MOST_TIMES * prose
