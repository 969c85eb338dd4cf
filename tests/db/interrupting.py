"""Cancels a task at every moment at which it waits, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Literal

When = Literal["waiting", "arriving"]
"""`arriving`: in the turn of the event loop in which what the task waits for has come."""
TOO_LONG = 10.0


@dataclass
class Interrupted:
    """Awaits `work`, and cancels its own task at the `at`th wait and at `more` waits after it."""

    work: Awaitable[Any]
    at: int
    when: When
    more: int = 0
    waits: int = field(default=0, init=False)

    def __await__(self) -> Generator[Any, Any, Any]:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()
        inner: Any = self.work.__await__()
        step, value = inner.send, None
        while True:
            try:
                waited = step(value)
            except StopIteration as end:
                return end.value
            self.waits += 1
            if self.at <= self.waits <= self.at + self.more:
                if self.when == "arriving" and asyncio.isfuture(waited):
                    waited.add_done_callback(lambda _: task.cancel())
                else:
                    loop.call_soon(task.cancel)
            try:
                step, value = inner.send, (yield waited)
            except BaseException as thrown:  # noqa: BLE001 (handed on, whatever it is)
                step, value = inner.throw, thrown

    async def run(self) -> Any:
        return await self


async def at_every_wait(
    begin: Callable[[], Awaitable[Any]],
    when: When,
    more: int,
    each: Callable[[asyncio.Task[Any]], Awaitable[None]],
) -> int:
    """Cancel what `begin` begins at its first wait, then its second, and so on until it has none
    left; `each` looks at every task that was cancelled.  How many waits there were.
    """
    for at in range(1, 1000):
        interrupted = Interrupted(begin(), at, when, more)
        task = asyncio.create_task(interrupted.run())
        await asyncio.wait({task}, timeout=TOO_LONG)
        if interrupted.waits < at:
            return at - 1
        await each(task)
    raise AssertionError("it waits for ever")
