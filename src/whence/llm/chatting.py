"""One answer in a conversation with tools, streamed: text as it is written, then tool calls."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from whence.kernel.errors import BudgetExceeded
from whence.kernel.retry import RetryPolicy
from whence.llm.calls import arriving
from whence.llm.choice import Provider
from whence.llm.exchanges import CONVERSATION_CHARACTERS
from whence.llm.failures import ModelFailed, Reason, is_passing
from whence.llm.messages import Answer, Stop, stop_of, tokens_of
from whence.llm.meter import Meter
from whence.llm.models import ChatModel
from whence.llm.tool_messages import (
    CallPiece,
    ChatMessage,
    RequestedCall,
    RequestedCalls,
    ToolSpec,
    call_pieces,
    chat_to_client,
    estimate_messages,
    tools_to_client,
)

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage

CHAT_POLICY = RetryPolicy(longest_wait=5.0)
"""A person is waiting: an error that takes longer than a few seconds to pass is shown instead."""
SILENCE_SECONDS = 20.0
"""Longest pause in the middle of an answer.  Before its first piece a model may think for
`WHENCE_MODEL_TIMEOUT`; once it writes, a pause this long means that it is gone."""

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
class TextDelta:
    """The next piece of an answer's text."""

    text: str


@dataclass(frozen=True)
class AnswerEnd:
    """The end of one answer, always the last event.

    `calls` is filled only where the answer is complete: half a call is none.  `cut`: the stream
    broke, and `text` is what had arrived.  `failed`: nothing came.
    """

    status: AnswerStatus
    text: str = ""
    calls: tuple[RequestedCall, ...] = ()
    reason: Reason | Literal["budget"] | None = None
    detail: str | None = None


async def stream_answer(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    tools: Sequence[ToolSpec],
    meter: Meter,
    policy: RetryPolicy = CHAT_POLICY,
    *,
    may_call: bool = True,
    first_piece: float | None = None,
) -> AsyncGenerator[TextDelta | AnswerEnd]:
    """Ask once, with these tools; never raises for an error of the model.

    Tries again after a passing error only while nothing has been shown, and never after a silence
    (the person has waited long enough).  `may_call=False` tells the model of the tools that the
    messages speak of, and forbids them.  `first_piece`: the longest wait for the beginning of the
    answer in seconds, at most the model's timeout.  The use is reserved in and counted by `meter`,
    whoever leaves early; the caller closes it.
    """
    expected_in = estimate_messages(messages, tools)
    request = _request(model.choice.provider, messages, tools, may_call=may_call)
    received = _Received(model.choice.answer_characters)

    def may_pass(error: BaseException) -> bool:
        is_silence = isinstance(error, ModelFailed) and error.reason == "timeout"
        return is_passing(error) and not received.text and not is_silence

    async def reserve(wait: float) -> None:
        await meter.reserve(expected_in, wait)

    try:
        await reserve(0.0)
        async for attempt in policy.attempts("model", may_pass, reserve):
            with attempt:
                received = _Received(model.choice.answer_characters)
                failure: ModelFailed | None = None
                try:
                    async with aclosing(_pieces(model, request, first_piece)) as pieces:
                        async for piece in pieces:
                            if text := received.add(piece):
                                yield TextDelta(text)
                            if received.is_full:
                                break
                except ModelFailed as error:
                    failure = error
                    raise
                finally:
                    _count(meter, received, failure, expected_in)
                    meter.note_exchange(
                        messages, received.answer.text or None, tools, CONVERSATION_CHARACTERS
                    )
                if received.stop == "interrupted":
                    raise ModelFailed("interrupted", "The stream ended before the answer did")
    except BudgetExceeded as refusal:
        yield AnswerEnd("budget", reason="budget", detail=refusal.message)
    except ModelFailed as failure:
        status = "cut" if received.text else "failed"
        yield AnswerEnd(status, received.text, (), failure.reason, failure.detail)
    else:
        yield received.end


def _request(
    provider: Provider,
    messages: Sequence[ChatMessage],
    tools: Sequence[ToolSpec],
    *,
    may_call: bool,
) -> Request:
    sent: Any = chat_to_client(messages)
    # Ollama has no way to forbid tools but not to offer them; the others want to know the tools
    # that the messages speak of.
    offered = tools if may_call or provider != "ollama" else ()
    if not offered:
        return lambda client: client.astream(sent)
    forbid: dict[str, Any] = {}
    if not may_call:
        forbid["tool_choice"] = {"type": "none"} if provider == "anthropic" else "none"
    specs = tools_to_client(offered)
    return lambda client: client.bind_tools(specs, **forbid).astream(sent)


def _pieces(
    model: ChatModel, request: Request, first_piece: float | None
) -> AsyncGenerator[_Piece]:
    silence = min(SILENCE_SECONDS, model.choice.timeout)
    return arriving(model, request, _read, silence, first_piece)


def _count(
    meter: Meter, received: _Received, failure: ModelFailed | None, expected_in: int
) -> None:
    if failure is not None and not received.any:
        meter.count_failure(failure, expected_in)
    else:
        meter.count(received.answer, expected_in)


@dataclass(frozen=True)
class _Piece:
    text: str
    stop: Stop
    tokens: tuple[int, int] | None
    calls: tuple[CallPiece, ...]


def _read(chunk: AIMessage) -> _Piece:
    return _Piece(str(chunk.text), stop_of(chunk), tokens_of(chunk), call_pieces(chunk))


class _Received:
    """What has arrived of an answer."""

    def __init__(self, limit: int) -> None:
        self._room = limit
        self._texts: list[str] = []
        self._calls = RequestedCalls()
        self._tokens: tuple[int, int] | None = None
        self.stop: Stop = "interrupted"
        self.any = False

    @property
    def is_full(self) -> bool:
        """Whether the answer has reached its maximum length; the rest is not taken."""
        return self._room < 0

    def add(self, piece: _Piece) -> str:
        """Add a piece; the part of its text for which there is room."""
        self.any = True
        text = piece.text[: max(self._room, 0)]
        self._texts.append(text)
        self._room -= len(piece.text) + sum(len(call.arguments) for call in piece.calls)
        for call in piece.calls:
            self._calls.add(call)
        # A refusal stays one: the stream that brings it ends with an ordinary stop.
        if piece.stop != "interrupted" and self.stop != "refused":
            self.stop = piece.stop
        if piece.tokens:
            before = self._tokens or (0, 0)
            self._tokens = before[0] + piece.tokens[0], before[1] + piece.tokens[1]
        if self.is_full and self.stop != "refused":
            self.stop = "truncated"
        return text

    @property
    def text(self) -> str:
        return "".join(self._texts)

    @property
    def answer(self) -> Answer:
        """For the count: its tokens hold only when the provider said that it had ended."""
        tokens = None if self.stop == "interrupted" else self._tokens
        return Answer(self.text + self._calls.text, self.stop, tokens)

    @property
    def end(self) -> AnswerEnd:
        status = _STATUS[self.stop]
        calls = tuple(self._calls) if status == "complete" else ()
        return AnswerEnd(status, self.text, calls, _REASON.get(self.stop))
