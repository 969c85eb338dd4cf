"""A job of a type that this worker does not know is left to a worker that does.

Workers of two versions run side by side during an upgrade, and fetch from the same queues.
"""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from whence.events import log
from whence.events.types import JobPaused
from whence.kernel.clock import now
from whence.kernel.log import get
from whence.work.queue import JobQueue
from whence.work.submission import enqueue, route_of
from whence.work.tables import WorkItem

WAIT_SECONDS = 30.0
"""Pause before any worker takes the job again: short for an upgrade, rare for a worker that only
puts it back."""
NOTICE = "Waits for a worker that knows the job '{type}'; upgrade the workers, or install its pack"
_log = get("work.unknown_types")


async def put_back(session: AsyncSession, queue: JobQueue, item: WorkItem) -> None:
    """Pause a job that the caller has locked, without counting an attempt or a failure."""
    notice, at = NOTICE.format(type=item.type), now() + timedelta(seconds=WAIT_SECONDS)
    if item.notice != notice:
        _log.warning("job of an unknown type left to other workers", run=item.id, type=item.type)
        await log.append(session, item.id, JobPaused(notice=notice, resume_at=at))
    item.status, item.notice, item.resume_at = "paused", notice, at
    await session.flush()
    await enqueue(session, queue, item.org_id, item.id, route_of(item), item.priority, at)
