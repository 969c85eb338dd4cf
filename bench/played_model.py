"""A server that plays a model in the OpenAI wire format, in a process of its own.

    python -m bench.played_model

It prints its address.  Asked with a message that holds `[key]`, it answers after `FIRST_SECONDS`
with `text_of(key)`, `PER_SECOND` tokens a second.  `GET /log?key` gives the times at which it sent
them, by the machine's monotonic clock.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from urllib.parse import urlsplit

FIRST_SECONDS = 1.0
PER_SECOND = 50.0
TOKENS = 120
_KEY = re.compile(r"\[([\w-]+)\]")
_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
    b"Connection: close\r\n\r\n"
)


def tokens_of(key: str) -> list[str]:
    """What is answered to a key: words of which no two are alike, without a figure to check."""
    letters = str.maketrans("0123456789", "abcdefghij")
    start = sum(map(ord, key)) % 1000
    words = [f"so{str(start * 1000 + n).translate(letters)}" for n in range(TOKENS)]
    return [words[0], *[f" {word}" for word in words[1:]]]


def text_of(key: str) -> str:
    """The whole answer to a key."""
    return "".join(tokens_of(key))


def _chunk(delta: dict[str, str], stop: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": stop}
    made = {"id": "played", "object": "chat.completion.chunk", "created": 1, "model": "played"}
    return f"data: {json.dumps(made | {'choices': [choice]})}\n\n".encode()


def _framed(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


class Played:
    """The server; `sent` has the times of each key's tokens."""

    def __init__(self) -> None:
        self.sent: dict[str, list[float]] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            asked = urlsplit(head.split(" ")[1])
            if asked.path == "/log":
                body = json.dumps(self.sent.get(asked.query, [])).encode()
                writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ")
                writer.write(b"%d\r\n\r\n%s" % (len(body), body))
            else:
                length = re.search(r"content-length: *(\d+)", head, re.I)
                body = await reader.readexactly(int(length[1]) if length else 0)
                await self._answer(json.loads(body), writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(self, body: dict, writer: asyncio.StreamWriter) -> None:
        began = time.monotonic()
        key = _KEY.findall(body["messages"][-1]["content"])[-1]
        frames = [_framed(_chunk({"content": token})) for token in tokens_of(key)]
        frames[0] = _framed(_chunk({"role": "assistant", "content": ""})) + frames[0]
        writer.write(_HEAD)
        times = self.sent[key] = []
        for number, frame in enumerate(frames):
            await asyncio.sleep(began + FIRST_SECONDS + number / PER_SECOND - time.monotonic())
            times.append(time.monotonic())
            writer.write(frame)
        writer.write(_framed(_chunk({}, "stop")) + _framed(b"data: [DONE]\n\n") + b"0\r\n\r\n")


async def main() -> None:
    server = await asyncio.start_server(Played().serve, "127.0.0.1", 0, backlog=200)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
