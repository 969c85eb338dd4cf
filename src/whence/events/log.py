"""The event log: append-only, numbered events per stream; every protocol is a projection of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.db.database import Database
from whence.events.base import StreamEvent

_APPEND = "SELECT whence.append_event(%(stream)s, %(type)s, %(payload)s)"
_APPEND_ALL = "SELECT seq, at FROM whence.append_events(%(stream)s, %(events)s)"
_READ = """
    SELECT seq, type, payload, at
    FROM whence.read_events(%(org)s, %(stream)s, %(after)s, %(most)s)
"""
_NEWEST = """
    SELECT seq, type, payload, at FROM whence.events
    WHERE org_id = whence.current_org() AND stream_id = %(stream)s
        AND (%(before)s::bigint IS NULL OR seq < %(before)s)
        AND (%(node)s::text IS NULL OR payload->>'node' = %(node)s)
        AND (%(types)s::text[] IS NULL OR type = ANY(%(types)s))
    ORDER BY seq DESC LIMIT %(most)s
"""
BATCH = 500
"""Events in one read."""
_FIRST = "SELECT min(seq) FROM whence.events WHERE stream_id = %(stream)s"
_LAST = "SELECT last_seq FROM whence.streams WHERE stream_id = %(stream)s"


@dataclass(frozen=True)
class Event:
    """One row of a stream; `seq` counts from 1 without gaps, in commit order."""

    seq: int
    type: str
    payload: dict[str, Any]
    at: datetime


async def append(session: AsyncSession, stream_id: UUID, event: StreamEvent) -> int:
    """Add an event in the caller's transaction and return its `seq`; readers wake at commit."""
    values = {"stream": stream_id, "type": event.type, "payload": event.payload()}
    [(seq,)] = await statements.rows(session, _APPEND, values)
    return seq


async def append_all(
    session: AsyncSession, stream_id: UUID, events: Sequence[StreamEvent]
) -> list[Event]:
    """Add events, at least one, in the caller's transaction and in one round trip.

    After the commit, `EventBus.wrote` saves the readers here from reading them.
    """
    bodies = [(each.type, each.payload()) for each in events]
    rows = [{"type": name, "payload": body} for name, body in bodies]
    values = {"stream": stream_id, "events": statements.as_json(rows)}
    [(last, at)] = await statements.rows(session, _APPEND_ALL, values)
    first = last - len(bodies) + 1
    return [Event(n, *each, at) for n, each in enumerate(bodies, first)]


async def read(
    db: Database, org_id: UUID, stream_id: UUID, after: int, most: int = BATCH
) -> list[Event]:
    """Up to `most` events with a `seq` above `after`, in order, in one round trip."""
    values = {"org": org_id, "stream": stream_id, "after": after, "most": most}
    return [Event(*row) for row in await db.rows(_READ, values)]


async def newest(
    session: AsyncSession,
    stream_id: UUID,
    *,
    before: int | None = None,
    most: int = BATCH,
    node: str | None = None,
    types: Sequence[str] = (),
) -> list[Event]:
    """Up to `most` events with a `seq` below `before`, the newest first: of all nodes or of one, of
    all types or of some.
    """
    only = list(types) or None
    values = {"stream": stream_id, "before": before, "node": node, "most": most, "types": only}
    return [Event(*row) for row in await statements.rows(session, _NEWEST, values)]


async def last_seq(session: AsyncSession, stream_id: UUID) -> int:
    """The newest `seq` of the stream, 0 if it has no events."""
    row = await statements.row(session, _LAST, {"stream": stream_id})
    return row[0] if row else 0


async def first_seq(session: AsyncSession, stream_id: UUID) -> int:
    """The oldest `seq` that is still kept, 0 if none is."""
    row = await statements.row(session, _FIRST, {"stream": stream_id})
    return (row[0] or 0) if row else 0
