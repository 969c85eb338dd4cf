"""One turn in progress: the message, its author, and the writer of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from whence.chat.citing.grounding import Grounded
from whence.chat.citing.marks import mark
from whence.chat.citing.safe_markup import AnswerFilter
from whence.chat.citing.sources import SourceBook
from whence.chat.model.kept_results import within_message
from whence.chat.transcript.contexts import PartRead
from whence.chat.transcript.event_types import Token, ToolCallEvent
from whence.chat.transcript.views import Answer, CalledTool, FinalStatus, reference_to
from whence.chat.turns.dependencies import TurnDependencies
from whence.chat.turns.live import LiveEvents, TurnKey
from whence.chat.turns.turn_subject import TurnSubject
from whence.tenancy.principal import Principal
from whence.work.budget import Exchange


class AnswerWriter:
    """Writes an answer: text that is safe to show goes to the readers and is collected."""

    def __init__(self, live: LiveEvents, key: TurnKey, message_id: UUID) -> None:
        self.book = SourceBook()
        self.calls: dict[str, CalledTool] = {}
        self._filter = AnswerFilter(self.book)
        self._live = live
        self._key = key
        self._message_id = message_id
        self._finished: Grounded | None = None

    async def say(self, text: str) -> None:
        """Add text with markers to the answer; a marker may be split over several calls."""
        self._show(self._filter.feed(text))

    def finished(self) -> Grounded:
        """Finish the answer; return it with its references."""
        if self._finished is None:
            self._show(self._filter.end())
            self._finished = self._filter.result()
        return self._finished

    async def call(self, call_id: str, tool: CalledTool) -> None:
        """Report that a tool was called, or has answered."""
        self.calls[call_id] = tool
        status = {"running": "running", "ok": "done"}.get(tool.status, "failed")
        event = ToolCallEvent.model_validate(
            {
                "message_id": self._message_id,
                "call_id": call_id,
                "name": tool.name,
                "arguments": tool.arguments,
                "status": status,
                "summary": tool.summary,
                "duration_ms": tool.duration_ms,
            }
        )
        self._live.put(self._key, event)

    def _show(self, text: str) -> None:
        if text:
            self._live.put(self._key, Token(message_id=self._message_id, token=text))


@dataclass(frozen=True)
class Trouble:
    """Why an answer failed or was cut off."""

    error: str
    message: str
    retry: bool = True


@dataclass
class Draft:
    """Everything about an answer except its text; an interrupted turn stores it too."""

    intent: str | None = None
    method: str | None = None
    status: FinalStatus = "complete"
    trouble: Trouble | None = None
    last_seq: int | None = None
    """The `seq` of the event that ended the turn."""
    actions: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    meta: dict[str, Any] = field(default_factory=dict[str, Any])
    exchange: Exchange | None = None
    """What a model was sent and answered."""
    read_by_rules: Sequence[PartRead] | None = None


@dataclass(frozen=True)
class Turn:
    """The context of the flow's nodes."""

    deps: TurnDependencies
    live: LiveEvents
    who: Principal
    key: TurnKey
    subject: TurnSubject
    message_id: UUID
    """The id of the answer."""
    ordinal: int
    """The ordinal of the message to answer."""
    content: str
    wizard_input: Mapping[str, Any] | None
    writer: AnswerWriter
    draft: Draft = field(default_factory=Draft)

    @property
    def session_id(self) -> UUID:
        """The conversation."""
        return self.key.session_id

    def answer(self) -> Answer:
        """The answer as far as it is written."""
        grounded, draft = self.writer.finished(), self.draft
        meta = dict(draft.meta)
        if draft.trouble:
            meta["notice"] = {"text": draft.trouble.message, "retry": draft.trouble.retry}
        checked = {
            "removed": grounded.removed,
            "uncited": grounded.uncited,
            "unsupported": grounded.unsupported,
        }
        # A wizard's text comes from its form and a refusal names a fix: neither cites sources.
        if any(checked.values()) and draft.intent != "wizard":
            meta["checked"] = checked
        text = grounded.text
        if (draft.method or "").startswith("model:"):
            text = mark(text, grounded.uncited, grounded.unsupported)
        return Answer(
            content=text,
            intent=draft.intent,
            method=draft.method,
            citations=[reference_to(each.number, each.source) for each in grounded.references],
            tool_calls=within_message([_as_stored(call) for call in self.writer.calls.values()]),
            actions=draft.actions,
            meta=meta,
        )


def _as_stored(call: CalledTool) -> CalledTool:
    """A tool call as stored: one still running at the end of the turn is marked as stopped."""
    if call.status != "running":
        return call
    return call.model_copy(
        update={"status": "stopped", "summary": "still running when the answer ended"}
    )
