"""The worker's heartbeat, sent from a separate thread.

Work that blocks the event loop (reading a large photograph, parsing a long file) would silence a
heartbeat that runs on the loop, and the worker's runs would be handed on again and again. A loop
that hangs for good must still count as dead, so the thread stops beating after a while.
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
"""An event loop blocked for longer than this counts as dead: more than any single piece of work may
take, and short enough that a hanging run is given up within the hour."""

_BEAT = "SELECT procrastinate_update_heartbeat_v1(%s)"
_log = get("work.heartbeat")


class HeartbeatThread(threading.Thread):
    """Sends heartbeats for the worker `worker_id()` while the event loop is responsive."""

    def __init__(self, conninfo: str, seconds: float, worker_id: Callable[[], int | None]) -> None:
        super().__init__(name="heartbeat", daemon=True)
        self._conninfo = conninfo
        self._seconds = seconds
        self._worker_id = worker_id
        self._turned_at = time.monotonic()
        self._stopping = threading.Event()

    def turned(self) -> None:
        """Note that the event loop is responsive; called from the loop."""
        self._turned_at = time.monotonic()

    def stop(self) -> None:
        """Stop the heartbeat."""
        self._stopping.set()

    def run(self) -> None:
        """Send heartbeats until stopped; an outage is retried at the next beat."""
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
    """Send a heartbeat every `seconds` while the context is open."""
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
