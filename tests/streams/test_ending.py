"""How a stream of messages ends when its reader is taken away in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import anyio
import pytest

from whence.transports.routes.streams.event_stream import Message, while_allowed

pytestmark = pytest.mark.anyio


async def test_a_reader_cancelled_again_and_again_waits_for_the_end_of_its_source() -> None:
    closed: list[bool] = []
    waits = asyncio.Event()

    async def source() -> AsyncGenerator[Message]:
        try:
            waits.set()
            await asyncio.Event().wait()
            yield Message("never", {}, None)
        finally:
            # like a transaction that is rolled back: it takes some turns of the loop
            for _ in range(20):
                await asyncio.sleep(0)
            closed.append(True)

    async def read() -> None:
        ended = asyncio.get_running_loop().create_future()
        async for _ in while_allowed(ended, source(), 60):
            raise AssertionError

    async with anyio.create_task_group() as group:  # cancels its tasks at every turn of the loop
        group.start_soon(read)
        await waits.wait()
        group.cancel_scope.cancel()
    assert closed == [True]
