"""Free text from a model as it is written, for chat: what arrived is kept, and marked if cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from whence.kernel.errors import BudgetExceeded
from whence.llm.budget import Spend
from whence.llm.calls import stream
from whence.llm.failures import ModelFailed
from whence.llm.messages import Answer, Message, Stop, estimate
from whence.llm.meter import Meter
from whence.llm.models import ChatModel
from whence.llm.retries import RetryPolicy
from whence.llm.runtime import current

StreamStatus = Literal["complete", "cut", "truncated", "refused", "failed", "no_model", "budget"]


@dataclass(frozen=True)
class TextDelta:
    """The next piece of the answer."""

    text: str


@dataclass(frozen=True)
class TextEnd:
    """The end of the answer, always the last event.

    `cut`: the stream broke in the middle and `text` is what had arrived.  `failed`: nothing came.
    """

    status: StreamStatus
    text: str = ""
    reason: str | None = None
    detail: str | None = None
    spent: Spend = field(default_factory=Spend)


_STATUS: dict[Stop, StreamStatus] = {
    "complete": "complete",
    "truncated": "truncated",
    "refused": "refused",
    "interrupted": "cut",
}


async def stream_text(
    messages: Sequence[Message], *, purpose: str, prompt_version: str = "1"
) -> AsyncGenerator[TextDelta | TextEnd]:
    """Stream an answer on the current runtime; never raises for an error of the model.

    Tries again after a passing error only while nothing has been shown.  `purpose` and
    `prompt_version` name the use in the call log.
    """
    runtime = current()
    if runtime is None or runtime.models.text is None:
        yield TextEnd("no_model")
        return
    model = runtime.models.text
    meter = runtime.meter(purpose, prompt_version, model)
    try:
        async for event in _events(model, messages, meter, runtime.policy):
            if isinstance(event, TextEnd):
                complete = event.status == "complete"
                meter.blame(event.reason or (None if complete else event.status), event.detail)
                await meter.close("ok" if complete else "error")
            yield event
    finally:
        await meter.close("error")


async def _events(
    model: ChatModel, messages: Sequence[Message], meter: Meter, policy: RetryPolicy
) -> AsyncGenerator[TextDelta | TextEnd]:
    expected_in, failed, wait = estimate(messages), 0, 0.0
    while True:
        try:
            await meter.reserve(expected_in, wait)
        except BudgetExceeded as refusal:
            yield TextEnd("budget", reason="budget", detail=refusal.message)
            return
        await asyncio.sleep(wait)
        heard = _Heard()
        try:
            async for piece in stream(model, messages):
                heard.add(piece)
                if piece.text:
                    yield TextDelta(piece.text)
        except ModelFailed as failure:
            failed += 1
            again = None if heard.text else policy.wait(failed, failure)
            if heard.text:
                meter.count(heard.answer, expected_in)
            else:
                meter.count_failure(failure, expected_in)
            if again is None:
                status: StreamStatus = "cut" if heard.text else "failed"
                text = heard.text
                yield TextEnd(status, text, failure.reason, failure.detail, meter.spent)
                return
            wait = again
        else:
            meter.count(heard.answer, expected_in)
            yield TextEnd(_STATUS[heard.stop], heard.text, spent=meter.spent)
            return


class _Heard:
    """What has arrived of a streamed answer."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._tokens: tuple[int, int] | None = None
        self.stop: Stop = "interrupted"

    def add(self, piece: Answer) -> None:
        self._pieces.append(piece.text)
        # A refusal stays one: the stream that brings it ends with an ordinary stop.
        if piece.stop != "interrupted" and self.stop != "refused":
            self.stop = piece.stop
        if piece.tokens:
            before = self._tokens or (0, 0)
            self._tokens = before[0] + piece.tokens[0], before[1] + piece.tokens[1]

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def answer(self) -> Answer:
        """The whole so far; its tokens count only when the provider said that it had ended."""
        return Answer(self.text, self.stop, None if self.stop == "interrupted" else self._tokens)
