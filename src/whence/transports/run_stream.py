"""A run's events for one client, from its cursor to the end: what SSE and Socket.IO both send."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from whence.events import log
from whence.events.types import JobComplete
from whence.research import runs
from whence.sdk.platform import Platform
from whence.tenancy.principal import Principal
from whence.transports import jobs

GAP = "gap"
"""The client's cursor is not one that can be followed; a snapshot comes next."""
SNAPSHOT = "job_status"


@dataclass(frozen=True)
class Message:
    """One message to a client; `seq` is the cursor once it has this."""

    type: str
    data: dict[str, Any]
    seq: int


@dataclass(frozen=True)
class Opening:
    """What a client that asks for a run is told first, and from where it goes on."""

    org_id: UUID
    run_id: UUID
    after: int
    last_seq: int
    is_over: bool
    snapshot: Message
    gap: Message | None

    @property
    def is_complete(self) -> bool:
        """Nothing follows: the run has ended and the client has every event."""
        return self.is_over and self.gap is None and self.after >= self.last_seq


async def opening(built: Platform, who: Principal, run_id: UUID, after: int) -> Opening:
    """Look the run up as its organization sees it; raises NotFound."""
    async with built.unit(who) as session:
        # The cursor first: a snapshot newer than it repeats events, an older one would lose some.
        last = await log.last_seq(session, run_id)
        first = await log.first_seq(session, run_id)
        run = await runs.get(session, run_id)
        steps = await runs.steps(session, run_id)
    kind = built.kind(run.kind)
    status = jobs.shown(kind, run, steps) | {"lastSeq": last}
    gap = None
    if after > last or after + 1 < first:
        told = {"jobId": str(run_id), "after": after, "firstSeq": first, "lastSeq": last}
        gap = Message(GAP, told, last)
    return Opening(
        org_id=who.org_id,
        run_id=run_id,
        after=after,
        last_seq=last,
        is_over=run.status in jobs.FINISHED,
        snapshot=Message(SNAPSHOT, status, last),
        gap=gap,
    )


async def follow(built: Platform, begin: Opening, *, snapshot: bool) -> AsyncGenerator[Message]:
    """The run's messages until it is complete; `snapshot`: begin with one even without a gap.

    It holds no database connection while it waits.
    """
    after = begin.after
    if begin.gap:
        yield begin.gap
        after = begin.last_seq
    if begin.gap or snapshot:
        yield begin.snapshot
    if begin.is_over and after >= begin.last_seq:
        return
    async with aclosing(built.bus.tail(begin.org_id, begin.run_id, after)) as batches:
        async for batch in batches:
            for event in batch:
                told = event.payload | {"jobId": str(begin.run_id), "seq": event.seq}
                yield Message(event.type, told, event.seq)
                # A failed run that was resumed has an earlier end in its log; this is the last one.
                if event.type == JobComplete.type and event.seq >= begin.last_seq:
                    return
