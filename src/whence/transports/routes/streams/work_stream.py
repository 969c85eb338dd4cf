"""The events of a run or a job for one client: its first message, and when nothing follows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.events import log
from whence.events.types import JobComplete
from whence.research import run_steps, runs
from whence.tenancy.principal import Principal
from whence.transports.routes import job_view
from whence.transports.routes.background_job_view import background_job
from whence.transports.routes.streams.event_stream import Message, Opening, can_follow, gap_of
from whence.work import status
from whence.work.tables import FINISHED, WorkItem

SNAPSHOT = "job_status"
Look = Callable[[Platform, AsyncSession, UUID], Awaitable[tuple[WorkItem, dict[str, Any]]]]
"""Reads one unit of work: its row, and its document on the wire.  Raises NotFound."""


async def run_now(
    platform: Platform, session: AsyncSession, run_id: UUID
) -> tuple[WorkItem, dict[str, Any]]:
    """A run with its steps."""
    run = await runs.get(session, run_id)
    steps = await run_steps.steps(session, run_id)
    return run, job_view.shown(platform.kind(run.kind), run, steps)


async def job_now(
    platform: Platform, session: AsyncSession, job_id: UUID
) -> tuple[WorkItem, dict[str, Any]]:
    """A background job."""
    item = await status.get(session, job_id)
    shown = await background_job(session, item)
    return item, shown.model_dump(mode="json", by_alias=True)


async def opening(
    look: Look, platform: Platform, who: Principal, work_id: UUID, after: int, *, skip: bool = False
) -> Opening:
    """Find the work within its organization; `skip`: start with a gap in any case.

    Raises NotFound.
    """
    async with platform.unit(who) as session:
        # The cursor first: a snapshot newer than it repeats events, an older one would lose some.
        last = await log.last_seq(session, work_id)
        first = await log.first_seq(session, work_id)
        item, document = await look(platform, session, work_id)
        # It may have ended since the cursor was read: its end is then still to be told.
        is_told = await log.last_seq(session, work_id) == last
    names = {"jobId": str(work_id)}
    is_lost = skip or not can_follow(after, first, last)
    return Opening(
        org_id=who.org_id,
        stream_id=work_id,
        names=names,
        after=after,
        last_seq=last,
        snapshot=Message(SNAPSHOT, document | {"lastSeq": last}, last),
        gap=gap_of(names, after, first, last) if is_lost else None,
        again=partial(opening, look, platform, who, work_id, skip=True),
        is_over=is_told and item.status in FINISHED,
        end=JobComplete.type,
    )


run_opening = partial(opening, run_now)
