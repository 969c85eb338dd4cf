"""`POST /api/agent/chat`: a message from a page, and its answer as server-sent events."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, Header, HTTPException, Request
from fastapi.sse import format_sse_event
from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from whence.app.platform import Platform
from whence.chat.pages import sessions as page_sessions
from whence.chat.transcript.messages import CLIENT_ID_LIMIT, CONTENT_LIMIT
from whence.kernel.errors import Invalid, NotFound
from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal
from whence.transports.edge.access import Reader, Talker
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes.http.conversations import SessionId
from whence.transports.routes.sse.stream import (
    EventStream,
    Opened,
    admitted,
    messages,
    none_if_empty,
    streamed,
)
from whence.transports.routes.streams.agent_events import Trouble
from whence.transports.routes.streams.agent_stream import Cursor, Piece, Turn, pieces, turn_at

MAX_MESSAGES = 1_000
"""Maximum length of a transcript sent by a client; all but the last message are ignored."""
GONE = "/problems/not-found"
router = APIRouter(prefix="/api/agent", tags=["agent"])
Content = Annotated[str, Field(max_length=CONTENT_LIMIT)]
LastEvent = Annotated[
    str | None,
    Header(alias="Last-Event-ID", max_length=100, description="`id` of the last event received"),
    BeforeValidator(none_if_empty),
]
COMPLETE: dict[int | str, dict[str, Any]] = {
    204: {"description": "The turn is over and the client has heard its end"}
}


class AnotherMessage(Invalid):
    """`Last-Event-ID` belongs to the answer to another message; send a new message without it."""


class Utterance(Wire):
    """One message of a client's transcript; other fields are ignored."""

    model_config = ConfigDict(extra="ignore")

    role: Annotated[str, Field(max_length=50)]
    content: Content | None = None


class AskAgent(Wire):
    """A message from a page: `message`, or `messages`, of which the last one counts.

    The server owns the transcript: earlier messages sent by a client are ignored.
    """

    message: Content | None = None
    messages: Annotated[list[Utterance], Field(min_length=1, max_length=MAX_MESSAGES)] | None = None
    context: dict[str, Any] | None = None
    """`{page, …ids}`; if absent, within a conversation, the page of its last message."""
    conversation_id: UUID | None = None
    """If absent, the message starts a conversation."""
    client_message_id: Annotated[str, Field(min_length=1, max_length=CLIENT_ID_LIMIT)] | None = None
    """The client's own id of the message, unique to it: a message sent again has one effect."""
    wizard_input: dict[str, Any] | None = None
    """Input for a wizard; the message may then be empty."""
    replaces: UUID | None = None
    """A message of yours in this conversation that this is another wording of."""

    @model_validator(mode="after")
    def _has_one_message(self) -> AskAgent:
        if (self.message is None) == (self.messages is None):
            raise ValueError("send either `message` or `messages`")
        if self.messages and (self.messages[-1].role != "user" or not self.messages[-1].content):
            raise ValueError("the last of `messages` must be text with the role `user`")
        if self.context is None and self.conversation_id is None:
            raise ValueError("`context` is needed to begin a conversation")
        return self

    @property
    def text(self) -> str:
        """The person's new message."""
        return (self.messages[-1].content if self.messages else self.message) or ""


@asynccontextmanager
async def _opened(
    request: Request,
    platform: Platform,
    who: Principal,
    find: Callable[[], Awaitable[Turn]],
) -> AsyncGenerator[Opened[Piece]]:
    """A turn's stream for one client."""
    # Before the turn is looked for: who may open no stream begins none.
    with admitted(request, who) as stream:
        turn = await find()
        if turn.is_told:
            raise HTTPException(204)
        async with (
            messages(platform, stream, turn.begin, snapshot=turn.cursor is None) as log_messages,
            aclosing(pieces(turn, log_messages)) as events,
        ):
            yield Opened(_while_kept(platform, who, turn, events))


