"""One attempt at a unit of work: its claim, and the fence that every one of its writes passes.

The claim increments the fencing token, which ends every earlier attempt.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, LiteralString
from uuid import UUID

from sqlalchemy import exists, func, null, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.db.held import check_not_nested
from whence.events import log
from whence.events.types import JobStarted
from whence.kernel import metrics
from whence.kernel.clock import now
from whence.tenancy.principal import Principal, Role, Scope, agent_of
from whence.tenancy.system import current_rights
from whence.work import cancellation
from whence.work.cancellation import Close
from whence.work.tables import ACTIVE, CancelRequest, WorkItem


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """A unit of work, claimed by this worker under the fencing token `number`."""

    paused_notice: ClassVar[str] = "Paused, will resume automatically"

    db: Database
    principal: Principal
    """The requester, with the scopes of the request that the role still allows now."""
    work_id: UUID
    number: int
    deaths: int = 0
    """Workers that died at this place; 0 unless the last attempt ended without writing its outcome.
    """
    requester_left: bool = False
    """True if the requester has left the organization: the work has nobody to act for."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock, compare=False)
    """Serializes the work's writes in this process: they would otherwise wait for each other in the
    database, each holding a connection."""

    @asynccontextmanager
    async def fenced(self, *, flushed: bool = True) -> AsyncGenerator[AsyncSession]:
        """A transaction for writing; raises StaleAttempt once another worker owns the work."""
        check_not_nested(self.work_id)
        org_id = self.principal.org_id
        async with (
            self.lock,
            self.db.fenced(org_id, self.work_id, self.number, flushed=flushed) as session,
        ):
            yield session

    def unit(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for reading; joins an open `fenced()` of this task."""
        return self.db.joined_unit(self.principal.org_id, self.work_id)

    async def rows(
        self, statement: LiteralString, values: Mapping[str, object]
    ) -> list[tuple[Any, ...]]:
        """Run one fenced statement as a transaction; returns its rows."""
        async with self.lock:
            return await self.db.rows(statement, values)

    async def close(self, session: AsyncSession, reason: str) -> None:
        """Close what the attempt leaves open, with the reason, in the transaction that ends it."""


@dataclass(frozen=True)
class Claim:
    """A unit of work that was just claimed with the fencing token `number`."""

    principal: Principal
    number: int
    deaths: int
    requester_left: bool


async def claim(
    session: AsyncSession, org_id: UUID, work_id: UUID, close: Close | None = None
) -> Claim | None:
    """Claim a unit of work; None if it has ended, waits for a person, or no longer exists.

    If cancelling was requested, ends the work instead; `close` closes what it left open.
    """
    mine = WorkItem.id == work_id
    is_unwanted = exists().where(CancelRequest.id == work_id)
    held = select(WorkItem.status, is_unwanted).where(mine).with_for_update(of=WorkItem)
    before, is_cancelled = (await session.execute(held)).one_or_none() or (None, False)
    if is_cancelled:
        await cancellation.end(session, work_id, close)
        return None
    died = before == "running"
    claimed = await session.execute(
        update(WorkItem)
        .where(mine, WorkItem.status.in_(ACTIVE))
        .where(or_(WorkItem.status != "paused", WorkItem.resume_at.is_not(None)))
        .values(
            status="running",
            attempt=WorkItem.attempt + 1,
            deaths=WorkItem.deaths + int(died),
            started_at=func.coalesce(WorkItem.started_at, now()),
            notice=None,
            error=null(),
            resume_at=None,
        )
        .returning(WorkItem.attempt, WorkItem.deaths, WorkItem.requested_by, WorkItem.scopes)
    )
    row = claimed.one_or_none()
    if row is None:
        return None
    number, deaths, requested_by, scopes = row
    rights = await current_rights(session, requested_by)
    role, allowed = rights or (Role.VIEWER, frozenset[Scope]())
    granted = frozenset(scope for scope in allowed if scope.value in scopes)
    return Claim(
        principal=agent_of(Principal(org_id, requested_by, role, granted)),
        number=number,
        deaths=deaths if died else 0,
        requester_left=rights is None,
    )


async def log_started(session: AsyncSession, work_id: UUID, number: int, *, resumed: bool) -> None:
    """Write the event that an attempt has started; `resumed`: it continues earlier work."""
    await log.append(session, work_id, JobStarted(attempt=number, resumed=resumed))
    metrics.attempt_began(resumed=resumed)
