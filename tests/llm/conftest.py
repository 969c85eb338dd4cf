"""A local server that speaks the wire formats of OpenAI, Anthropic and Ollama, by script.

The clients under test are the real ones; only the provider at the other end is ours.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

import pytest
from pydantic import SecretStr

from whence.llm import (
    Budget,
    ChatModel,
    MemoryLog,
    ModelChoice,
    Models,
    RetryPolicy,
    SkillRuntime,
    use,
)

KEY = "sk-secret-Zq81kd93hfTTb"
PATIENCE = 20.0
"""Seconds before the clients under test call an answer late; tests of lateness set fewer."""


@dataclass(frozen=True)
class Reply:
    """One scripted answer: whole (`chunks` joined) or cut off after its chunks."""

    chunks: tuple[str, ...]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: Literal["no", "abruptly", "cleanly"] = "no"
    delay: float = 0.0


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    body: dict
    at: float


class Wire:
    """The server: what it will say, and what it was asked."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self.replies: list[Reply] = []
        self.requests: list[Request] = []

    def script(self, *replies: Reply) -> None:
        self.replies.extend(replies)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wire: Wire

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        raw = self.rfile.read(length)
        body = json.loads(raw) if raw[:1] == b"{" else {}
        headers = {key.lower(): value for key, value in self.headers.items()}
        self.wire.requests.append(Request(self.path, headers, body, time.monotonic()))
        unscripted = Reply(('{"error":{"message":"nothing scripted"}}',), status=418)
        reply = self.wire.replies.pop(0) if self.wire.replies else unscripted
        time.sleep(reply.delay)
        try:
            self._answer(reply)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def do_GET(self) -> None:
        self.do_POST()

    def _answer(self, reply: Reply) -> None:
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.cut == "cleanly":
            self.send_header("Connection", "close")
        else:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for chunk in reply.chunks:
            data = chunk.encode()
            framed = data if reply.cut == "cleanly" else b"%x\r\n%s\r\n" % (len(data), data)
            self.wfile.write(framed)
            self.wfile.flush()
        if reply.cut == "no":
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def wire() -> Iterator[Wire]:
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.block_on_close = False
    handler.wire = Wire(server)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield handler.wire
    server.shutdown()
    server.server_close()
    thread.join(timeout=5)


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


@pytest.fixture
def key() -> str:
    return KEY


@pytest.fixture
def model_of(wire: Wire) -> Callable[..., ChatModel]:
    """A chat model of a dialect that talks to the local server."""

    def build(dialect: Dialect, name: str | None = None, timeout: float = PATIENCE) -> ChatModel:
        secret = None if dialect.provider == "ollama" else SecretStr(KEY)
        url = wire.url + dialect.base
        chosen = ModelChoice(dialect.provider, name or dialect.name, secret, url, timeout)
        return ChatModel(chosen)

    return build


@pytest.fixture
async def running(
    model_of: Callable[..., ChatModel], anyio_backend: str
) -> AsyncIterator[Callable[..., SkillRuntime]]:
    """Install a runtime on a dialect for the rest of the test; waits are short, and not random."""
    blocks = ExitStack()

    def install(
        dialect: Dialect,
        budget: Budget | None = None,
        name: str | None = None,
        timeout: float = PATIENCE,
        **policy: object,
    ) -> SkillRuntime:
        model = model_of(dialect, name, timeout)
        quick = {"base_seconds": 0.02, "draw": lambda: 0.5} | policy
        runtime = SkillRuntime(Models(model, model), MemoryLog(budget), policy=RetryPolicy(**quick))
        return blocks.enter_context(use(runtime))

    with blocks:
        yield install


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def tracing_elsewhere(
    monkeypatch: pytest.MonkeyPatch, wire: Wire
) -> Iterator[Callable[[], Awaitable[None]]]:
    """An environment that asks LangSmith's tracer to send all it sees to the wire.

    Await the fixture's value to let the tracer send what it holds.
    """
    from langchain_core.tracers.langchain import wait_for_all_tracers
    from langsmith import run_trees, utils

    monkeypatch.setattr(run_trees, "_CLIENT", None)
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "lsv2_nothing")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", wire.url + "/langsmith")
    utils.get_env_var.cache_clear()

    async def flush() -> None:
        await asyncio.to_thread(wait_for_all_tracers)

    yield flush
    monkeypatch.undo()
    utils.get_env_var.cache_clear()
