"""The worker's heartbeat from a thread of its own.

Work that holds up the event loop (reading a large photograph, parsing a long file) would silence a
heartbeat that runs on it: the worker's runs would be handed on although it works on them, again and
again, wherever they go.  A loop that hangs for good must be found dead all the same, so the thread
speaks for it only for so long.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import psycopg

from whence.kernel.log import get

HUNG_SECONDS = 120.0
"""An event loop that did not turn for so long is taken for dead: longer than any single piece of
work may take, and short enough that a run which hangs is given up within the hour."""

_BEAT = "SELECT procrastinate_update_heartbeat_v1(%s)"
_log = get("work.heartbeat")


class HeartbeatThread(threading.Thread):
    """Beats for the worker whose id `worker_id` tells, while the event loop turns."""

    def __init__(self, conninfo: str, seconds: float, worker_id: Callable[[], int | None]) -> None:
        super().__init__(name="heartbeat", daemon=True)
        self._conninfo = conninfo
        self._seconds = seconds
        self._worker_id = worker_id
        self._turned_at = time.monotonic()
        self._stopping = threading.Event()

    def turned(self) -> None:
        """The event loop says that it turns."""
        self._turned_at = time.monotonic()

    def stop(self) -> None:
        """Beat no more."""
        self._stopping.set()

    def run(self) -> None:
        """Beat until stopped; a database that is away is tried again at the next beat."""
        while not self._stopping.is_set():
            try:
                with psycopg.connect(self._conninfo, autocommit=True) as connection:
                    self._beat_on(connection)
            except psycopg.Error as error:
                _log.warning("heartbeat not written", error=str(error))
                self._stopping.wait(self._seconds)

    def _beat_on(self, connection: psycopg.Connection) -> None:
        while not self._stopping.is_set():
            worker_id = self._worker_id()
            if worker_id is not None and time.monotonic() - self._turned_at < HUNG_SECONDS:
                connection.execute(_BEAT, (worker_id,))
            self._stopping.wait(self._seconds)


@asynccontextmanager
async def heartbeat_thread(
    conninfo: str, seconds: float, worker_id: Callable[[], int | None]
) -> AsyncGenerator[None]:
    """A heartbeat every `seconds` for as long as this lasts."""
    thread = HeartbeatThread(conninfo, seconds, worker_id)

    async def turn() -> None:
        while True:
            thread.turned()
            await asyncio.sleep(seconds)

    turning = asyncio.create_task(turn(), name="heartbeat")
    thread.start()
    try:
        yield
    finally:
        thread.stop()
        turning.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await turning
        await asyncio.to_thread(thread.join)
