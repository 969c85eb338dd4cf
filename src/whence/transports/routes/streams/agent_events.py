"""The agent's own events: one turn of a conversation, for a client that shows the page.

`docs/reference/events.md` documents each of them; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal
from uuid import UUID

from whence.chat.transcript.views import CalledTool, Cited, FinalStatus, MessageAnswer
from whence.kernel.text import camel
from whence.kernel.wire import Wire

PROPOSE = "propose_change"
RESEARCH = "start_research"
"""Actions of the engine itself, shown as tool calls."""
Status = Literal["done", "failed"]
_STATUS: Mapping[str, Status] = {"ok": "done", "done": "done"}


class AgentEvent(Wire):
    """The base of the agent's events."""

    type: ClassVar[str]

    def shown(self) -> dict[str, Any]:
        """The event as sent."""
        return {"type": self.type, **self.model_dump(mode="json", by_alias=True)}


class Conversation(AgentEvent):
    """The first event: the ids of the conversation, the message and the answer."""

    type: ClassVar[str] = "conversation"
    conversation_id: UUID
    message_id: UUID
    """The id of the person's message."""
    answer_id: UUID
    turn_id: UUID
    title: str
    context: dict[str, Any]
    """The page the message was sent from."""


class Gap(AgentEvent):
    """Events were lost: discard this answer, which follows from its beginning."""

    type: ClassVar[str] = "gap"
    conversation_id: UUID
    answer_id: UUID
    turn_id: UUID


class TextDelta(AgentEvent):
    """A piece of the answer, to append."""

    type: ClassVar[str] = "text_delta"
    content: str


class ToolCallStart(AgentEvent):
    """A tool was called.  A call refused at once only has a result."""

    type: ClassVar[str] = "tool_call_start"
    call_id: str
    tool_name: str
    args: dict[str, Any]


class ToolCallResult(AgentEvent):
    """The result of a call."""

    type: ClassVar[str] = "tool_call_result"
    call_id: str
    tool_name: str
    status: Status
    summary: str | None
    action: dict[str, Any] | None = None
    """The proposed change, which the person can apply; nothing has changed yet."""


class Trouble(AgentEvent):
    """Something went wrong; the answer so far is kept."""

    type: ClassVar[str] = "error"
    message: str
    problem: str | None = None
    """If the stream ends with it: the type of the problem."""


class Notice(AgentEvent):
    """Something to tell the person beside the answer, such as that the page is not known."""

    type: ClassVar[str] = "notice"
    message: str


class Done(AgentEvent):
    """The last event: the complete answer as stored."""

    type: ClassVar[str] = "done"
    conversation_id: UUID
    message_id: UUID
    """The id of the answer."""
    turn_id: UUID | None
    status: FinalStatus
    content: str
    """The complete text; streamed text may have contained addresses that no reference has."""
    references: list[Cited]
    intent: str | None
    method: str | None
    offer: str | None
    """`research`, if the answer offers to start it."""


AGENT_EVENTS: tuple[type[AgentEvent], ...] = (
    Conversation,
    Gap,
    TextDelta,
    ToolCallStart,
    ToolCallResult,
    Trouble,
    Notice,
    Done,
)


def of_event(kind: str, payload: Mapping[str, Any], answer_id: str) -> list[AgentEvent]:
    """The agent events for an event of the conversation's log; none for events of other answers."""
    if kind == "message":
        if payload["id"] != answer_id:
            return []
        return end_events(MessageAnswer.model_validate(payload, extra="ignore"))
    if payload.get("messageId") != answer_id:
        return []
    makers: dict[str, Callable[[], AgentEvent]] = {
        "token": lambda: TextDelta(content=payload["token"]),
        "tool_call": lambda: _call(payload),
        "error": lambda: Trouble(message=payload["message"]),
    }
    return [makers[kind]()] if kind in makers else []


def of_answer(
    message: MessageAnswer, calls: Sequence[Mapping[str, Any]], first: AgentEvent
) -> list[AgentEvent]:
    """A turn from its beginning, as far as it is; `calls` are those of an unfinished answer."""
    is_ended = message.status != "streaming"
    events = [first]
    if is_ended:
        for number, call in enumerate(message.tool_calls, start=1):
            events += _stored(f"call_{number}", call)
    else:
        events += [_call(call) for call in calls]
    if message.content:
        events.append(TextDelta(content=message.content))
    if not is_ended:
        return events
    if notice := message.meta.get("notice"):
        events.append(Trouble(message=notice["text"]))
    return events + end_events(message)


def end_events(message: MessageAnswer) -> list[AgentEvent]:
    """The end of an answer: its proposals, started research and notice, then all of it."""
    events: list[AgentEvent] = []
    for index, action in enumerate(message.actions):
        changes = {each["field"]: each["after"] for each in action.get("changes", ())}
        called: Mapping[str, str] = action.get("called", {})
        action_id = str(action.get("id", index))
        fields = ", the ".join(called.get(field, field) for field in changes)
        events += [
            ToolCallStart(call_id=action_id, tool_name=PROPOSE, args={"changes": changes}),
            ToolCallResult(
                call_id=action_id,
                tool_name=PROPOSE,
                status="done",
                summary=f"proposes to change the {fields}",
                action={**action, "actionIndex": index},
            ),
        ]
    if job := message.meta.get("research", {}).get("jobId"):
        events += [
            ToolCallStart(call_id=job, tool_name=RESEARCH, args={}),
            ToolCallResult(
                call_id=job, tool_name=RESEARCH, status="done", summary=f"job {job} is under way"
            ),
        ]
    if notice := message.meta.get("pageNotice"):
        events.append(Notice(message=notice))
    return [*events, _done(message)]


def _done(message: MessageAnswer) -> Done:
    assert message.status != "streaming"
    return Done(
        conversation_id=message.session_id,
        message_id=message.id,
        turn_id=message.turn_id,
        status=message.status,
        content=message.content,
        references=message.citations,
        intent=message.intent,
        method=message.method,
        offer=message.meta.get("offer"),
    )


def _call(payload: Mapping[str, Any]) -> AgentEvent:
    call_id, name = payload["callId"], payload["name"]
    if payload["status"] == "running":
        return ToolCallStart(call_id=call_id, tool_name=name, args=payload["arguments"])
    return _result(call_id, name, payload["status"], payload.get("summary"))


def _stored(call_id: str, call: CalledTool) -> list[AgentEvent]:
    started = ToolCallStart(call_id=call_id, tool_name=call.name, args=call.arguments)
    return [started, _result(call_id, call.name, call.status, call.summary)]


def _result(call_id: str, name: str, status: str, summary: str | None) -> ToolCallResult:
    return ToolCallResult(
        call_id=call_id,
        tool_name=name,
        status=_STATUS.get(status, "failed"),
        summary=summary,
    )


def names(event: type[AgentEvent]) -> list[str]:
    """The wire names of an event's fields."""
    return [camel(name) for name in event.model_fields]
