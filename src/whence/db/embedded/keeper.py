"""Keep the embedded server running while a program uses it; a killed server is restarted."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from whence.db.embedded.server import EmbeddedPostgres, EmbeddedServer
from whence.kernel.errors import WhenceError
from whence.kernel.log import get

CHECK_SECONDS = 2.0
"""Time between two checks of the server; checking a running one takes about 10 ms."""
_log = get("db.embedded")


@asynccontextmanager
async def running_server(embedded: EmbeddedPostgres) -> AsyncGenerator[EmbeddedServer]:
    """The running server, released at the end.  Raises what `EmbeddedPostgres.start` raises."""
    try:
        server = await asyncio.to_thread(embedded.start)
        task = asyncio.create_task(_restart_when_killed(embedded), name="embedded-postgres")
        try:
            yield server
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
    finally:
        await asyncio.to_thread(embedded.release)


async def _restart_when_killed(embedded: EmbeddedPostgres) -> None:
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        try:
            await asyncio.to_thread(embedded.start)
        except Exception as error:  # noqa: BLE001 (the server must stay watched)
            words = error.message if isinstance(error, WhenceError) else repr(error)
            _log.warning("the database does not start, will try again", error=words)
