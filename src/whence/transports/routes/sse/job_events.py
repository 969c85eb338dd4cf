"""`GET /api/jobs/{id}/events`: a job's events; a reconnect sends `Last-Event-ID` and goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, HTTPException, Path, Request

from whence.app.platform import Platform
from whence.events import log
from whence.events.types import JobComplete
from whence.tenancy.principal import Principal
from whence.transports.edge.access import Reader
from whence.transports.edge.identity import Built
from whence.transports.routes.background_job_view import background_job
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
from whence.transports.routes.streams.event_stream import Message, Opening, can_follow, gap_of
from whence.transports.routes.streams.run_stream import SNAPSHOT
from whence.work import status
from whence.work.tables import FINISHED

router = APIRouter(prefix="/api/jobs", tags=["jobs"])


async def opening(
    built: Platform, who: Principal, job_id: UUID, after: int, *, skip: bool = False
) -> Opening:
    """Look the job up as its organization sees it; `skip`: with a gap in any case.

    Raises NotFound.
    """
    async with built.unit(who) as session:
        # The cursor first: a snapshot newer than it repeats events, an older one would lose some.
        last = await log.last_seq(session, job_id)
        first = await log.first_seq(session, job_id)
        item = await status.get(session, job_id)
        # It may have ended since the cursor was read: its end is then still to be told.
        is_told = await log.last_seq(session, job_id) == last
    document = background_job(item).model_dump(mode="json", by_alias=True) | {"lastSeq": last}
    names = {"jobId": str(job_id)}
    is_lost = skip or not can_follow(after, first, last)
    return Opening(
        org_id=who.org_id,
        stream_id=job_id,
        names=names,
        after=after,
        last_seq=last,
        snapshot=Message(SNAPSHOT, document, last),
        gap=gap_of(names, after, first, last) if is_lost else None,
        again=partial(opening, built, who, job_id, skip=True),
        is_over=is_told and item.status in FINISHED,
        end=JobComplete.type,
    )


async def opened(
    request: Request,
    job_id: Annotated[UUID, Path(alias="id")],
    built: Built,
    who: Reader,
    last_event_id: LastEventId = None,
    after: Seq = None,
) -> AsyncIterator[Opened[Message]]:
    """Where this client goes on.  204 tells a browser that there is no more and not to ask again.

    Raises NotFound, and as `admitted`.
    """
    cursor = last_event_id if last_event_id is not None else after or 0
    begin = await opening(built, who, job_id, cursor)
    if begin.is_complete:
        raise HTTPException(204)
    with admitted(request, who) as guest:
        async with messages(built, guest, begin, snapshot=False) as told:
            yield Opened(told)


@router.get(
    "/{id}/events",
    response_class=EventStream,
    responses={204: {"description": "The job is complete and the client has every event"}},
)
async def job_events(stream: Annotated[Opened[Message], Depends(opened)]) -> EventStream:
    """The job's events, each under its type with its `seq` as id, until `job_complete`.

    A cursor that cannot be followed gets `gap`, then `job_status`, then the events after that.
    """
    return streamed(stream, named_event)
