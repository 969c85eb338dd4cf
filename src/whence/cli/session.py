"""What commands share: settings, the program for one command, and the two consoles."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from rich.console import Console

from whence import main
from whence.kernel import log
from whence.kernel.settings import Settings
from whence.sdk.platform import Platform

T = TypeVar("T")
PLAIN_WIDTH = 140
"""Columns when the output is no terminal (a pipe, a CI log)."""


def out() -> Console:
    """Results: stdout."""
    console = Console()
    return console if console.is_terminal else Console(width=PLAIN_WIDTH)


def progress() -> Console:
    """Progress and remarks: stderr, so that stdout stays a result."""
    console = Console(stderr=True)
    return console if console.is_terminal else Console(stderr=True, width=PLAIN_WIDTH)


def settings() -> Settings:
    """The environment's settings, with the log configured."""
    found = Settings()
    log.configure(found.log_level)
    return found


@asynccontextmanager
async def opened(found: Settings, *, working: bool = False) -> AsyncIterator[Platform]:
    """The program; with a worker in this process where `working`."""
    async with main.platform(found) as built:
        if not working:
            yield built
            return
        async with main.worker(built):
            yield built


def run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a command's coroutine; SIGTERM ends it as Ctrl-C does, so that work is handed back."""

    async def guarded() -> T:
        task = asyncio.ensure_future(work())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await task

    try:
        return asyncio.run(guarded())
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise SystemExit(128 + signal.SIGINT) from None
