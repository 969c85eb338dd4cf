"""The body of an answer that is not streamed is read up to a limit, and no further."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from whence.llm.body_limit import BYTES_A_CHARACTER, ROOM_BYTES
from whence.llm.calls import ask
from whence.llm.failures import ModelFailed
from whence.llm.messages import Message

pytestmark = pytest.mark.anyio

HELLO = [Message("user", "Hello")]
PIECE = " " * 65_536
KERNEL_BUFFERS = 16_000_000
"""What the server may have sent before it notices that nobody reads on."""


class Endless:
    """Chunks that never end by themselves, counted; a bound lets a test fail instead of hanging."""

    def __init__(self, most: int) -> None:
        self.most, self.sent = most, 0

    def __iter__(self) -> Iterator[str]:
        while self.sent < self.most:
            self.sent += len(PIECE)
            yield PIECE


async def test_an_endless_body_is_left_once_it_exceeds_the_limit(wire, dialect, model_of):
    model = model_of(dialect)
    limit = BYTES_A_CHARACTER * model.choice.answer_characters + ROOM_BYTES
    body = Endless(4 * limit + KERNEL_BUFFERS)
    wire.script(replace(dialect.whole("x"), chunks=body))
    with pytest.raises(ModelFailed) as raised:
        await ask(model, HELLO)
    assert raised.value.reason == "truncated"
    assert f"more than {limit} bytes" in str(raised.value.detail)
    assert body.sent <= limit + KERNEL_BUFFERS
    assert len(wire.requests) == 1

    wire.script(dialect.whole("Hello."))
    assert (await ask(model, HELLO)).text == "Hello."


async def test_a_small_compressed_body_does_not_become_a_large_one(wire, openai, model_of):
    reply = openai.whole("Hello.")
    plain = reply.chunks[0].encode()
    packed = {**reply.headers, "Content-Encoding": "gzip"}
    model = model_of(openai)
    wire.script(replace(reply, chunks=(gzip.compress(plain),), headers=packed))
    assert (await ask(model, HELLO)).text == "Hello."

    bomb = gzip.compress(json.dumps({"text": " " * 3 * ROOM_BYTES}).encode())
    assert len(bomb) < ROOM_BYTES
    wire.script(replace(reply, chunks=(bomb,), headers=packed))
    with pytest.raises(ModelFailed) as raised:
        await ask(model, HELLO)
    assert raised.value.reason == "truncated"
