"""The event bus: one LISTEN connection per process wakes the feeds that readers use.

A notification carries only `stream:seq`.  Losing one loses nothing: feeds poll every few seconds,
and after every reconnect.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Collection, Generator, Sequence
from uuid import UUID

import psycopg

from whence.db.database import Database, DatabaseBusy
from whence.db.listen import listen
from whence.events import log
from whence.events.feed import PAGE, Feed
from whence.events.pages import Pages
from whence.kernel.log import get

EVENTS = "whence_events"
CANCELS = "whence_cancels"
REVOCATIONS = "whence_revocations"
"""A user lost a token, a session or a role; the payload is their id."""
START_SECONDS = 10.0

_log = get("events.bus")


class EventBus:
    """Serves the readers in this process; start it once, close it at the end."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._pages = Pages(db, PAGE)
        self._feeds: dict[str, dict[UUID, Feed]] = defaultdict(dict)
        self._on_cancel: set[Callable[[str], None]] = set()
        self._on_revocation: set[Callable[[str | None], None]] = set()
        self._writing = Counter[str]()
        self._notified: dict[str, int] = {}
        """The newest number notified while its stream was being written here."""
        self._task: asyncio.Task[None] | None = None
        self._open = False
        self.reads = 0
        """How often the log was read for events since the start."""

    async def start(self) -> None:
        """Start listening, and return once the channels are open; raises DatabaseBusy."""
        ready = asyncio.Event()
        self._task = asyncio.create_task(self._listen(ready), name="event-bus")
        self._task.add_done_callback(_record)
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

    def cancelled(self, run_id: str) -> None:
        """Notify workers in this process, as a notification from the database would."""
        for callback in tuple(self._on_cancel):
            callback(run_id)

    @contextlib.contextmanager
    def revocations(self, callback: Callable[[str | None], None]) -> Generator[None]:
        """Call `callback(user_id)` when that user lost a right; None: it may be anybody."""
        self._on_revocation.add(callback)
        try:
            yield
        finally:
            self._on_revocation.discard(callback)

    async def tail(
        self, org_id: UUID, stream_id: UUID, after: int = 0
    ) -> AsyncGenerator[list[log.Event]]:
        """Batches of events after the cursor, as they are committed; never ends by itself.

        Waits for a database that is away; the cursor tells where to continue.  Pruned events leave
        a gap in `seq`.
        """
        feed = self._entered(org_id, stream_id)
        try:
            while True:
                batch = await feed.after(after)
                after = batch[-1].seq
                yield batch
        finally:
            self._left(org_id, stream_id, feed)

    @contextlib.contextmanager
    def writing(self, streams: Collection[UUID]) -> Generator[None]:
        """A block in which this process writes these streams and reports its events with `wrote`.

        Readers need not read those events again because of their notifications; other events that
        arrive meanwhile are read at the end.
        """
        names = [str(stream) for stream in streams]
        self._writing.update(names)
        try:
            yield
        finally:
            for name in names:
                self._writing[name] -= 1
                if not self._writing[name]:
                    del self._writing[name]
                    if seq := self._notified.pop(name, 0):
                        self._may_lack(name, seq)

    def wrote(self, org_id: UUID, stream_id: UUID, events: Sequence[log.Event]) -> None:
        """Pass committed events of this process to the readers here, in order."""
        if feed := self._feeds.get(str(stream_id), {}).get(org_id):
            feed.add(events)

    def head(self, org_id: UUID, stream_id: UUID) -> int:
        """The newest `seq` of a stream this process has read; 0 if nobody follows it."""
        feed = self._feeds.get(str(stream_id), {}).get(org_id)
        return feed.head if feed else 0

    @property
    def is_listening(self) -> bool:
        """Whether notifications arrive; if not, readers poll every few seconds."""
        return self._open and self._task is not None and not self._task.done()

    @property
    def subscribers(self) -> int:
        """How many readers follow a stream in this process."""
        feeds = [feed for by_stream in self._feeds.values() for feed in by_stream.values()]
        return sum(feed.readers for feed in feeds)

    def readers(self, stream_id: UUID) -> int:
        """How many readers follow a stream in this process."""
        return sum(feed.readers for feed in self._feeds.get(str(stream_id), {}).values())

    def _entered(self, org_id: UUID, stream_id: UUID) -> Feed:
        feeds = self._feeds[str(stream_id)]
        feed = feeds.get(org_id)
        if feed is None or feed.failed:

            async def page(after: int) -> list[log.Event]:
                self.reads += 1
                return await self._pages.page(org_id, stream_id, after)

            async def newest() -> int:
                async with self._db.unit(org_id) as session:
                    return await log.last_seq(session, stream_id)

            feed = feeds[org_id] = Feed(page, newest)
            feed.start()
        feed.readers += 1
        return feed

    def _left(self, org_id: UUID, stream_id: UUID, feed: Feed) -> None:
        feed.readers -= 1
        if feed.readers:
            return
        feed.stop()
        feeds = self._feeds.get(str(stream_id), {})
        if feeds.get(org_id) is feed:
            del feeds[org_id]
        if not feeds:
            self._feeds.pop(str(stream_id), None)

    async def _listen(self, ready: asyncio.Event) -> None:
        def opened() -> None:
            ready.set()
            self._open = True
            for feeds in self._feeds.values():
                for feed in feeds.values():
                    feed.wake.set()
            self._revoked(None)

        channels = (EVENTS, CANCELS, REVOCATIONS)

        def lost() -> None:
            self._open = False

        await listen(self._db.conninfo, channels, self._notice, opened, lost)

    def _notice(self, notice: psycopg.Notify) -> None:
        if notice.channel == CANCELS:
            self.cancelled(notice.payload)
        elif notice.channel == REVOCATIONS:
            self._revoked(notice.payload)
        else:
            stream, _, seq = notice.payload.partition(":")
            if stream in self._writing:
                self._notified[stream] = max(int(seq), self._notified.get(stream, 0))
            else:
                self._may_lack(stream, int(seq))

    def _may_lack(self, stream: str, seq: int) -> None:
        for feed in self._feeds.get(stream, {}).values():
            feed.may_lack(seq)

    def _revoked(self, user_id: str | None) -> None:
        for callback in tuple(self._on_revocation):
            callback(user_id)


def _record(done: asyncio.Task[None]) -> None:
    if not done.cancelled() and (error := done.exception()):
        _log.error("the event bus no longer listens; readers poll", exc_info=error)
