"""One stream for all its readers in this process: the feed reads each event once.

A reader is a cursor.  Near the head it gets the newest events from the feed's memory; further back
it reads batches of its own, which readers at the same position share.  So a slow reader holds only
one batch and delays nobody.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from whence.db.database import DatabaseBusy
from whence.events.log import Event
from whence.kernel import metrics
from whence.kernel.clock import now
from whence.kernel.log import get
from whence.kernel.stopping import stop_if_cancelled

PAGE = 200
"""Events in one batch, the most a reader that is behind holds."""
KEPT = 500
"""Newest events of a stream that a process keeps for its readers: all events of a usual run."""
POLL_SECONDS = 5.0
"""A feed polls after this time, in case a notification was lost."""
AWAY_SECONDS = 0.5
"""How long a reader waits before it retries a database that was away."""

_log = get("events.feed")
Answer = TypeVar("Answer")


class Feed:
    """The newest events of one stream.  `start` it for the first reader, `stop` it after the last.

    `page(after)` and `newest()` read the log; both may raise DatabaseBusy, which is waited out.
    Any other error ends the feed and is raised in each of its readers.
    """

    def __init__(
        self,
        page: Callable[[int], Awaitable[list[Event]]],
        newest: Callable[[], Awaitable[int]],
    ) -> None:
        self.wake = asyncio.Event()
        """Set it when there may be something new."""
        self.readers = 0
        self._page = page
        self._newest = newest
        self._base: int | None = None
        self._recent: deque[Event] = deque()
        self._pages: dict[tuple[int, int | None], asyncio.Task[list[Event]]] = {}
        self._grown = asyncio.Event()
        self._pump: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start reading new events."""
        self._pump = asyncio.create_task(self._run(), name="event-feed")

    def stop(self) -> None:
        """Stop reading; there must be no readers."""
        for task in (self._pump, *self._pages.values()):
            if task:
                task.cancel()

    @property
    def failed(self) -> bool:
        """Whether the feed has ended with an error; its readers get that error."""
        return self._pump is not None and self._pump.done()

    @property
    def head(self) -> int:
        """The newest `seq` the feed has seen, 0 before the first read."""
        return self._recent[-1].seq if self._recent else self._base or 0

    def add(self, events: Sequence[Event]) -> None:
        """Add consecutive committed events; if an earlier one is missing, read the log instead."""
        if self._base is None or self.failed:
            return  # the pump looks as soon as it knows where to begin
        fresh = [event for event in events if event.seq > self.head]
        if fresh and fresh[0].seq != self.head + 1:
            self.wake.set()
        elif fresh:
            self._take(fresh)

    def may_lack(self, seq: int) -> None:
        """Event `seq` exists; read the log unless the feed has it."""
        if self._base is None or self.head < seq:
            self.wake.set()

    async def after(self, cursor: int) -> list[Event]:
        """The next events after the cursor, at least one, in order; waits for them."""
        while True:
            grown, base = self._grown, self._base
            if base is None or cursor < base:
                if events := await self._shared(cursor, base):
                    return events
                if base is not None:
                    cursor = base  # what was there has been pruned; the caller sees the hole
                    continue
            elif events := self._newer(cursor):
                return events
            if self._pump and self._pump.done():
                self._pump.result()
            await grown.wait()

    def _newer(self, cursor: int) -> list[Event]:
        newer: list[Event] = []
        for event in reversed(self._recent):
            if event.seq <= cursor:
                break
            newer.append(event)
        return newer[::-1][:PAGE]

    async def _shared(self, cursor: int, base: int | None) -> list[Event]:
        """A batch shared by all readers at this cursor now, from one read.

        The read may have started before the newest event.  It started after `base` was known, so an
        empty batch means that no event up to there is kept.
        """
        place = (cursor, base)
        task = self._pages.get(place)
        if task is None:
            task = asyncio.create_task(_patiently(lambda: self._page(cursor)), name="event-page")
            self._pages[place] = task
            task.add_done_callback(lambda _: self._pages.pop(place, None))
        return await asyncio.shield(task)

    async def _run(self) -> None:
        try:
            self._base = await _patiently(self._newest)
            self._announce()
            while True:
                await _until_set(self.wake, POLL_SECONDS)
                stop_if_cancelled()
                self.wake.clear()
                while await self._grow() == PAGE:
                    continue
        finally:
            self._announce()

    async def _grow(self) -> int:
        events = await _patiently(lambda: self._page(self.head))
        # What this process wrote meanwhile has been heard of already.
        self._take([event for event in events if event.seq > self.head])
        return len(events)

    def _take(self, fresh: Sequence[Event]) -> None:
        for event in fresh:
            self._keep(event)
            metrics.event_read((now() - event.at).total_seconds())
        if fresh:
            self._announce()

    def _keep(self, event: Event) -> None:
        self._recent.append(event)
        if len(self._recent) > KEPT:
            self._base = self._recent.popleft().seq

    def _announce(self) -> None:
        self._grown.set()
        self._grown = asyncio.Event()


async def _patiently(read: Callable[[], Awaitable[Answer]]) -> Answer:
    """The result of `read`, however long the database is away."""
    while True:
        try:
            return await read()
        except DatabaseBusy as error:
            _log.warning("events cannot be read, will try again", error=error.message)
            await asyncio.sleep(AWAY_SECONDS)
            stop_if_cancelled()


async def _until_set(event: asyncio.Event, seconds: float) -> None:
    # Not wait_for: in Python 3.11 it loses a cancellation that meets the event.
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
