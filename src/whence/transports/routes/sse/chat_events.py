"""`GET /api/chat/sessions/{sid}/events`: a conversation's events, from `Last-Event-ID` on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Request

from whence.transports.edge.access import Reader
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes.http.conversations import SessionId
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
from whence.transports.routes.streams.chat_stream import opening, still_there
from whence.transports.routes.streams.event_stream import Message

router = APIRouter(prefix="/api/chat/sessions", tags=["chat"])


async def opened(
    request: Request,
    session_id: SessionId,
    platform: CurrentPlatform,
    who: Reader,
    last_event_id: LastEventId = None,
    after: Seq = None,
) -> AsyncIterator[Opened[Message]]:
    """The position where this client continues; without a cursor, from now on.

    Raises NotFound, and what `admitted` raises.
    """
    cursor = last_event_id if last_event_id is not None else after
    begin = await opening(platform, who, session_id, cursor)
    with admitted(request, who) as stream:
        check = partial(still_there, platform, who, session_id)
        async with messages(
            platform, stream, begin, snapshot=cursor is None, check=check
        ) as events:
            yield Opened(events, begin.last_seq)


@router.get("/{sid}/events", response_class=EventStream)
async def chat_events(stream: Annotated[Opened[Message], Depends(opened)]) -> EventStream:
    """The conversation's events, each under its type with its `seq` as id; the stream has no end.

    If the conversation is deleted or erased, `access_ended` follows within 15 seconds, and the end.

    Without a cursor, or with one that cannot be followed, it starts with `chat_status`: the session
    with its newest messages.
    """
    return streamed(stream, named_event)
