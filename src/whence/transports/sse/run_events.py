"""`GET /api/runs/{id}/events`: a run's events; a reconnect sends `Last-Event-ID` and goes on."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, HTTPException, Path, Query, Request
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from starlette.responses import StreamingResponse

from whence.transports.admission import Admission
from whence.transports.event_stream import Message, follow, while_allowed
from whence.transports.http.access import Reader
from whence.transports.http.bodies import MAX_INTEGER
from whence.transports.http.identity import Built
from whence.transports.run_stream import opening

RETRY_MILLISECONDS = 1000
"""How long a browser waits before it connects again."""
PING_SECONDS = 15.0
"""After this time without an event a comment is sent, so that proxies keep the connection."""
router = APIRouter(prefix="/api/runs", tags=["runs"])
Seq = Annotated[int | None, Query(ge=0, le=MAX_INTEGER, description="As `Last-Event-ID`")]
LastEventId = Annotated[
    int | None, Header(ge=0, le=MAX_INTEGER, description="`id` of the last event received")
]


class EventStream(StreamingResponse):
    """Server-sent events.

    Not FastAPI's own: that one takes a client which leaves in the middle of an event for an error.
    """

    media_type = "text/event-stream"


@dataclass(frozen=True)
class Opened:
    """A stream that may begin: its messages, and None each time there was none for a while."""

    messages: AsyncIterator[Message | None]


async def opened(
    request: Request,
    run_id: Annotated[UUID, Path(alias="id")],
    built: Built,
    who: Reader,
    last_event_id: LastEventId = None,
    after: Seq = None,
) -> AsyncIterator[Opened]:
    """Where this client goes on.  204 tells a browser that there is no more and not to ask again.

    All errors come from here: once a stream has begun, no problem document can be sent.
    """
    cursor = last_event_id if last_event_id is not None else after or 0
    begin = await opening(built, who, run_id, cursor)
    if begin.is_complete:
        raise HTTPException(204)
    admission = request.app.state.admission
    assert isinstance(admission, Admission)
    guest = admission.admit(who)
    try:
        messages = follow(built, begin, snapshot=False)
        # Closed here, after the answer: a response that is cancelled does not close what it sends.
        async with aclosing(while_allowed(guest.ended, messages, PING_SECONDS)) as allowed:
            yield Opened(allowed)
    finally:
        guest.leave()


@router.get(
    "/{id}/events",
    response_class=EventStream,
    responses={204: {"description": "The run is complete and the client has every event"}},
)
async def run_events(stream: Annotated[Opened, Depends(opened)]) -> EventStream:
    """The run's events, each under its type with its `seq` as id, until `job_complete`.

    A cursor that cannot be followed, or a client that falls far behind, gets `gap`, then
    `job_status` (the job as it is now), then the events after that.  204: the run is complete and
    the client has every event.
    """
    return streamed(stream)


def streamed(stream: Opened) -> EventStream:
    """The answer that sends a stream's messages."""
    # nginx must not hold events back until it has a buffer full.
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return EventStream(_encoded(stream.messages), headers=headers)


async def _encoded(messages: AsyncIterator[Message | None]) -> AsyncIterator[bytes]:
    yield format_sse_event(comment="whence events", retry=RETRY_MILLISECONDS)
    async for message in messages:
        if message is None:
            yield KEEPALIVE_COMMENT
        else:
            seq = None if message.seq is None else str(message.seq)
            yield format_sse_event(data_str=json.dumps(message.data), event=message.type, id=seq)
