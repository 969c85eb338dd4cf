"""One answer of a model with tools: at most five rounds of calls, then the answer without them.

What a model may call is decided here, before it says a word: the tools given, and of these only
those that read.  Whatever it was talked into, by whatever text, it has nothing else.
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
from whence.chat.model.tool_results import given, spec_of
from whence.kernel import log
from whence.kernel.errors import Forbidden, Invalid, NotFound, WhenceError
from whence.llm.budget import Spend
from whence.llm.chatting import AnswerStatus, Ended, stream_answer
from whence.llm.messages import Message
from whence.llm.meter import Meter
from whence.llm.models import ChatModel
from whence.llm.runtime import SkillRuntime
from whence.llm.tool_messages import Asked, Line, Told, Wanted
from whence.tenancy.principal import Scope
from whence.tools.tool import Tool

PURPOSE = "chat.answer"
"""Names this use of a model in the call log."""
MAX_CALLS = 8
"""Calls in one round; more at once is a model gone astray, and a burden on the database."""
TOOL_SECONDS = 15.0
"""Longest wait for one try of a tool: a person is watching."""

Arguments = Mapping[str, JsonValue]
CallStatus = Literal["running", "ok", "failed", "refused"]
LoopStatus = AnswerStatus | Literal["stopped"]
_REFUSALS = (Invalid, Forbidden, NotFound)
"""What the same call meets again however often it is tried."""
_log = log.get(__name__)


@dataclass(frozen=True)
class ToolCall:
    """A call as it is shown: told once when it begins and once when it ends, by the same id."""

    id: str
    name: str
    arguments: Arguments
    status: CallStatus
    summary: str | None = None
    """In a few words what it gave, or why it gave nothing."""


@dataclass(frozen=True)
class LoopResult:
    """How the answer went.  `text` is as the model wrote it, markers and all, however it ended."""

    status: LoopStatus
    text: str
    calls: tuple[ToolCall, ...]
    """Those that ended."""
    rounds: int
    reason: str | None = None
    detail: str | None = None
    spent: Spend = field(default_factory=Spend)

    @property
    def unread(self) -> tuple[str, ...]:
        """The tools that could not be read, after a second try."""
        failed = (call.name for call in self.calls if call.status == "failed")
        return tuple(dict.fromkeys(failed))


@dataclass(frozen=True)
class Listeners:
    """Who hears of the answer while it is made; what they raise ends it."""

    on_text: Callable[[str], Awaitable[None]]
    on_tool: Callable[[ToolCall], Awaitable[None]]


def readable(tools: Sequence[Tool]) -> list[Tool]:
    """The tools that a model may be offered: a change goes by proposal, never by a model's call."""
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
) -> LoopResult:
    """Let the model answer; results of tools go into `book`.

    Never raises for an error of the model or of a tool.  Ends as `stopped` when `stop` is set; when
    the task itself is cancelled, or a listener raises, that goes on to the caller after the use of
    the model was recorded.  All of `text` was given to `on_text` before.
    """
    meter = runtime.meter(PURPOSE, prompt.version, model)
    offered = {tool.name: tool for tool in readable(tools)}
    turn = _Turn(runtime, model, meter, offered, call, book, Listeners(on_text, on_tool))
    work = asyncio.create_task(turn.run(prompt.lines))
    told = asyncio.create_task((stop or asyncio.Event()).wait())
    try:
        await asyncio.wait({work, told}, return_when=asyncio.FIRST_COMPLETED)
        return work.result() if work.done() else turn.result("stopped")
    finally:
        work.cancel()
        told.cancel()
        await asyncio.gather(work, told, return_exceptions=True)


