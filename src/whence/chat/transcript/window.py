"""The part of a conversation that a turn sees: its last messages, in whole turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

WINDOW = 10
"""Messages: five exchanges; what came before is in the record, the dossier and the transcript."""

T = TypeVar("T")


def window(messages: Sequence[T], role: Callable[[T], str], most: int = WINDOW) -> Sequence[T]:
    """The last messages, at most `most`, beginning with a person's message.

    A turn is a user's message and everything that answers it (including tool calls and results) and
    is never cut: if the last turn alone has more messages, all of them are returned.  Without any
    user message, the last `most` are returned, without results whose call was cut off.
    """
    start = max(0, len(messages) - most)
    turns = [at for at, message in enumerate(messages) if role(message) == "user"]
    if inside := [at for at in turns if at >= start]:
        return messages[inside[0] :]
    if turns:
        return messages[turns[-1] :]
    while start < len(messages) and role(messages[start]) == "tool":
        start += 1
    return messages[start:]
