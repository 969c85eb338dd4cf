"""A local outside world: a market that lists things and a model that answers in OpenAI's format."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LISTINGS = [
    {"id": "a", "title": "First", "text": "one two three"},
    {"id": "b", "title": "Second", "text": "four five six seven"},
    {"id": "c", "title": "Short", "text": "eight nine"},
]
TITLE = "A note of few words"
TOKENS_IN, TOKENS_OUT = 100, 20
MODEL = "openai:gpt-4.1-mini"
KEY = "sk-test-of-the-local-model"
HELD_SECONDS = 30


class Market:
    """Counts what it is asked; an answer that is held waits until its asker is dead."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: Counter[str] = Counter()
        self._held: dict[str, threading.Event] = {}
        self._release = threading.Event()

    def hold(self, what: str) -> threading.Event:
        """Keep the next answer to `what` back; the event is set once it has been asked for."""
        self._held[what] = threading.Event()
        return self._held[what]

    def release(self) -> None:
        """Let held answers go; whoever waited for them is gone."""
        self._release.set()

    def take(self, what: str) -> None:
        """Count a request, and stay in it where its answer is held."""
        self.requests[what] += 1
        if reached := self._held.pop(what, None):
            reached.set()
            self._release.wait(HELD_SECONDS)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    market: Market

    def do_GET(self) -> None:
        self.market.take("listings")
        self._answer(LISTINGS)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.market.take("model")
        content = json.dumps({"title": TITLE})
        message = {"role": "assistant", "content": content, "refusal": None}
        usage = {"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT}
        self._answer(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": MODEL.partition(":")[2],
                "choices": [
                    {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
                ],
                "usage": usage | {"total_tokens": TOKENS_IN + TOKENS_OUT},
            }
        )

    def _answer(self, body: object) -> None:
        data = json.dumps(body).encode()
        try:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        return


@contextmanager
def opened() -> Iterator[Market]:
    """The market on a free port of loopback."""
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads, server.block_on_close = True, False
    handler.market = Market(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield handler.market
    handler.market.release()
    server.shutdown()
    server.server_close()
