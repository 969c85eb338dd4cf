"""`GET /api/runs/{id}/events` and `GET /api/jobs/{id}/events`: the events of a run or a job.

A client reconnects with `Last-Event-ID` and continues there.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, HTTPException, Path, Request

from whence.transports.edge.access import Reader
from whence.transports.edge.identity import CurrentPlatform
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
from whence.transports.routes.streams.work_stream import Look, job_now, opening, run_now

router = APIRouter()


def _offer(noun: str, look: Look) -> None:
    """The route for one type of work."""

    async def opened(
        request: Request,
        work_id: Annotated[UUID, Path(alias="id")],
        platform: CurrentPlatform,
        who: Reader,
        last_event_id: LastEventId = None,
        after: Seq = None,
    ) -> AsyncIterator[Opened[Message]]:
        """The position where this client continues.  204 tells a browser that nothing more comes.

        Raises NotFound, and what `admitted` raises.
        """
        cursor = last_event_id if last_event_id is not None else after or 0
        begin = await opening(look, platform, who, work_id, cursor)
        if begin.is_complete:
            raise HTTPException(204)
        with admitted(request, who) as guest:
            async with messages(platform, guest, begin, snapshot=False) as events:
                yield Opened(events, begin.last_seq)

    begun = Depends(opened)  # as a default: an annotation would be looked up in the module

    @router.get(
        f"/api/{noun}s/{{id}}/events",
        response_class=EventStream,
        responses={204: {"description": f"The {noun} is complete; the client has every event"}},
        tags=[f"{noun}s"],
        name=f"{noun}_events",
    )
    async def events(stream: Opened[Message] = begun) -> EventStream:
        """The events, each under its type with its `seq` as id, until `job_complete`.

        If a cursor cannot be followed, or a client falls far behind, it gets `gap`, then
        `job_status` (the current job), then the events after that.  204: the job is complete and
        the client has every event.
        """
        return streamed(stream, named_event)

    del events


_offer("run", run_now)
_offer("job", job_now)
