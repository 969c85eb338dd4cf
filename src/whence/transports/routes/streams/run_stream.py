"""A run's events for one client: what it is told first, and when nothing follows."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from whence.app.platform import Platform
from whence.events import log
from whence.events.types import JobComplete
from whence.research import run_steps, runs
from whence.tenancy.principal import Principal
from whence.transports.routes import job_view as jobs
from whence.transports.routes.streams.event_stream import Message, Opening, can_follow, gap_of
from whence.work.tables import FINISHED

SNAPSHOT = "job_status"


async def opening(
    built: Platform, who: Principal, run_id: UUID, after: int, *, skip: bool = False
) -> Opening:
    """Look the run up as its organization sees it; `skip`: with a gap in any case.

    Raises NotFound.
    """
    async with built.unit(who) as session:
        # The cursor first: a snapshot newer than it repeats events, an older one would lose some.
        last = await log.last_seq(session, run_id)
        first = await log.first_seq(session, run_id)
        run = await runs.get(session, run_id)
        steps = await run_steps.steps(session, run_id)
        # It may have ended since the cursor was read: its end is then still to be told.
        is_told = await log.last_seq(session, run_id) == last
    status = jobs.shown(built.kind(run.kind), run, steps) | {"lastSeq": last}
    names = {"jobId": str(run_id)}
    is_lost = skip or not can_follow(after, first, last)
    return Opening(
        org_id=who.org_id,
        stream_id=run_id,
        names=names,
        after=after,
        last_seq=last,
        snapshot=Message(SNAPSHOT, status, last),
        gap=gap_of(names, after, first, last) if is_lost else None,
        again=partial(opening, built, who, run_id, skip=True),
        is_over=is_told and run.status in FINISHED,
        end=JobComplete.type,
    )
