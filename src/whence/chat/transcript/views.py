"""Conversations as they are stored and as they are on the wire, in one spelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import computed_field

from whence.chat.citing.safe_markup import is_address, without_control_characters
from whence.chat.citing.sources import Source, SourceKind
from whence.kernel.wire import Wire
from whence.records.item_id import item_id

Role = Literal["user", "assistant", "notice"]
Status = Literal["streaming", "complete", "stopped", "interrupted", "failed"]
FinalStatus = Literal["complete", "stopped", "interrupted", "failed"]


class Cited(Wire):
    """A numbered reference of an answer, with the beginning of its source."""

    number: int
    kind: SourceKind
    title: str
    snippet: str
    id: UUID | None = None
    """The id of the evidence or the run."""
    path: str | None = None
    """The path of the claim in its dossier, or the field of the record."""
    url: str | None = None


class CalledTool(Wire):
    """A tool that an answer called, with its result."""

    name: str
    arguments: dict[str, Any]
    status: str
    summary: str | None = None
    duration_ms: int | None = None
    """How long the call took; null while it runs, and for messages from before this was kept."""
    result: Any = None
    """The result as JSON; null if there is none, or if it is too large to keep."""
    result_cut: bool = False
    """Whether parts of the result were left out."""


@dataclass(frozen=True)
class Answer:
    """Everything to store of an answer."""

    content: str
    intent: str | None = None
    method: str | None = None
    """As with claims: `rules:<name>@<version>` or `model:<model>/<prompt>@<version>`."""
    citations: Sequence[Cited] = ()
    tool_calls: Sequence[CalledTool] = ()
    actions: Sequence[Mapping[str, Any]] = ()
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def columns(self) -> dict[str, Any]:
        """The columns of the message's row."""
        return {
            "content": self.content,
            "intent": self.intent,
            "method": self.method,
            "citations": [item.model_dump(mode="json", by_alias=True) for item in self.citations],
            "tool_calls": [item.model_dump(mode="json", by_alias=True) for item in self.tool_calls],
            "actions": [dict(item) for item in self.actions],
            "meta": dict(self.meta),
        }


class SessionAnswer(Wire):
    """A conversation, without its messages."""

    id: UUID
    kind: str | None
    subject_id: UUID | None
    page: dict[str, Any]
    title: str
    """The first words of its first message until somebody renames it; empty before that."""
    created_at: datetime
    updated_at: datetime
    message_count: int
    turn_id: UUID | None
    """The turn whose answer is being written, or null."""

    @computed_field
    @property
    def item_id(self) -> UUID | None:
        """The same as `subjectId`, where the kind is `items`."""
        return item_id(self.kind, self.subject_id)


class MessageAnswer(Wire):
    """One message of a conversation."""

    id: UUID
    session_id: UUID
    ordinal: int
    role: Role
    content: str
    client_message_id: str | None
    turn_id: UUID | None
    reply_to: UUID | None
    superseded_by: UUID | None
    status: Status
    intent: str | None
    method: str | None
    citations: list[Cited]
    tool_calls: list[CalledTool]
    actions: list[dict[str, Any]]
    meta: dict[str, Any]
    created_at: datetime
    completed_at: datetime | None


def reference_to(number: int, source: Source) -> Cited:
    """A source as the reference with this number, without control characters that others may have
    put into it.

    An address other than http(s) is left out: a reader might open it.
    """
    return Cited(
        number=number,
        kind=source.kind,
        title=without_control_characters(source.title),
        snippet=without_control_characters(source.snippet),
        id=source.id,
        path=source.path,
        url=source.url if source.url and is_address(source.url) else None,
    )
