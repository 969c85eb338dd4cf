"""What users do with jobs: read, list, cancel, resume."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from sqlalchemy import func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import Conflict, NotFound
from whence.kernel.paging import RowCursor
from whence.tenancy.audit import audit
from whence.tenancy.principal import Principal, Scope
from whence.work import cancellation
from whence.work.queue import JobQueue
from whence.work.submission import active_with, route_of, start
from whence.work.tables import ACTIVE, RESEARCH, WorkItem

ActiveStatus = Literal["pending", "running", "paused"]
JOB = "job"
"""The subject kind of jobs in the audit log."""


async def get(session: AsyncSession, job_id: UUID) -> WorkItem:
    """One job; raises NotFound, also for a research run."""
    query = select(WorkItem).where(WorkItem.id == job_id, WorkItem.type != RESEARCH)
    item = (await session.scalars(query)).one_or_none()
    if item is None:
        raise NotFound("There is no such job.")
    return item


async def listed(
    session: AsyncSession,
    *,
    types: Sequence[str] = (),
    statuses: Sequence[str] = (),
    limit: int = 20,
    after: RowCursor | None = None,
) -> list[WorkItem]:
    """The newest jobs after `after`, at most `limit`, optionally of some types and statuses."""
    query = select(WorkItem).where(WorkItem.type != RESEARCH)
    query = query.order_by(WorkItem.created_at.desc(), WorkItem.id.desc()).limit(limit)
    if types:
        query = query.where(WorkItem.type.in_(types))
    if statuses:
        query = query.where(WorkItem.status.in_(statuses))
    if after:
        query = query.where(tuple_(WorkItem.created_at, WorkItem.id) < (after.at, after.id))
    return list(await session.scalars(query))


async def active_counts(session: AsyncSession) -> dict[ActiveStatus, int]:
    """How many units of work are in each status that is no end, research included."""
    active = WorkItem.status.in_(ACTIVE)
    query = select(WorkItem.status, func.count()).where(active).group_by(WorkItem.status)
    counted = dict((await session.execute(query)).tuples().all())
    return {
        "pending": counted.get("pending", 0),
        "running": counted.get("running", 0),
        "paused": counted.get("paused", 0),
    }


async def cancel(session: AsyncSession, who: Principal, job_id: UUID) -> WorkItem:
    """Cancel a job in any active status, from any process; a job that has ended stays unchanged.

    A job that is writing is still active in the returned row; it ends right afterwards.
    """
    who.require(Scope.WRITE)
    item = await get(session, job_id)
    if await cancellation.request(session, who, job_id):
        await audit(session, who, "cancel_job", JOB, job_id, {"type": item.type})
    await session.refresh(item)
    return item


async def resume(session: AsyncSession, queue: JobQueue, who: Principal, job_id: UUID) -> WorkItem:
    """Resume a paused or failed job now, in `who`'s name.

    Raises Conflict in any other status, and while another job of the same key is active.
    """
    who.require(Scope.WRITE)
    item = await get(session, job_id)
    await session.refresh(item, with_for_update=True)
    if item.status not in ("paused", "error"):
        raise Conflict(f"This job is {item.status}; only a paused or failed one can be resumed.")
    if item.key and await active_with(session, item.type, item.key) not in (None, item.id):
        raise Conflict("A newer job with the same key is active and replaces this one.")
    item.requested_by, item.scopes = who.user_id, sorted(scope.value for scope in who.scopes)
    item.outages = item.crashes = item.deaths = 0
    await restart(session, queue, who.org_id, item)
    await audit(session, who, "resume_job", JOB, job_id, {"type": item.type})
    return item


async def restart(session: AsyncSession, queue: JobQueue, org_id: UUID, item: WorkItem) -> None:
    """Queue the next attempt of paused or failed work."""
    item.status, item.resume_at = "pending", None
    item.notice, item.error, item.completed_at = None, None, None
    await session.flush()
    await cancellation.forget(session, item.id)
    await start(session, queue, org_id, item.id, route_of(item), item.priority)
