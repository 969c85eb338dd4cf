"""`GET /api/runs/{id}/events`: a run's events; a reconnect sends `Last-Event-ID` and goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, HTTPException, Path, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from whence.transports.admission import Admission, Guest
from whence.transports.http.access import Reader
from whence.transports.http.bodies import MAX_INTEGER
from whence.transports.http.identity import Built
from whence.transports.run_stream import Opening, follow, opening, while_allowed

RETRY_MILLISECONDS = 1000
"""How long a browser waits before it connects again."""
router = APIRouter(prefix="/api/runs", tags=["runs"])
Seq = Annotated[int | None, Query(ge=0, le=MAX_INTEGER, description="As `Last-Event-ID`")]
LastEventId = Annotated[
    int | None, Header(ge=0, le=MAX_INTEGER, description="`id` of the last event received")
]


@dataclass(frozen=True)
class Opened:
    """A stream that may begin."""

    begin: Opening
    guest: Guest


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
        yield Opened(begin, guest)
    finally:
        guest.leave()


@router.get(
    "/{id}/events",
    response_class=EventSourceResponse,
    responses={204: {"description": "The run is complete and the client has every event"}},
)
async def run_events(
    built: Built, stream: Annotated[Opened, Depends(opened)]
) -> AsyncIterator[ServerSentEvent]:
    """The run's events, each under its type with its `seq` as id, until `job_complete`.

    A cursor that cannot be followed, or a client that falls far behind, gets `gap`, then
    `job_status` (the job as it is now), then the events after that.  204: the run is complete and
    the client has every event.
    """
    messages = follow(built, stream.begin, snapshot=False)
    async with aclosing(while_allowed(stream.guest.ended, messages)) as allowed:
        yield ServerSentEvent(comment="whence run events", retry=RETRY_MILLISECONDS)
        async for message in allowed:
            seq = None if message.seq is None else str(message.seq)
            yield ServerSentEvent(event=message.type, data=message.data, id=seq)
