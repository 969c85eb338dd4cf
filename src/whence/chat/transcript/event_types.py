"""The events of a conversation, as a tagged union; the stream has the id of the chat session.

`docs/reference/events.md` documents each of them; a test compares the two.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal
from uuid import UUID

from whence.chat.transcript.views import MessageAnswer
from whence.events.base import StreamEvent


class ChatEvent(StreamEvent):
    """The base of a conversation's events."""

    type: ClassVar[str]


class MessageEvent(ChatEvent, MessageAnswer):
    """A message as it is stored: a person's when it is sent, an answer once it is complete."""

    type: ClassVar[str] = "message"


class AnswerStarted(ChatEvent):
    """An answer begins; its pieces follow, and its `message` at the end."""

    type: ClassVar[str] = "answer_started"
    message_id: UUID
    """The id of the answer, which its pieces and its `message` have too."""
    reply_to: UUID
    """The message it answers; an earlier answer to it is superseded."""
    turn_id: UUID
    ordinal: int


class Token(ChatEvent):
    """A piece of an answer in progress."""

    type: ClassVar[str] = "token"
    message_id: UUID
    token: str


class ToolCallEvent(ChatEvent):
    """A tool the answer uses: sent once for the call, and once for its result."""

    type: ClassVar[str] = "tool_call"
    message_id: UUID
    call_id: str
    name: str
    arguments: dict[str, Any]
    status: Literal["running", "done", "failed"]
    summary: str | None = None
    duration_ms: int | None = None
    """How long it took; null while it runs."""


class ResearchProgress(ChatEvent):
    """The progress of research that was requested in this conversation."""

    type: ClassVar[str] = "research_progress"
    job_id: UUID
    status: str
    """The type of the run's event this reports."""
    node: str | None = None
    message: str


class ActionApplied(ChatEvent):
    """Somebody decided on a change that an answer proposed, by any route."""

    type: ClassVar[str] = "action_applied"
    message_id: UUID
    action_index: int
    success: bool
    status: Literal["applied", "undone", "declined"] | None = None
    """The result; None if it was refused."""
    field: str | None = None
    error: str | None = None


class ChatError(ChatEvent):
    """The answer failed or could not be completed; the text so far is kept."""

    type: ClassVar[str] = "error"
    message_id: UUID
    error: str
    message: str


class TurnEnded(ChatEvent):
    """The turn is over and the next message may be sent."""

    type: ClassVar[str] = "turn_ended"
    turn_id: UUID
    message_id: UUID
    status: Literal["complete", "stopped", "interrupted", "failed"]


CHAT_EVENTS: tuple[type[ChatEvent], ...] = (
    MessageEvent,
    AnswerStarted,
    Token,
    ToolCallEvent,
    ResearchProgress,
    ActionApplied,
    ChatError,
    TurnEnded,
)
