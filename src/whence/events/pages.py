"""Reads batches of events for many streams in one round trip, combining concurrent requests.

Fifty answers in progress wake fifty feeds twenty times a second; a read for each would take longer
than all other work for them.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from uuid import UUID

from whence.db.database import Database
from whence.events.log import Event

MOST_STREAMS = 100
"""Streams in one read: with full batches, some tens of milliseconds."""
AT_ONCE = 2
"""Concurrent reads, so that a slow one does not delay the others."""
_READ = """
    SELECT requested.n, e.seq, e.type, e.payload, e.at
    FROM unnest(%(orgs)s::uuid[], %(streams)s::uuid[], %(afters)s::bigint[])
        WITH ORDINALITY AS requested (org, stream, after, n),
        LATERAL whence.read_events(requested.org, requested.stream, requested.after, %(most)s) e
    ORDER BY requested.n, e.seq
"""


@dataclass
class _Read:
    """A read being prepared: (organization, stream, cursor) of each batch."""

    requests: list[tuple[UUID, UUID, int]] = field(default_factory=list[tuple[UUID, UUID, int]])
    answer: asyncio.Task[list[list[Event]]] | None = None


class Pages:
    """Reads the log for all feeds of a process."""

    def __init__(self, db: Database, most: int) -> None:
        self._db = db
        self._most = most
        self._next = _Read()
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def page(self, org_id: UUID, stream_id: UUID, after: int) -> list[Event]:
        """Up to `most` events with a `seq` above `after`, in order.  Raises DatabaseBusy."""
        if len(self._next.requests) >= MOST_STREAMS:
            self._next = _Read()
        read, place = self._next, len(self._next.requests)
        read.requests.append((org_id, stream_id, after))
        if read.answer is None:
            read.answer = asyncio.create_task(self._read(read), name="event-pages")
        return (await asyncio.shield(read.answer))[place]

    async def _read(self, read: _Read) -> list[list[Event]]:
        async with self._turns:
            if self._next is read:  # whoever comes from now on is answered by the next one
                self._next = _Read()
            orgs, streams, afters = zip(*read.requests, strict=True)
            values = {
                "orgs": list(orgs),
                "streams": list(streams),
                "afters": list(afters),
                "most": self._most,
            }
            pages: list[list[Event]] = [[] for _ in read.requests]
            for n, *row in await self._db.rows(_READ, values):
                pages[n - 1].append(Event(*row))
            return pages
