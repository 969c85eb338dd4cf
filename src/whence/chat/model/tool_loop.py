"""One answer of a model with tools: at most five rounds of calls, then an answer without tools.

The tools a model may call are fixed in advance; no text can talk it into calling any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, JsonValue

from whence.chat.citing.sources import SourceBook
from whence.chat.model.prompting import ANSWER_NOW, MAX_ROUNDS, ChatPrompt
from whence.chat.model.tool_results import render_result, spec_of
from whence.kernel import log
from whence.kernel.errors import Forbidden, Invalid, NotFound, WhenceError
from whence.llm.budget import Spend
from whence.llm.chatting import AnswerEnd, AnswerStatus, stream_answer
from whence.llm.messages import Message
from whence.llm.meter import Meter
from whence.llm.models import ChatModel
from whence.llm.runtime import SkillRuntime
from whence.llm.tool_messages import ChatMessage, RequestedCall, ToolRequests, ToolResult
from whence.tenancy.principal import Scope
from whence.tools.tool import Tool

PURPOSE = "chat.answer"
"""The purpose of these model calls in the call log."""
MAX_CALLS = 8
"""Calls in one round; a model that makes more is going astray and burdens the database."""
TOOL_SECONDS = 15.0
"""The longest wait for one attempt of a tool: a person is waiting."""

Arguments = Mapping[str, JsonValue]
CallStatus = Literal["running", "ok", "failed", "refused"]
LoopStatus = AnswerStatus | Literal["stopped"]
_REFUSALS = (Invalid, Forbidden, NotFound)
"""Errors that a retry of the same call would meet again."""
_log = log.get(__name__)


@dataclass(frozen=True)
class ToolCall:
    """A tool call, reported to the reader under one id when it starts and when it ends."""

    id: str
    name: str
    arguments: Arguments
    status: CallStatus
    summary: str | None = None
    """A short summary of the result, or why there is none."""
    result: BaseModel | None = None


@dataclass(frozen=True)
class LoopResult:
    """How the answer ended.  `text` is what the model wrote, with its markers."""

    status: LoopStatus
    text: str
    calls: tuple[ToolCall, ...]
    """The calls that ended."""
    rounds: int
    reason: str | None = None
    detail: str | None = None
    spent: Spend = field(default_factory=Spend)

    @property
    def unread(self) -> tuple[str, ...]:
        """The tools that failed, even on a second attempt."""
        failed = (call.name for call in self.calls if call.status == "failed")
        return tuple(dict.fromkeys(failed))


@dataclass(frozen=True)
class Listeners:
    """Callbacks for the answer in progress; an exception they raise ends it."""

    on_text: Callable[[str], Awaitable[None]]
    on_tool: Callable[[ToolCall], Awaitable[None]]


def readable(tools: Sequence[Tool]) -> list[Tool]:
    """The tools a model may use: changes are made by proposal, never by a model's call."""
    return [tool for tool in tools if tool.scope is Scope.READ]


async def answer(
    runtime: SkillRuntime,
    model: ChatModel,
    prompt: ChatPrompt,
    tools: Sequence[Tool],
    call: Callable[[Tool, Arguments], Awaitable[BaseModel]],
    book: SourceBook,
    on_text: Callable[[str], Awaitable[None]],
    on_tool: Callable[[ToolCall], Awaitable[None]],
    stop: asyncio.Event | None = None,
    first_piece: float | None = None,
) -> LoopResult:
    """Let the model answer; results of tools go into `book`.

    Never raises for an error of the model or of a tool.  Ends as `stopped` when `stop` is set.  If
    the task is cancelled or a listener raises, the exception reaches the caller after the use of
    the model has been recorded.  `first_piece`: seconds to wait for the beginning of an answer; by
    default the model's timeout.  All of `text` has been passed to `on_text` before.
    """
    meter = runtime.meter(PURPOSE, prompt.version, model)
    offered = {tool.name: tool for tool in readable(tools)}
    listeners = Listeners(on_text, on_tool)
    turn = _Turn(runtime, model, meter, offered, call, book, listeners, first_piece)
    answer_task = asyncio.create_task(turn.run(prompt.messages))
    stop_task = asyncio.create_task((stop or asyncio.Event()).wait())
    try:
        await asyncio.wait({answer_task, stop_task}, return_when=asyncio.FIRST_COMPLETED)
        return answer_task.result() if answer_task.done() else turn.result("stopped")
    finally:
        answer_task.cancel()
        stop_task.cancel()
        await asyncio.gather(answer_task, stop_task, return_exceptions=True)


