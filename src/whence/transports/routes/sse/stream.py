"""Shared parts of all server-sent event streams: admission, pings and framing."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator
from contextlib import AbstractAsyncContextManager, aclosing, contextmanager
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from fastapi import Header, Query, Request
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from pydantic import BeforeValidator
from starlette.responses import StreamingResponse

from whence.app.platform import Platform
from whence.tenancy.principal import Principal
from whence.transports.edge.bodies import MAX_INTEGER
from whence.transports.edge.stream_limits import OpenStream, StreamLimits
from whence.transports.routes.streams.event_stream import Message, Opening, follow, while_allowed

T = TypeVar("T")
RETRY_MILLISECONDS = 1000
"""How long a browser waits before it connects again."""
PING_SECONDS = 15.0
"""After this time without an event a comment is sent, so that proxies keep the connection open."""
Seq = Annotated[int | None, Query(ge=0, le=MAX_INTEGER, description="As `Last-Event-ID`")]


def none_if_empty(value: object) -> object:
    """An empty `Last-Event-ID` is none: browsers send it so before the first event."""
    return None if value == "" else value


LastEventId = Annotated[
    int | None,
    Header(ge=0, le=MAX_INTEGER, description="`id` of the last event received"),
    BeforeValidator(none_if_empty),
]


class EventStream(StreamingResponse):
    """Server-sent events.

    Not FastAPI's own class, which reports a client that disconnects within an event as an error.
    """

    media_type = "text/event-stream"


@dataclass(frozen=True)
class Opened(Generic[T]):
    """A stream ready to start: its events, and None after each quiet period.

    It is created in a dependency, so that all errors occur there: once a stream has started, no
    problem document can be sent.
    """

    events: AsyncIterator[T | None]
    last_seq: int | None = None
    """The newest event when the stream opened, sent as `Last-Seq`: a client that has it has caught
    up.
    """


@contextmanager
def admitted(request: Request, who: Principal) -> Generator[OpenStream]:
    """Admit one more stream of this principal; raises TooManyStreams and NoRoom."""
    stream_limits = request.app.state.stream_limits
    assert isinstance(stream_limits, StreamLimits)
    stream = stream_limits.open(who)
    try:
        yield stream
    finally:
        stream.close()


def messages(
    platform: Platform,
    stream: OpenStream,
    begin: Opening,
    *,
    snapshot: bool,
    check: Callable[[], Awaitable[None]] | None = None,
) -> AbstractAsyncContextManager[AsyncGenerator[Message | None]]:
    """The stream's messages, from `follow` and `while_allowed`.

    Enter it in a dependency, which closes it after the answer: a cancelled response does not close
    what it sends.
    """
    followed = follow(platform, begin, snapshot=snapshot)
    return aclosing(while_allowed(stream.ended, followed, PING_SECONDS, check))


def streamed(stream: Opened[T], event: Callable[[T], bytes]) -> EventStream:
    """The response that sends a stream, each item encoded by `event`."""
    # nginx must not hold events back until it has a buffer full.
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    if stream.last_seq is not None:
        headers["Last-Seq"] = str(stream.last_seq)
    return EventStream(_framed(stream.events, event), headers=headers)


async def _framed(
    events: AsyncIterator[T | None], event: Callable[[T], bytes]
) -> AsyncIterator[bytes]:
    yield format_sse_event(comment="whence", retry=RETRY_MILLISECONDS)
    async for each in events:
        yield KEEPALIVE_COMMENT if each is None else event(each)


def named_event(message: Message) -> bytes:
    """A message under its type, with its `seq`, if any, as the id."""
    seq = None if message.seq is None else str(message.seq)
    return format_sse_event(data_str=json.dumps(message.data), event=message.type, id=seq)
