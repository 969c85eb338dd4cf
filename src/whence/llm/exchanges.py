"""What was sent to a model and what it answered, as it is kept: bounded, and without images."""

from __future__ import annotations

from collections.abc import Sequence

from whence.llm.messages import Message
from whence.work.budget import Exchange, SentMessage

MOST_CHARACTERS = 12_000
"""Characters of one text that are kept; of a longer one the middle is left out."""
END_SHARE = 3
"""One part in this many is kept from the end of a long text, where prompts put the question."""


def exchange_of(messages: Sequence[Message], answer: str | None) -> Exchange:
    """The messages of a request and its answer, with long texts shortened."""
    texts = [message.text for message in messages] + [answer or ""]
    return Exchange(
        messages=tuple(
            SentMessage(message.role, shortened(message.text), len(message.images))
            for message in messages
        ),
        answer=None if answer is None else shortened(answer),
        is_shortened=any(len(text) > MOST_CHARACTERS for text in texts),
    )


def shortened(text: str) -> str:
    """The text, or its beginning and end with how much is left out between them."""
    if len(text) <= MOST_CHARACTERS:
        return text
    end = MOST_CHARACTERS // END_SHARE
    begin = MOST_CHARACTERS - end
    left_out = len(text) - MOST_CHARACTERS
    return f"{text[:begin]}\n[… {left_out:,} characters are left out …]\n{text[-end:]}"
