"""A stream's events for one client from its cursor on, for both SSE and Socket.IO.

Clients pull: the next event is read from the log once the last one is sent, so a slow client never
costs more than a page of events.  One that falls far behind gets `gap` and continues with the
newest.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from anyio import CancelScope

from whence.app.platform import Platform
from whence.events import log
from whence.kernel.errors import NotFound
from whence.transports.edge.problems import of_any

GAP = "gap"
"""The client's cursor cannot be followed, or the client fell behind; a snapshot comes next."""
ACCESS_ENDED = "access_ended"
"""The client may no longer read this; nothing follows."""
MAX_BEHIND = 1000
"""Events a client may be behind; several times those of a usual run."""
MAX_BEHIND_SECONDS = 5.0
"""How long it may be that far behind: a fast client catches up with a burst sooner."""


@dataclass(frozen=True)
class Message:
    """One message to a client; `seq` is the new cursor, None leaves the cursor unchanged."""

    type: str
    data: dict[str, Any]
    seq: int | None


@dataclass(frozen=True)
class Opening:
    """The start of a client's stream: its snapshot, and its first cursor."""

    org_id: UUID
    stream_id: UUID
    names: Mapping[str, str]
    """The fields every message has in addition to its event: the stream's id under its own name."""
    after: int
    last_seq: int
    snapshot: Message
    gap: Message | None
    again: Callable[[int], Awaitable[Opening]]
    """The current stream, with a gap, from a cursor."""
    is_over: bool = False
    end: str | None = None
    """The type of the event after which nothing follows."""

    @property
    def is_complete(self) -> bool:
        """The stream has ended and the client has every event."""
        return self.is_over and self.gap is None and self.after >= self.last_seq


def can_follow(after: int, first_kept: int, last: int) -> bool:
    """Whether every event after the cursor is kept; `first_kept` is 0 if none is."""
    return (first_kept or last + 1) <= after + 1 <= last + 1


def is_too_slow(behind: int, seconds: float) -> bool:
    """Whether a client this many events `behind`, for this long, should skip to the newest."""
    return behind > MAX_BEHIND and seconds > MAX_BEHIND_SECONDS


def gap_of(names: Mapping[str, str], after: int, first: int, last: int) -> Message:
    """The message that a cursor cannot be followed.

    It leaves the cursor unchanged: the snapshot after it sets the new one, so that a client gets
    both or neither.
    """
    return Message(GAP, {**names, "after": after, "firstSeq": first, "lastSeq": last}, None)


async def follow(platform: Platform, begin: Opening, *, snapshot: bool) -> AsyncGenerator[Message]:
    """The stream's messages until it is complete; `snapshot`: start with one even without a gap.

    Holds no database connection while it waits.
    """
    while True:
        if begin.gap:
            yield begin.gap
        if begin.gap or snapshot:
            yield begin.snapshot
        if begin.gap:
            begin = replace(begin, after=begin.last_seq, gap=None)
        if begin.is_complete:
            return
        cursor = begin.after
        async with aclosing(_in_order(platform, begin)) as events:
            async for event in events:
                cursor = event.seq
                data = event.payload | {**begin.names, "seq": event.seq}
                yield Message(event.type, data, event.seq)
                # A failed run that was resumed has an earlier end in its log; this is the last one.
                if event.type == begin.end and event.seq >= begin.last_seq:
                    return
        begin = await begin.again(cursor)


async def _in_order(platform: Platform, begin: Opening) -> AsyncGenerator[log.Event]:
    """Events in order; ends at a hole, and when the client has become too slow."""
    org_id, stream, cursor = begin.org_id, begin.stream_id, begin.after
    in_time = time.monotonic()
    async with aclosing(platform.bus.tail(org_id, stream, cursor)) as batches:
        async for batch in batches:
            for event in batch:
                # What was there when it came counts as asked for, not as fallen behind.
                behind = platform.bus.head(org_id, stream) - max(cursor, begin.last_seq)
                at = time.monotonic()
                if behind <= MAX_BEHIND:
                    in_time = at
                if event.seq != cursor + 1 or is_too_slow(behind, at - in_time):
                    return
                cursor = event.seq
                yield event


async def while_allowed(
    ended: asyncio.Future[Exception],
    messages: AsyncGenerator[Message],
    quiet_seconds: float,
    check: Callable[[], Awaitable[None]] | None = None,
) -> AsyncGenerator[Message | None]:
    """The messages, until `ended` has an error: then that error at once, as the last one.

    None stands for `quiet_seconds` without a message.  `check` is called then; its NotFound ends
    the stream, too.
    """
    following: asyncio.Task[Message | None] | None = None
    async with aclosing(messages):
        try:
            while True:
                following = following or asyncio.ensure_future(anext(messages, None))
                await asyncio.wait(
                    {following, ended},
                    timeout=quiet_seconds,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if ended.done():
                    yield Message(ACCESS_ENDED, of_any(ended.result(), "stream").shown(), None)
                    return
                if not following.done():
                    try:
                        if check is not None:
                            await check()
                    except NotFound as error:
                        yield Message(ACCESS_ENDED, of_any(error, "stream").shown(), None)
                        return
                    yield None
                    continue
                message, following = following.result(), None
                if message is None:
                    return
                yield message
        finally:
            if following:
                following.cancel()
                # A server that ends an answer cancels it again and again until it is over.
                with CancelScope(shield=True):
                    await asyncio.wait({following})
