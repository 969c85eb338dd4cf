"""A model's stream read at most 25 times a second, however many packets it comes in.

Providers send every token as a packet of its own.  What reading costs goes by the number of reads,
and nobody sees one token from the next: 50 conversations bring 2,500 tokens a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from httpx2 import Response

READ_SECONDS = 0.04
"""Two tokens of a model that writes 50 a second; far below what a reader sees as a pause."""
AT_ONCE = 2
"""Reads that wait for nothing: of the head, which says nothing yet, and of the first text."""
EVENTS = "text/event-stream"


async def pace(response: Response) -> None:
    """A hook for the HTTP client: from here on, the body of an event stream is read in steps."""
    from httpx2 import AsyncByteStream

    class Paced(AsyncByteStream):
        def __init__(self, stream: AsyncByteStream) -> None:
            self._stream = stream

        def __aiter__(self) -> AsyncIterator[bytes]:
            return paced(self._stream)

        async def aclose(self) -> None:
            await self._stream.aclose()

    is_stream = response.headers.get("content-type", "").startswith(EVENTS)
    if is_stream and isinstance(response.stream, AsyncByteStream):
        response.stream = Paced(response.stream)


async def paced(
    stream: AsyncIterable[bytes], seconds: float = READ_SECONDS
) -> AsyncIterator[bytes]:
    """The same bytes, read in steps of `seconds` once the first have come.

    Each stream has moments of its own: many that are read at the same one wait for one another.
    """
    reads = 0
    async for data in stream:
        yield data
        if (reads := reads + 1) >= AT_ONCE:
            await asyncio.sleep(seconds)
