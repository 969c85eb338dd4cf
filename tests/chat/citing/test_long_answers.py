"""Answers that a model was told to fill with one sign: read once, not once for each sign."""

from __future__ import annotations

from time import process_time

import pytest

from whence.chat.citing.showing import Screen
from whence.chat.citing.sources import SourceBook

SIGNS = 40_000
MOST_SECONDS = 20.0
"""Of the processor: read anew from each sign it takes a minute, read once less than two seconds."""


@pytest.mark.parametrize("sign", [" ", "\n", "!", ".", "a", "-", "](", "[", "<"])
def test_an_answer_of_one_sign_is_shown_in_time_that_grows_as_it_does(sign: str) -> None:
    began = process_time()
    screen = Screen(SourceBook())
    text = sign * (SIGNS // len(sign)) + " end"
    for at in range(0, len(text), 40):
        screen.feed(text[at : at + 40])
    screen.end()
    screen.result()
    assert process_time() - began < MOST_SECONDS
