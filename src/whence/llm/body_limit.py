"""Bounds the body of an answer that is not streamed while it is read.

A provider's client reads such a body to its end before anybody can measure the answer in it; an
endless one would fill the memory.  The limit holds for decoded bytes, so that a small compressed
body cannot become a large one.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

BYTES_A_CHARACTER = 12
"""Of a character beyond the basic plane, escaped in JSON."""
ROOM_BYTES = 4_000_000
"""For what comes besides the text: counts, reasoning, and a line for each token from Ollama."""


@dataclass
class BodyLimit:
    """The most bytes of a body, and whether one had more."""

    most_bytes: int
    is_exceeded: bool = False


class BodyTooLong(OSError):
    """The rest of the body was not read."""


_LIMIT: ContextVar[BodyLimit | None] = ContextVar("body_limit", default=None)


@contextmanager
def body_limit(characters: int) -> Generator[BodyLimit]:
    """Bound the bodies that clients with `read_within_limit` read in this block."""
    limit = BodyLimit(BYTES_A_CHARACTER * characters + ROOM_BYTES)
    token = _LIMIT.set(limit)
    try:
        yield limit
    finally:
        _LIMIT.reset(token)


async def read_within_limit(response: Any) -> None:
    """A hook of HTTP clients (httpx and its successor): reads the body, up to the limit if one is
    set.  Raises BodyTooLong, and closes the connection."""
    limit = _LIMIT.get()
    if limit is None:
        return
    pieces: list[bytes] = []
    size = 0
    async for piece in response.aiter_bytes():
        size += len(piece)
        if size > limit.most_bytes:
            limit.is_exceeded = True
            await response.aclose()
            raise BodyTooLong(f"more than {limit.most_bytes} bytes")
        pieces.append(piece)
    # Where the client looks for a body that has been read.
    vars(response)["_content"] = b"".join(pieces)
