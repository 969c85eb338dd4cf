"""Continues conversations over HTTP, like Socket.IO's `/chat`, without its events."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from whence.chat.transcript.messages import CLIENT_ID_LIMIT, CONTENT_LIMIT, StartedTurn
from whence.kernel.wire import Wire
from whence.records.kind import SubjectKind
from whence.transports.edge.access import Talker
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes.http.conversations import Place, SessionId
from whence.transports.routes.http.subjects import Reference


class MessageToSend(Wire):
    """A message, or wizard input.

    A repeated `clientMessageId` is the same message; without one, each is new.
    """

    content: Annotated[str, Field(max_length=CONTENT_LIMIT)] = ""
    client_message_id: Annotated[str, Field(min_length=1, max_length=CLIENT_ID_LIMIT)] | None = None
    wizard_input: dict[str, Any] | None = None
    replaces: UUID | None = None
    """A message of yours that this is another wording of; the conversation goes on from here."""


class TurnBegun(Wire):
    """A message and its answer; `isNew` is false if both existed already."""

    message_id: UUID
    answer_id: UUID
    turn_id: UUID
    is_new: bool


class TurnStopped(Wire):
    """The turn that was asked to stop; null if none was in progress."""

    turn_id: UUID | None


def turn_routes(kind: SubjectKind) -> APIRouter:
    """The routes to continue a conversation about a record of a kind."""
    router = APIRouter(prefix=f"/api/{kind.kind}/{{id}}/chat/sessions/{{sid}}", tags=[kind.kind])

    @router.post("/messages", status_code=202, name=f"send_to_chat_about_{kind.kind}")
    async def send(
        platform: CurrentPlatform,
        who: Talker,
        reference: Reference,
        session_id: SessionId,
        body: MessageToSend,
    ) -> TurnBegun:
        """Send a message; the answer is written in the background and arrives as events."""
        async with platform.unit(who) as session:
            conversation = await Place(session_id, kind, reference).own_conversation(session, who)
        begun = await platform.turns.send(
            who,
            conversation.id,
            body.content,
            body.client_message_id,
            body.wizard_input,
            body.replaces,
        )
        return begun_answer(begun)

    @router.post("/regenerate", status_code=202, name=f"answer_anew_in_chat_about_{kind.kind}")
    async def regenerate(
        platform: CurrentPlatform, who: Talker, reference: Reference, session_id: SessionId
    ) -> TurnBegun:
        """Answer the last message again; the old answer is kept as superseded."""
        async with platform.unit(who) as session:
            conversation = await Place(session_id, kind, reference).own_conversation(session, who)
        return begun_answer(await platform.turns.regenerate(who, conversation.id))

    @router.post("/stop", name=f"stop_chat_about_{kind.kind}")
    async def stop(
        platform: CurrentPlatform, who: Talker, reference: Reference, session_id: SessionId
    ) -> TurnStopped:
        """Stop the answer in progress; the text so far is kept."""
        async with platform.unit(who) as session:
            conversation = await Place(session_id, kind, reference).own_conversation(session, who)
        return TurnStopped(turn_id=await platform.turns.stop(who, conversation.id))

    del send, regenerate, stop
    return router


def begun_answer(begun: StartedTurn) -> TurnBegun:
    """The started turn as a response."""
    return TurnBegun(
        message_id=begun.user.id,
        answer_id=begun.answer.id,
        turn_id=begun.turn_id,
        is_new=begun.is_new,
    )