class _Turn:
    """An answer in the making."""

    def __init__(
        self,
        runtime: SkillRuntime,
        model: ChatModel,
        meter: Meter,
        tools: Mapping[str, Tool],
        call: Callable[[Tool, Arguments], Awaitable[BaseModel]],
        book: SourceBook,
        listeners: Listeners,
    ) -> None:
        self._policy = runtime.policy
        self._model = model
        self._meter = meter
        self._tools = tools
        self._call = call
        self._book = book
        self._listeners = listeners
        self._said: list[str] = []
        self._calls: list[ToolCall] = []
        self._rounds = 0

    async def run(self, lines: Sequence[Message]) -> LoopResult:
        """Ask, call, and ask again, until there is an answer or a reason why not."""
        try:
            result = await self._rounds_of(list(lines))
            complete = result.status == "complete"
            self._meter.blame(result.reason or (None if complete else result.status), result.detail)
            # A stop at this moment must not take the record with it.
            await asyncio.shield(self._meter.close("ok" if complete else "error"))
            return result
        finally:
            await asyncio.shield(self._meter.close("error"))

    def result(self, status: LoopStatus, end: Ended | None = None) -> LoopResult:
        """What there is so far."""
        said = (end.reason, end.detail) if end else (None, None)
        text, calls = "".join(self._said), tuple(self._calls)
        return LoopResult(status, text, calls, self._rounds, *said, self._meter.spent)

    async def _rounds_of(self, lines: list[Line]) -> LoopResult:
        while True:
            may_call = self._rounds < MAX_ROUNDS
            if not may_call:
                lines.append(Message("user", ANSWER_NOW))
            end = await self._ask(lines, may_call=may_call)
            if end.status != "complete":
                # What earlier rounds said was shown, so an answer that then fails is cut.
                broken = end.status == "failed" and self._said
                return self.result("cut" if broken else end.status, end)
            if not end.wanted or not may_call:
                if end.text.strip():
                    return self.result("complete")
                return self.result("failed", Ended("failed", reason="empty"))
            self._rounds += 1
            lines.append(Asked(end.text, end.wanted))
            lines += await self._call_all(end.wanted)

    async def _ask(self, lines: Sequence[Line], *, may_call: bool) -> Ended:
        specs = [spec_of(tool) for tool in self._tools.values()]
        begun = False
        events = stream_answer(
            self._model, lines, specs, self._meter, self._policy, may_call=may_call
        )
        async with aclosing(events):
            async for event in events:
                if isinstance(event, Ended):
                    return event
                if not begun and self._said:
                    await self._say("\n\n")
                begun = True
                await self._say(event.text)
        raise AssertionError("an answer ends with Ended")

    async def _say(self, text: str) -> None:
        self._said.append(text)
        await self._listeners.on_text(text)

    async def _call_all(self, wanted: Sequence[Wanted]) -> list[Told]:
        """All calls of a round side by side; each is told when it ends, in whatever order."""
        tasks: list[asyncio.Task[tuple[ToolCall, Told]]] = []
        try:
            for number, one in enumerate(wanted):
                if refusal := self._refusal(one, number):
                    tasks.append(asyncio.create_task(_refused(one, refusal)))
                else:
                    running = ToolCall(one.id, one.name, one.arguments or {}, "running")
                    await self._listeners.on_tool(running)
                    tasks.append(asyncio.create_task(self._try(one)))
            for done in asyncio.as_completed(tasks):
                ended, _ = await done
                self._calls.append(ended)
                await self._listeners.on_tool(ended)
        finally:
            for task in tasks:
                task.cancel()
        return [task.result()[1] for task in tasks]

    def _refusal(self, wanted: Wanted, number: int) -> str | None:
        if wanted.name not in self._tools:
            return f"There is no such tool. There are: {', '.join(self._tools) or 'none'}."
        if wanted.arguments is None:
            return "The arguments are not a JSON object; give them as the tool's schema says."
        if number >= MAX_CALLS:
            return f"At most {MAX_CALLS} calls at once; ask for this one in the next round."
        return None

    async def _try(self, wanted: Wanted) -> tuple[ToolCall, Told]:
        """Call a tool, and once more where that may help."""
        tool, arguments = self._tools[wanted.name], wanted.arguments or {}
        outcome = await self._once(tool, arguments)
        if isinstance(outcome, Exception) and not isinstance(outcome, _REFUSALS):
            outcome = await self._once(tool, arguments)
        if isinstance(outcome, BaseModel):
            result = given(tool, outcome, self._book)
            shown = ToolCall(wanted.id, wanted.name, arguments, "ok", result.summary)
            return shown, Told(wanted.id, wanted.name, result.text)
        if isinstance(outcome, _REFUSALS):
            return await _refused(wanted, outcome.message)
        why = _why(outcome)
        _log.warning("chat_tool_failed", tool=wanted.name, error=repr(outcome))
        words = f"It could not be read: {why} Say so where it matters to the answer."
        shown = ToolCall(wanted.id, wanted.name, arguments, "failed", f"could not be read: {why}")
        return shown, Told(wanted.id, wanted.name, words, failed=True)

    async def _once(self, tool: Tool, arguments: Arguments) -> BaseModel | Exception:
        """A tool is a pack's own code: whatever it raises is its result, not the turn's end.

        One that takes too long is told to stop and not waited for: it need not listen.
        """
        trying = asyncio.ensure_future(self._call(tool, arguments))
        trying.add_done_callback(_heard_out)
        try:
            done, _ = await asyncio.wait({trying}, timeout=TOOL_SECONDS)
        finally:
            trying.cancel()
        if not done or trying.cancelled():
            return TimeoutError()
        failure = trying.exception()
        if failure is None:
            return trying.result()
        if isinstance(failure, Exception):
            return failure
        raise failure


def _heard_out(trying: asyncio.Future[BaseModel]) -> None:
    """Take the failure of a try that nobody waits for any more."""
    if not trying.cancelled():
        trying.exception()


async def _refused(wanted: Wanted, why: str) -> tuple[ToolCall, Told]:
    shown = ToolCall(wanted.id, wanted.name, wanted.arguments or {}, "refused", why)
    return shown, Told(wanted.id, wanted.name, f"Refused: {why}", failed=True)


def _why(error: Exception) -> str:
    if isinstance(error, WhenceError):
        return error.message
    if isinstance(error, TimeoutError):
        return f"it took longer than {TOOL_SECONDS:.0f} seconds."
    return "it failed."