async def _while_kept(
    platform: Platform, who: Principal, turn: Turn, events: AsyncIterator[Piece | None]
) -> AsyncIterator[Piece | None]:
    """A turn's events while the conversation exists; a deleted one sends nothing more."""
    async for piece in events:
        if piece is None:
            try:
                async with platform.unit(who) as session:
                    await page_sessions.of_turn(session, who, turn.turn_id)
            except NotFound as error:
                yield Piece(Trouble(message=error.message, problem=GONE).shown(), "")
                return
        yield piece


async def message_stream(
    request: Request,
    platform: CurrentPlatform,
    who: Talker,
    body: AskAgent,
    last_event_id: LastEvent = None,
) -> AsyncIterator[Opened[Piece]]:
    """The stream of a message's turn: a new turn, or the one `Last-Event-ID` belongs to."""

    async def find() -> Turn:
        if last_event_id is None:
            return await turn_at(platform, who, await _begun(platform, who, body))
        cursor = Cursor.read(last_event_id)
        async with platform.unit(who) as session:
            page_session = await page_sessions.of_turn(session, who, cursor.turn_id)
            sent = (await page_sessions.turn(session, page_session, cursor.turn_id)).user
        if body.client_message_id not in (None, sent.client_message_id):
            raise AnotherMessage
        return await turn_at(platform, who, cursor.turn_id, cursor)

    async with _opened(request, platform, who, find) as stream:
        yield stream


async def _begun(platform: Platform, who: Principal, body: AskAgent) -> UUID:
    """The turn of a message: a new one, or the one the same message started before."""
    context = body.context
    if context is None and body.conversation_id:
        async with platform.unit(who) as session:
            context = (await page_sessions.get(session, who, body.conversation_id)).page
    begun = await platform.turns.send_on_page(
        who,
        context or {},
        body.text,
        body.client_message_id,
        body.conversation_id,
        body.wizard_input,
        body.replaces,
    )
    return begun.turn_id


@router.post("/chat", response_class=EventStream, responses=COMPLETE)
async def ask_agent(stream: Annotated[Opened[Piece], Depends(message_stream)]) -> EventStream:
    """Ask about the open page; the answer streams as `data: {"type": …}` events.

    `conversation`, then `text_delta`, `tool_call_start` and `tool_call_result` as they happen, and
    `done`; `error` if something goes wrong.  Each has an `id`.  The answer is completed even if the
    client disconnects.  The same call with `Last-Event-ID` continues that answer and starts
    nothing; if events are lost, `gap` is sent and the answer from its beginning.
    """
    return streamed(stream, _event)


async def followed(
    request: Request,
    platform: CurrentPlatform,
    who: Reader,
    session_id: SessionId,
    last_event_id: LastEvent = None,
) -> AsyncIterator[Opened[Piece]]:
    """The stream of the turn `Last-Event-ID` belongs to; without it, of the last turn."""

    async def find() -> Turn:
        cursor = Cursor.read(last_event_id) if last_event_id is not None else None
        async with platform.unit(who) as session:
            if cursor is None:
                turn_id = await page_sessions.last_turn_id(session, who, session_id)
            else:
                await page_sessions.get(session, who, session_id)
                session_row = await page_sessions.of_turn(session, who, cursor.turn_id)
                turn_id = cursor.turn_id if session_row.id == session_id else None
        if turn_id is None:
            raise HTTPException(204)
        return await turn_at(platform, who, turn_id, cursor)

    async with _opened(request, platform, who, find) as stream:
        yield stream


@router.get("/chat/{sid}/events", response_class=EventStream, responses=COMPLETE)
async def agent_events(stream: Annotated[Opened[Piece], Depends(followed)]) -> EventStream:
    """Continue an answer, or replay the last one, with the events of `POST /api/agent/chat`."""
    return streamed(stream, _event)


def _event(piece: Piece) -> bytes:
    return format_sse_event(data_str=json.dumps(piece.data), id=piece.id or None)
