"""The events of a conversation, as a tagged union; its stream is that of the chat session's id.

`docs/reference/events.md` documents each of them; a test holds the two together.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal
from uuid import UUID

from whence.events.base import StreamEvent


class ChatEvent(StreamEvent):
    """The base of a conversation's events."""

    type: ClassVar[str]


class MessageEvent(ChatEvent):
    """A message is there, or is another one now: an answer comes once as it begins, once whole."""

    type: ClassVar[str] = "message"
    message: dict[str, Any]


class Token(ChatEvent):
    """A piece of an answer that is being written."""

    type: ClassVar[str] = "token"
    message_id: UUID
    token: str


class ToolCallEvent(ChatEvent):
    """A tool that the answer uses: once as it is called, once with how it went."""

    type: ClassVar[str] = "tool_call"
    message_id: UUID
    call_id: str
    name: str
    arguments: dict[str, Any]
    status: Literal["running", "done", "failed"]
    summary: str | None = None


class ResearchProgress(ChatEvent):
    """What research that was asked for in this conversation is doing."""

    type: ClassVar[str] = "research_progress"
    job_id: UUID
    status: str
    """The type of the run's event that this tells of."""
    node: str | None = None
    message: str


class ActionApplied(ChatEvent):
    """Somebody decided on a change that an answer proposed, by whichever way in."""

    type: ClassVar[str] = "action_applied"
    message_id: UUID
    action_index: int
    success: bool
    status: Literal["applied", "undone", "declined"] | None = None
    """What became of it; None where it was refused."""
    field: str | None = None
    error: str | None = None


class ChatError(ChatEvent):
    """An answer could not be given, or not to its end; what there is of it is kept."""

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
    Token,
    ToolCallEvent,
    ResearchProgress,
    ActionApplied,
    ChatError,
    TurnEnded,
)
