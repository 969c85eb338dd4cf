"""`GET /api/runs/{id}/events`: a run's events; a reconnect sends `Last-Event-ID` and goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, HTTPException, Path, Request

from whence.transports.edge.access import Reader
from whence.transports.edge.identity import Built
from whence.transports.routes.sse.stream import (
    EventStream,
    LastEventId,
    Opened,
    Seq,
    admitted,
    messages,
    named_event,
    streamed,
)
from whence.transports.routes.streams.event_stream import Message
from whence.transports.routes.streams.run_stream import opening

router = APIRouter(prefix="/api/runs", tags=["runs"])


async def opened(
    request: Request,
    run_id: Annotated[UUID, Path(alias="id")],
    built: Built,
    who: Reader,
    last_event_id: LastEventId = None,
    after: Seq = None,
) -> AsyncIterator[Opened[Message]]:
    """Where this client goes on.  204 tells a browser that there is no more and not to ask again.

    Raises NotFound, and as `admitted`.
    """
    cursor = last_event_id if last_event_id is not None else after or 0
    begin = await opening(built, who, run_id, cursor)
    if begin.is_complete:
        raise HTTPException(204)
    with admitted(request, who) as stream:
        async with messages(built, stream, begin, snapshot=False) as told:
            yield Opened(told)


@router.get(
    "/{id}/events",
    response_class=EventStream,
    responses={204: {"description": "The run is complete and the client has every event"}},
)
async def run_events(stream: Annotated[Opened[Message], Depends(opened)]) -> EventStream:
    """The run's events, each under its type with its `seq` as id, until `job_complete`.

    A cursor that cannot be followed, or a client that falls far behind, gets `gap`, then
    `job_status` (the job as it is now), then the events after that.  204: the run is complete and
    the client has every event.
    """
    return streamed(stream, named_event)
