"""One answer in a conversation with tools, streamed: text as it is written, then what it wants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from whence.kernel import metrics
from whence.kernel.errors import BudgetExceeded
from whence.llm.calls import arriving
from whence.llm.choice import Provider
from whence.llm.failures import ModelFailed, Reason
from whence.llm.messages import Answer, Stop, stop_of, tokens_of
from whence.llm.meter import Meter
from whence.llm.models import ChatModel
from whence.llm.retries import RetryPolicy
from whence.llm.streaming import TextDelta
from whence.llm.toolwords import (
    CallPiece,
    Line,
    ToolSpec,
    Wanted,
    WantedCalls,
    call_pieces,
    estimate_lines,
    lines_to_client,
    tools_to_client,
)

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage

CHAT_POLICY = RetryPolicy(tries=3, base_seconds=0.5, longest_wait=5.0)
"""A person watches: what takes longer to pass than a few seconds is told instead."""
SILENCE_SECONDS = 20.0
"""Longest pause in the middle of an answer.  Before its first piece a model may think for as long
as `WHENCE_MODEL_TIMEOUT` says; once it writes, a pause like this means that it has gone."""

AnswerStatus = Literal["complete", "cut", "truncated", "refused", "failed", "budget"]
_STATUS: dict[Stop, AnswerStatus] = {
    "complete": "complete",
    "truncated": "truncated",
    "refused": "refused",
    "interrupted": "cut",
}
_REASON: dict[Stop, Reason] = {"truncated": "truncated", "refused": "refused"}
Request: TypeAlias = "Callable[[BaseChatModel], AsyncIterator[AIMessage]]"


@dataclass(frozen=True)
class Ended:
    """The end of one answer, always the last event.

    `wanted` is filled only where the answer is complete: half a call is none.  `cut`: the stream
    broke, and `text` is what had arrived.  `failed`: nothing came.
    """

    status: AnswerStatus
    text: str = ""
    wanted: tuple[Wanted, ...] = ()
    reason: Reason | Literal["budget"] | None = None
    detail: str | None = None


async def stream_answer(
    model: ChatModel,
    lines: Sequence[Line],
    tools: Sequence[ToolSpec],
    meter: Meter,
    policy: RetryPolicy = CHAT_POLICY,
    *,
    may_call: bool = True,
) -> AsyncGenerator[TextDelta | Ended]:
    """Ask once, with these tools; never raises for an error of the model.

    Tries again after a passing error only while nothing has been shown, and never after a silence
    (the person has waited long enough).  `may_call=False` tells the model of the tools that the
    lines speak of, and forbids them.  The use is reserved in and counted by `meter`, whoever
    leaves early; the caller closes it.
    """
    expected_in, failed, wait = estimate_lines(lines, tools), 0, 0.0
    request = _request(model.choice.provider, lines, tools, may_call=may_call)
    while True:
        try:
            await meter.reserve(expected_in, wait)
        except BudgetExceeded as refusal:
            yield Ended("budget", reason="budget", detail=refusal.message)
            return
        if wait:
            metrics.tried_again("model")
            await asyncio.sleep(wait)
        heard = _Heard()
        failure: ModelFailed | None = None
        try:
            async with aclosing(_pieces(model, request)) as pieces:
                async for piece in pieces:
                    heard.add(piece)
                    if piece.text:
                        yield TextDelta(piece.text)
        except ModelFailed as error:
            failure = error
        finally:
            _count(meter, heard, failure, expected_in)
        if failure is None and heard.stop == "interrupted":
            failure = ModelFailed("interrupted", "The stream ended before the answer did")
        if failure is None:
            yield heard.end
            return
        failed += 1
        again = None
        if not heard.text and failure.reason != "timeout":
            again = policy.wait(failed, failure)
        if again is None:
            status = "cut" if heard.text else "failed"
            yield Ended(status, heard.text, (), failure.reason, failure.detail)
            return
        wait = again


def _request(
    provider: Provider, lines: Sequence[Line], tools: Sequence[ToolSpec], *, may_call: bool
) -> Request:
    sent: Any = lines_to_client(lines)
    # Ollama has no way to forbid tools but not to offer them; the others want to know the tools
    # that the lines speak of.
    offered = tools if may_call or provider != "ollama" else ()
    if not offered:
        return lambda client: client.astream(sent)
    forbid: dict[str, Any] = {}
    if not may_call:
        forbid["tool_choice"] = {"type": "none"} if provider == "anthropic" else "none"
    told = tools_to_client(offered)
    return lambda client: client.bind_tools(told, **forbid).astream(sent)


def _pieces(model: ChatModel, request: Request) -> AsyncGenerator[_Piece]:
    return arriving(model, request, _read, min(SILENCE_SECONDS, model.choice.timeout))


def _count(meter: Meter, heard: _Heard, failure: ModelFailed | None, expected_in: int) -> None:
    if failure is not None and not heard.any:
        meter.count_failure(failure, expected_in)
    else:
        meter.count(heard.answer, expected_in)


@dataclass(frozen=True)
class _Piece:
    text: str
    stop: Stop
    tokens: tuple[int, int] | None
    calls: tuple[CallPiece, ...]


def _read(chunk: AIMessage) -> _Piece:
    return _Piece(str(chunk.text), stop_of(chunk), tokens_of(chunk), call_pieces(chunk))


class _Heard:
    """What has arrived of an answer."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._calls = WantedCalls()
        self._tokens: tuple[int, int] | None = None
        self.stop: Stop = "interrupted"
        self.any = False

    def add(self, piece: _Piece) -> None:
        self.any = True
        self._texts.append(piece.text)
        for call in piece.calls:
            self._calls.add(call)
        # A refusal stays one: the stream that brings it ends with an ordinary stop.
        if piece.stop != "interrupted" and self.stop != "refused":
            self.stop = piece.stop
        if piece.tokens:
            before = self._tokens or (0, 0)
            self._tokens = before[0] + piece.tokens[0], before[1] + piece.tokens[1]

    @property
    def text(self) -> str:
        return "".join(self._texts)

    @property
    def answer(self) -> Answer:
        """For the count: its tokens hold only when the provider said that it had ended."""
        tokens = None if self.stop == "interrupted" else self._tokens
        return Answer(self.text + self._calls.text, self.stop, tokens)

    @property
    def end(self) -> Ended:
        status = _STATUS[self.stop]
        wanted = tuple(self._calls) if status == "complete" else ()
        return Ended(status, self.text, wanted, _REASON.get(self.stop))