class _Turn:
    """An answer in progress."""

    def __init__(
        self,
        runtime: SkillRuntime,
        model: ChatModel,
        meter: Meter,
        tools: Mapping[str, Tool],
        call: Callable[[Tool, Arguments], Awaitable[BaseModel]],
        book: SourceBook,
        listeners: Listeners,
        first_piece: float | None,
    ) -> None:
        self._policy = runtime.policy
        self._model = model
        self._meter = meter
        self._tools = tools
        self._call = call
        self._book = book
        self._listeners, self._first_piece = listeners, first_piece
        self._pieces: list[str] = []
        self._calls: list[ToolCall] = []
        self._rounds = 0

    async def run(self, messages: Sequence[Message]) -> LoopResult:
        """Ask the model and call tools until there is an answer or a reason for having none."""
        try:
            result = await self._run_rounds(list(messages))
            complete = result.status == "complete"
            self._meter.blame(result.reason or (None if complete else result.status), result.detail)
            # A stop at this moment must not lose the record of the call.
            await asyncio.shield(self._meter.close("ok" if complete else "error"))
            return result
        finally:
            await asyncio.shield(self._meter.close("error"))

    def result(self, status: LoopStatus, end: AnswerEnd | None = None) -> LoopResult:
        """The result so far."""
        failure = (end.reason, end.detail) if end else (None, None)
        text, calls = "".join(self._pieces), tuple(self._calls)
        return LoopResult(status, text, calls, self._rounds, *failure, self._meter.spent)

    async def _run_rounds(self, messages: list[ChatMessage]) -> LoopResult:
        while True:
            may_call = self._rounds < MAX_ROUNDS
            if not may_call:
                messages.append(Message("user", ANSWER_NOW))
            end = await self._ask(messages, may_call=may_call)
            if end.status != "complete":
                # Text of earlier rounds was already shown, so an answer that fails now is cut off.
                broken = end.status == "failed" and self._pieces
                return self.result("cut" if broken else end.status, end)
            if not end.calls or not may_call:
                if end.text.strip():
                    return self.result("complete")
                return self.result("failed", AnswerEnd("failed", reason="empty"))
            self._rounds += 1
            messages.append(ToolRequests(end.text, end.calls))
            messages += await self._call_all(end.calls)

    async def _ask(self, messages: Sequence[ChatMessage], *, may_call: bool) -> AnswerEnd:
        specs = [spec_of(tool) for tool in self._tools.values()]
        started = False
        events = stream_answer(
            self._model,
            messages,
            specs,
            self._meter,
            self._policy,
            may_call=may_call,
            first_piece=self._first_piece,
        )
        async with aclosing(events):
            async for event in events:
                if isinstance(event, AnswerEnd):
                    return event
                if not started and self._pieces:
                    await self._say("\n\n")
                started = True
                await self._say(event.text)
        raise AssertionError("an answer ends with AnswerEnd")

    async def _say(self, text: str) -> None:
        self._pieces.append(text)
        await self._listeners.on_text(text)

    async def _call_all(self, requests: Sequence[RequestedCall]) -> list[ToolResult]:
        """Make all calls of a round concurrently; each is reported when it ends."""
        tasks: list[asyncio.Task[tuple[ToolCall, ToolResult]]] = []
        try:
            for number, request in enumerate(requests):
                if refusal := self._refusal(request, number):
                    tasks.append(asyncio.create_task(_refused(request, refusal)))
                else:
                    running = ToolCall(request.id, request.name, request.arguments or {}, "running")
                    await self._listeners.on_tool(running)
                    tasks.append(asyncio.create_task(self._call_one(request)))
            for finished in asyncio.as_completed(tasks):
                tool_call, _ = await finished
                self._calls.append(tool_call)
                await self._listeners.on_tool(tool_call)
        finally:
            for task in tasks:
                task.cancel()
        return [task.result()[1] for task in tasks]

    def _refusal(self, request: RequestedCall, number: int) -> str | None:
        if request.name not in self._tools:
            return f"There is no such tool. Available tools: {', '.join(self._tools) or 'none'}."
        if request.arguments is None:
            return "The arguments are not a JSON object; follow the tool's schema."
        if number >= MAX_CALLS:
            return f"At most {MAX_CALLS} calls at once; ask for this one in the next round."
        return None

    async def _call_one(self, request: RequestedCall) -> tuple[ToolCall, ToolResult]:
        """Call a tool; retry once if that may help."""
        tool, arguments = self._tools[request.name], request.arguments or {}
        outcome = await self._try_once(tool, arguments)
        if isinstance(outcome, Exception) and not isinstance(outcome, _REFUSALS):
            outcome = await self._try_once(tool, arguments)
        if isinstance(outcome, BaseModel):
            result = render_result(tool, outcome, self._book)
            ended = ToolCall(request.id, request.name, arguments, "ok", result.summary, outcome)
            return ended, ToolResult(request.id, request.name, result.text)
        if isinstance(outcome, _REFUSALS):
            return await _refused(request, outcome.message)
        why = _why(outcome)
        _log.warning("chat_tool_failed", tool=request.name, error=repr(outcome))
        text = f"The tool failed: {why} Say so if it matters to the answer."
        tool_call = ToolCall(
            request.id, request.name, arguments, "failed", f"could not be read: {why}"
        )
        return tool_call, ToolResult(request.id, request.name, text, failed=True)

    async def _try_once(self, tool: Tool, arguments: Arguments) -> BaseModel | Exception:
        """Call a tool once.  It is a pack's own code: an exception is its result and does not end
        the turn.

        A tool that takes too long is cancelled but not waited for: it may ignore that.
        """
        attempt = asyncio.ensure_future(self._call(tool, arguments))
        attempt.add_done_callback(_discard_failure)
        try:
            finished, _ = await asyncio.wait({attempt}, timeout=TOOL_SECONDS)
        finally:
            attempt.cancel()
        if not finished or attempt.cancelled():
            return TimeoutError()
        failure = attempt.exception()
        if failure is None:
            return attempt.result()
        if isinstance(failure, Exception):
            return failure
        raise failure


def _discard_failure(attempt: asyncio.Future[BaseModel]) -> None:
    """Retrieve the exception of an attempt that nobody waits for any more."""
    if not attempt.cancelled():
        attempt.exception()


async def _refused(request: RequestedCall, why: str) -> tuple[ToolCall, ToolResult]:
    tool_call = ToolCall(request.id, request.name, request.arguments or {}, "refused", why)
    return tool_call, ToolResult(request.id, request.name, f"Refused: {why}", failed=True)


def _why(error: Exception) -> str:
    if isinstance(error, WhenceError):
        return error.message
    if isinstance(error, TimeoutError):
        return f"it took longer than {TOOL_SECONDS:.0f} seconds."
    return "it failed."
