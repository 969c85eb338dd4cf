"""The part of a conversation that a turn is shown: its last messages, whole turns only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

WINDOW = 10
"""Messages: five exchanges; what went before is in the record, the dossier and the transcript."""

T = TypeVar("T")


def window(messages: Sequence[T], role: Callable[[T], str], most: int = WINDOW) -> Sequence[T]:
    """The last messages, at most `most`, beginning with what a person said.

    A turn is a user's message and all that answers it (tool calls and their results too), and is
    never cut: where the last turn alone has more messages, all of them are given.  Where nobody
    said anything, the last `most` are given, without results whose call was cut off.
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
