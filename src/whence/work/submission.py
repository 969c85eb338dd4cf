"""Submit work: write its row, first event and first attempt in the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from whence.events import log
from whence.events.types import JobQueued
from whence.kernel.clock import now
from whence.kernel.errors import Conflict
from whence.kernel.ids import new_id
from whence.tenancy.principal import Principal
from whence.work.queue import JobQueue, Priority
from whence.work.tables import ACTIVE, WorkItem


class JustEnded(Conflict):
    """Work with this key has just ended; send the request again."""


@dataclass(frozen=True)
class Submission:
    """The unit of work for a request; `created` is false if it was already active."""

    id: UUID
    created: bool


@dataclass(frozen=True)
class Route:
    """The queue and the handler's name for attempts at a type of work."""

    queue: str
    handler: str


async def submit(
    session: AsyncSession,
    who: Principal,
    type_: str,
    route: Route,
    *,
    key: str | None = None,
    priority: Priority = Priority.NORMAL,
    payload: Mapping[str, Any] | None = None,
) -> Submission:
    """Write a unit of work without queueing it; for a key that is active, return the active unit.
    The caller then writes what its type adds, and calls `start`.  Raises JustEnded.
    """
    work_id = new_id()
    row = {
        "id": work_id,
        "type": type_,
        "key": key,
        "queue": route.queue,
        "handler": route.handler,
        "status": "pending",
        "priority": priority.number,
        "requested_by": who.user_id,
        "scopes": sorted(scope.value for scope in who.scopes),
        "payload": dict(payload or {}),
        "created_at": now(),
    }
    statement = insert(WorkItem).values(row).on_conflict_do_nothing().returning(WorkItem.id)
    if (await session.execute(statement)).one_or_none() is not None:
        return Submission(work_id, created=True)
    active = await active_with(session, type_, key)
    if active is None:
        raise JustEnded
    return Submission(active, created=False)


async def active_with(session: AsyncSession, type_: str, key: str | None) -> UUID | None:
    """The one active unit of this type and key, or None."""
    return await session.scalar(
        select(WorkItem.id).where(
            WorkItem.type == type_, WorkItem.key == key, WorkItem.status.in_(ACTIVE)
        )
    )


async def start(
    session: AsyncSession,
    queue: JobQueue,
    org_id: UUID,
    work_id: UUID,
    route: Route,
    priority: int,
    at: datetime | None = None,
) -> None:
    """Write the event that the work is queued, and queue its next attempt, to start at `at` or
    later."""
    name = next(level for level in Priority if level.number == priority)
    await log.append(session, work_id, JobQueued(priority=name.value))
    await enqueue(session, queue, org_id, work_id, route, priority, at)


async def enqueue(
    session: AsyncSession,
    queue: JobQueue,
    org_id: UUID,
    work_id: UUID,
    route: Route,
    priority: int,
    at: datetime | None = None,
) -> None:
    """Queue an attempt in the caller's transaction, in place of any queued one."""
    await queue.withdraw(session, str(work_id))
    arguments = {"org_id": str(org_id), "work_id": str(work_id)}
    await queue.enqueue(
        session,
        route.handler,
        arguments,
        queue=route.queue,
        priority=priority,
        lock=str(work_id),
        at=at,
    )


async def interrupt(session: AsyncSession, queue: JobQueue, work_id: UUID) -> None:
    """End a running attempt by its fence, and queue the next one; not counted as a failure.

    For a change to the work's saved state from outside: the attempt's next write is refused, and
    the next attempt reads the changed state.
    """
    interrupted = (
        update(WorkItem)
        .where(WorkItem.id == work_id, WorkItem.status == "running")
        .values(status="pending", attempt=WorkItem.attempt + 1)
        .returning(WorkItem.org_id, WorkItem.queue, WorkItem.handler, WorkItem.priority)
    )
    row = (await session.execute(interrupted)).one_or_none()
    if row is not None:
        route = Route(row.queue, row.handler)
        await start(session, queue, row.org_id, work_id, route, row.priority)


def route_of(item: WorkItem) -> Route:
    """The queue and handler of this unit of work."""
    return Route(item.queue, item.handler)
