"""One turn in the making: what was asked, by whom, and the writer of its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from whence.chat.citing.grounding import Grounded
from whence.chat.citing.safe_markup import AnswerFilter
from whence.chat.citing.sources import SourceBook
from whence.chat.transcript.views import Answer, CalledTool, Ended, cited
from whence.chat.turns.dependencies import TurnDependencies
from whence.chat.turns.live import Line, LiveEvents
from whence.chat.turns.turn_subject import About
from whence.events.chat import Token, ToolCallEvent
from whence.tenancy.principal import Principal


class AnswerWriter:
    """An answer while it is written: what may be shown goes to the readers, and is kept."""

    def __init__(self, live: LiveEvents, line: Line, message_id: UUID) -> None:
        self.book = SourceBook()
        self.calls: dict[str, CalledTool] = {}
        self._screen = AnswerFilter(self.book)
        self._live = live
        self._line = line
        self._message_id = message_id
        self._finished: Grounded | None = None

    async def say(self, text: str) -> None:
        """A piece of the answer, with markers; a marker may be split over pieces."""
        self._show(self._screen.feed(text))

    def finished(self) -> Grounded:
        """No more is said; the answer with its references."""
        if self._finished is None:
            self._show(self._screen.end())
            self._finished = self._screen.result()
        return self._finished

    async def call(self, call_id: str, tool: CalledTool) -> None:
        """A tool was called, or has answered."""
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
            }
        )
        self._live.put(self._line, event)

    def _show(self, text: str) -> None:
        if text:
            self._live.put(self._line, Token(message_id=self._message_id, token=text))


@dataclass(frozen=True)
class Trouble:
    """Why an answer was not given, or not to its end."""

    error: str
    message: str
    retry: bool = True


@dataclass
class Draft:
    """What of an answer is no text; kept here so that an interrupted turn has it as well."""

    intent: str | None = None
    method: str | None = None
    status: Ended = "complete"
    trouble: Trouble | None = None
    last_seq: int | None = None
    """Of the event that said that the turn is over."""
    actions: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    meta: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Turn:
    """What the flow's nodes are given beside their state."""

    deps: TurnDependencies
    live: LiveEvents
    who: Principal
    line: Line
    about: About
    message_id: UUID
    """Of the answer."""
    ordinal: int
    """Of the message that is answered."""
    content: str
    wizard_input: Mapping[str, Any] | None
    writer: AnswerWriter
    draft: Draft = field(default_factory=Draft)

    @property
    def session_id(self) -> UUID:
        """The conversation."""
        return self.line.session_id

    def answer(self) -> Answer:
        """What there is of the answer now."""
        said, draft = self.writer.finished(), self.draft
        meta = dict(draft.meta)
        if draft.trouble:
            meta["notice"] = {"text": draft.trouble.message, "retry": draft.trouble.retry}
        checked = {
            "removed": said.removed,
            "uncited": said.uncited,
            "unsupported": said.unsupported,
        }
        # A wizard's words are its form's, a refusal's tell the fix: neither answers from sources.
        if any(checked.values()) and draft.intent != "wizard":
            meta["checked"] = checked
        return Answer(
            content=said.text,
            intent=draft.intent,
            method=draft.method,
            citations=[cited(each.number, each.source) for each in said.references],
            tool_calls=[_ended(call) for call in self.writer.calls.values()],
            actions=draft.actions,
            meta=meta,
        )


def _ended(call: CalledTool) -> CalledTool:
    """A call as it is kept: one that was under way when the turn ended was not waited for."""
    if call.status != "running":
        return call
    return call.model_copy(update={"status": "stopped", "summary": "was not waited for"})
