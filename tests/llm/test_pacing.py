"""Reading a stream in steps: the first text at once, then everything that came meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from httpx2 import AsyncByteStream, Response

from whence.llm.pacing import AT_ONCE, pace, paced

pytestmark = pytest.mark.anyio
STEP = 0.2
"""Seconds; long beside what else happens in these tests."""


class Socket:
    """Bytes as a socket has them: a read brings all that came since the last one."""

    def __init__(self) -> None:
        self.came = b""
        self.reads = 0
        self.is_over = False

    async def read(self) -> AsyncIterator[bytes]:
        while self.came or not self.is_over:
            if not self.came:
                await asyncio.sleep(0)
                continue
            data, self.came = self.came, b""
            self.reads += 1
            yield data


async def test_the_first_reads_wait_for_nothing():
    socket = Socket()
    stream = paced(socket.read(), seconds=3600)
    for data in (b"head", b"first")[:AT_ONCE]:
        socket.came += data
        assert await asyncio.wait_for(anext(stream), 5) == data


async def test_what_comes_within_a_step_is_one_read_and_nothing_is_lost():
    socket = Socket()
    sent = [b"%d " % number for number in range(60)]

    async def send() -> None:
        for each in sent:
            socket.came += each
            await asyncio.sleep(STEP / 20)
        socket.is_over = True

    sending = asyncio.create_task(send())
    heard = [data async for data in paced(socket.read(), STEP)]
    await sending
    assert b"".join(heard) == b"".join(sent)
    assert socket.reads == len(heard) < len(sent) / 2


class Served(AsyncByteStream):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"data: x\n\n"


@pytest.mark.parametrize(
    ("kind", "is_paced"), [("text/event-stream; charset=utf-8", True), ("application/json", False)]
)
async def test_only_event_streams_are_read_in_steps(kind: str, is_paced: bool):
    served = Served()
    response = Response(200, headers={"content-type": kind}, stream=served)
    await pace(response)
    assert (response.stream is not served) == is_paced
    assert await response.aread() == b"data: x\n\n"
