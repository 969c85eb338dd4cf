"""The event bus: one LISTEN connection per process wakes readers, who fetch rows after a cursor.

A notification carries only `stream:seq`.  Losing one loses nothing: readers look again after
`POLL_SECONDS`, and after every reconnect all of them are woken.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Generator
from uuid import UUID

import psycopg

from whence.db.database import Database, DatabaseBusy
from whence.db.listen import listen
from whence.events import log
from whence.kernel.log import get
from whence.kernel.stopping import stop_if_told

EVENTS = "whence_events"
CANCELS = "whence_cancels"
POLL_SECONDS = 5.0
START_SECONDS = 10.0
AWAY_SECONDS = 0.5
"""How long a reader waits before it asks a database again that was away."""

_log = get("events.bus")


class EventBus:
    """Wakes the readers of this process; start it once, close it at the end."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._wakes: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._on_cancel: set[Callable[[str], None]] = set()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to listen, and return once the channels are open; raises DatabaseBusy."""
        ready = asyncio.Event()
        self._task = asyncio.create_task(self._listen(ready), name="event-bus")
        try:
            await asyncio.wait_for(ready.wait(), START_SECONDS)
        except TimeoutError as error:
            await self.close()
            raise DatabaseBusy from error

    async def close(self) -> None:
        """Stop listening."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    @contextlib.contextmanager
    def cancels(self, callback: Callable[[str], None]) -> Generator[None]:
        """Call `callback(run_id)` for every run that is cancelled, in any process."""
        self._on_cancel.add(callback)
        try:
            yield
        finally:
            self._on_cancel.discard(callback)

    async def tail(
        self, org_id: UUID, stream_id: UUID, after: int = 0
    ) -> AsyncGenerator[list[log.Event]]:
        """Batches of events after the cursor, as they are committed; it never ends by itself.

        A database that goes away and comes back is waited for: the cursor says where to go on.
        """
        wake = asyncio.Event()
        wakes = self._wakes[str(stream_id)]
        wakes.add(wake)
        try:
            while True:
                wake.clear()
                stop_if_told()
                try:
                    batch = await log.read(self._db, org_id, stream_id, after)
                except DatabaseBusy as error:
                    _log.warning("events cannot be read, will try again", error=error.message)
                    await asyncio.sleep(AWAY_SECONDS)
                    continue
                if batch:
                    after = batch[-1].seq
                    yield batch
                if len(batch) == log.BATCH:
                    continue
                with contextlib.suppress(TimeoutError):
                    # Not wait_for: in Python 3.11 it loses a cancellation that meets the wake-up.
                    async with asyncio.timeout(POLL_SECONDS):
                        await wake.wait()
        finally:
            wakes.discard(wake)
            if not wakes:
                self._wakes.pop(str(stream_id), None)

    async def _listen(self, ready: asyncio.Event) -> None:
        def opened() -> None:
            ready.set()
            for wakes in self._wakes.values():
                for wake in wakes:
                    wake.set()

        await listen(self._db.conninfo, (EVENTS, CANCELS), self._notice, opened)

    def _notice(self, notice: psycopg.Notify) -> None:
        if notice.channel == CANCELS:
            for callback in tuple(self._on_cancel):
                callback(notice.payload)
            return
        stream, _, _ = notice.payload.partition(":")
        for wake in self._wakes.get(stream, ()):
            wake.set()
