"""Limits how much of a message the rules read, as some patterns take more than linear time.

A message may have 20,000 characters: pages of a listing and a question after them.  A maliciously
crafted one could keep a process busy for half a minute while everybody else waits.
"""

from __future__ import annotations

from whence.kernel.errors import Invalid

MAX_READ = 2_000
"""Characters: a page of text, at which the slowest message known takes a quarter of a second."""
MAX_CHANGE_REQUEST = 3_000
"""Characters of a message that asks for a change; such a message is never shortened."""


class TooLongToChange(Invalid):
    """A message that asks for a change may have at most 3,000 characters; set longer text on the
    record itself.
    """


def readable_part(text: str) -> str:
    """The part of a message that rules read: of a long one, the beginning and the end."""
    if len(text) <= MAX_READ:
        return text
    half = MAX_READ // 2
    return f"{text[: half - 1]}\n{text[-half:]}"


def require_short(text: str, kind: str) -> None:
    """Raise TooLongToChange for a message that is too long to search for changes."""
    if len(text) > MAX_CHANGE_REQUEST:
        raise TooLongToChange(
            f"A message that asks for a change may have at most {MAX_CHANGE_REQUEST:,} characters; "
            f"this one has {len(text):,}. Set longer text on the record itself, with "
            f"`PATCH /api/{kind}/ID` or by importing it again."
        )
