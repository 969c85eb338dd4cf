"""How much of a message rules read: patterns that look ahead take longer than their text grows.

A message may have 20,000 characters, pages of a listing with a question after them.  Some that were
made for it would keep a process busy for half a minute, and everybody else waiting.
"""

from __future__ import annotations

from whence.kernel.errors import Invalid

MAX_READ = 2_000
"""Characters: a page of text, at which the slowest message found takes a quarter of a second."""
MAX_CHANGE_REQUEST = 3_000
"""Characters of a message that asks for a change: each of them counts, so none is left out."""


class TooLongToChange(Invalid):
    """A message that asks for a change may have 3,000 characters; set a longer text on the record
    itself.
    """


def readable_part(text: str) -> str:
    """A message as rules read it: of a long one its beginning and its end."""
    if len(text) <= MAX_READ:
        return text
    half = MAX_READ // 2
    return f"{text[: half - 1]}\n{text[-half:]}"


def require_short(text: str, kind: str) -> None:
    """Raise TooLongToChange for a message that is too long to find changes in; says where else."""
    if len(text) > MAX_CHANGE_REQUEST:
        raise TooLongToChange(
            f"A message that asks for a change may have {MAX_CHANGE_REQUEST:,} characters; this "
            f"one has {len(text):,}. Set a longer text on the record itself, with "
            f"`PATCH /api/{kind}/ID` or by importing it again."
        )
