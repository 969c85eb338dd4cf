"""The wire formats of OpenAI, Anthropic and Ollama: what each would say, as scripted replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

import pytest


@dataclass(frozen=True)
class Reply:
    """One scripted answer: whole (`chunks` joined) or cut off after its chunks."""

    chunks: Iterable[str | bytes]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: Literal["no", "abruptly", "cleanly"] = "no"
    delay: float = 0.0
    pause: tuple[int, float] | None = None
    """Before which chunk to be silent, and for how many seconds."""
    gap: float = 0.0
    """Seconds between two chunks."""


_JSON = {"Content-Type": "application/json"}
_SSE = {"Content-Type": "text/event-stream"}


def _error(message: str) -> str:
    return json.dumps({"type": "error", "error": {"type": "some_error", "message": message}})


class OpenAI:
    provider = "openai"
    name = "gpt-4.1-mini"
    base = "/v1"
    path = "/v1/chat/completions"

    def whole(self, text: str, stop: str = "stop", refusal: str | None = None) -> Reply:
        message = {"role": "assistant", "content": text or None, "refusal": refusal}
        body = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": self.name,
            "choices": [{"index": 0, "message": message, "finish_reason": stop, "logprobs": None}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        }
        return Reply((json.dumps(body),), headers=_JSON)

    def refusal(self) -> Reply:
        return self.whole("", refusal="I can't help with that.")

    def filtered(self) -> Reply:
        return self.whole("", stop="content_filter")

    def streamed_refusal(self, *pieces: str) -> Reply:
        """As `stream`, its pieces being a refusal's."""
        reply = self.stream(list(pieces))
        chunks = (chunk.replace('"content": "I', '"refusal": "I') for chunk in reply.chunks)
        return Reply(tuple(chunks), headers=_SSE)

    def truncated(self, text: str) -> Reply:
        return self.whole(text, stop="length")

    def stream(self, pieces: list[str], cut: Literal["no", "abruptly", "cleanly"] = "no") -> Reply:
        def event(choices: list[dict], **more: object) -> str:
            body = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": self.name}
            return f"data: {json.dumps({**body, 'choices': choices, **more})}\n\n"

        def choice(delta: dict, stop: str | None = None) -> list[dict]:
            return [{"index": 0, "delta": delta, "finish_reason": stop}]

        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        head = [event(choice({"role": "assistant", "content": ""}))]
        body = [event(choice({"content": piece})) for piece in pieces]
        tail = [event(choice({}, "stop")), event([], usage=usage), "data: [DONE]\n\n"]
        return Reply((*head, *body, *(tail if cut == "no" else [])), headers=_SSE, cut=cut)


class Anthropic:
    provider = "anthropic"
    name = "claude-sonnet-4-5-20250929"
    base = ""
    path = "/v1/messages"

    def whole(self, text: str, stop: str = "end_turn") -> Reply:
        return self.blocks([{"type": "text", "text": text}] if text else [], stop)

    def blocks(self, content: list[dict], stop: str) -> Reply:
        body = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": self.name,
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": 100, "output_tokens": 20},
        }
        return Reply((json.dumps(body),), headers=_JSON)

    def refusal(self) -> Reply:
        return self.whole("", stop="refusal")

    filtered = refusal

    def truncated(self, text: str) -> Reply:
        return self.whole(text, stop="max_tokens")

    def stream(self, pieces: list[str], cut: Literal["no", "abruptly", "cleanly"] = "no") -> Reply:
        def event(kind: str, **body: object) -> str:
            return f"event: {kind}\ndata: {json.dumps({'type': kind, **body})}\n\n"

        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": self.name,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 100, "output_tokens": 1},
        }
        block = {"type": "text", "text": ""}
        head = [
            event("message_start", message=message),
            event("content_block_start", index=0, content_block=block),
        ]
        body = [
            event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
            for piece in pieces
        ]
        stop = {"stop_reason": "end_turn", "stop_sequence": None}
        tail = [
            event("content_block_stop", index=0),
            event("message_delta", delta=stop, usage={"input_tokens": 100, "output_tokens": 20}),
            event("message_stop"),
        ]
        return Reply((*head, *body, *(tail if cut == "no" else [])), headers=_SSE, cut=cut)


class Ollama:
    provider = "ollama"
    name = "llama3.2"
    base = ""
    path = "/api/chat"

    def whole(self, text: str, stop: str = "stop") -> Reply:
        return Reply((self._line(text, done=False), self._line("", done=True, stop=stop)))

    def _line(self, text: str, *, done: bool, stop: str = "stop") -> str:
        body = {
            "model": self.name,
            "created_at": "2025-01-01T00:00:00Z",
            "message": {"role": "assistant", "content": text},
            "done": done,
        }
        if done:
            body |= {"done_reason": stop, "prompt_eval_count": 100, "eval_count": 20}
        return json.dumps(body) + "\n"

    def truncated(self, text: str) -> Reply:
        return self.whole(text, stop="length")

    def stream(self, pieces: list[str], cut: Literal["no", "abruptly", "cleanly"] = "no") -> Reply:
        lines = [self._line(piece, done=False) for piece in pieces]
        tail = [self._line("", done=True)] if cut == "no" else []
        return Reply((*lines, *tail), cut=cut)


Dialect = OpenAI | Anthropic | Ollama


def failing(status: int, message: str = "no", **headers: str) -> Reply:
    """An error answer, in a shape that all three clients read."""
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Reply((_error(message),), status=status, headers=_JSON | named)


@pytest.fixture
def fail() -> Callable[..., Reply]:
    return failing


@pytest.fixture(params=[OpenAI, Anthropic, Ollama], ids=lambda kind: kind.provider)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    return request.param()


@pytest.fixture
def openai() -> OpenAI:
    return OpenAI()


@pytest.fixture
def anthropic() -> Anthropic:
    return Anthropic()


@pytest.fixture
def ollama() -> Ollama:
    return Ollama()
