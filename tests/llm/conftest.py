"""A local server that speaks the wire formats of OpenAI, Anthropic and Ollama, by script.

The clients under test are the real ones; only the provider at the other end is ours.
"""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Protocol

import httpx
import httpx2
import pytest
from pydantic import SecretStr

from whence.kernel.retry import RetryPolicy
from whence.llm import (
    Budget,
    ChatModel,
    MemoryLog,
    ModelChoice,
    Models,
    SkillRuntime,
    use,
)

KEY = "sk-secret-Zq81kd93hfTTb"
PATIENCE = 20.0
"""Seconds before the clients under test call an answer late; tests of lateness set fewer."""


def open_clients() -> set[Any]:
    """HTTP clients of this process that nobody has closed."""
    gc.collect()
    kinds = (httpx.Client, httpx.AsyncClient, httpx2.Client, httpx2.AsyncClient)
    result = [each for each in gc.get_objects() if issubclass(type(each), kinds)]
    return {each for each in result if not each.is_closed}


class Reply(Protocol):
    """One scripted answer: whole (`chunks` joined) or cut off after its chunks."""

    chunks: tuple[str, ...]
    status: int
    headers: dict[str, str]
    cut: Literal["no", "abruptly", "cleanly"]
    delay: float
    pause: tuple[int, float] | None
    gap: float


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
        if not self.wire.replies:
            self.send_error(418, "nothing scripted")
            return
        reply = self.wire.replies.pop(0)
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
        for number, chunk in enumerate(reply.chunks):
            if reply.pause and reply.pause[0] == number:
                time.sleep(reply.pause[1])
            time.sleep(reply.gap)
            data = chunk.encode() if isinstance(chunk, str) else chunk
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


class Dialect(Protocol):
    """A provider: its name, a model of its own, and where its API begins."""

    provider: Literal["openai", "anthropic", "ollama"]
    name: str
    base: str


@pytest.fixture
def key() -> str:
    return KEY


@pytest.fixture
async def model_of(wire: Wire, anyio_backend: str) -> AsyncIterator[Callable[..., ChatModel]]:
    """A chat model of a dialect that talks to the local server, until the test ends."""
    made: list[ChatModel] = []

    def build(dialect: Dialect, name: str | None = None, timeout: float = PATIENCE) -> ChatModel:
        secret = None if dialect.provider == "ollama" else SecretStr(KEY)
        url = wire.url + dialect.base
        chosen = ModelChoice(dialect.provider, name or dialect.name, secret, url, timeout)
        made.append(ChatModel(chosen))
        return made[-1]

    yield build
    for model in made:
        await model.close()


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
        quick = {"first_wait": 0.02, "longest_wait": 30.0} | policy
        runtime = SkillRuntime(Models(model, model), MemoryLog(budget), policy=RetryPolicy(**quick))
        return blocks.enter_context(use(runtime))

    with blocks:
        yield install


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
