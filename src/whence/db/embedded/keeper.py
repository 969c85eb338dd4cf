"""Keeps the embedded server up for as long as a program uses it: a killed one is started again."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from whence.db.embedded.server import EmbeddedPostgres, EmbeddedServer
from whence.kernel.errors import WhenceError
from whence.kernel.log import get

LOOK_SECONDS = 2.0
"""How often the server is looked after; a look at a living one takes some 10 ms."""
_log = get("db.embedded")


@asynccontextmanager
async def kept(embedded: EmbeddedPostgres) -> AsyncGenerator[EmbeddedServer]:
    """The running server; released at the end.  Raises as `EmbeddedPostgres.start`."""
    try:
        server = await asyncio.to_thread(embedded.start)
        task = asyncio.create_task(_look_after(embedded), name="embedded-postgres")
        try:
            yield server
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
    finally:
        await asyncio.to_thread(embedded.release)


async def _look_after(embedded: EmbeddedPostgres) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            await asyncio.to_thread(embedded.start)
        except Exception as error:  # noqa: BLE001 (a keeper that ended would keep nothing)
            words = error.message if isinstance(error, WhenceError) else repr(error)
            _log.warning("the database does not start, will try again", error=words)
