"""Cancel work without waiting for it.

While the work writes, it holds its row, perhaps for seconds.  If a request to cancel finds the row
locked, it is stored as a separate row: the next fence and the next claim refuse, a notification
stops the attempt in its process, and a worker ends the work once its row is free.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from uuid import UUID

from sqlalchemy import delete, exists, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.db.failures import DatabaseBusy
from whence.events import log
from whence.events.bus import CANCELS, EventBus
from whence.events.types import JobComplete
from whence.kernel.clock import now
from whence.kernel.errors import WhenceError
from whence.kernel.log import get
from whence.kernel.stopping import stop_if_cancelled
from whence.tenancy.principal import Principal
from whence.work.tables import ACTIVE, CancelRequest, WorkItem

Close = Callable[[AsyncSession, UUID], Awaitable[None]]
"""Closes what a type of work leaves open, before the work's last event."""
CANCELLED = "The job was cancelled."
LOOK_SECONDS = 10.0
"""Time between two queries for requests whose notification was lost."""
AGAIN_SECONDS = 0.1
"""Pause before another try at work that is still writing; an attempt stops within this time."""
_NOTIFY = text("SELECT pg_notify(:channel, :id)")
_DUE = "SELECT org_id, id FROM whence.cancel_requests_due()"
_log = get("work.cancellation")


async def request(
    session: AsyncSession, who: Principal, work_id: UUID, close: Close | None = None
) -> bool:
    """End active work now; if it is writing, request that it ends right afterwards.

    Returns false if the work is not active, or cancelling was already requested.
    """
    active = select(WorkItem.id).where(WorkItem.id == work_id, WorkItem.status.in_(ACTIVE))
    if await session.scalar(active) is None:
        return False
    if await end(session, work_id, close):
        return True
    row = {"id": work_id, "requested_by": who.user_id}
    statement = (
        insert(CancelRequest).values(row).on_conflict_do_nothing().returning(CancelRequest.id)
    )
    is_new = (await session.execute(statement)).one_or_none() is not None
    await _notify(session, work_id)
    return is_new


async def end(session: AsyncSession, work_id: UUID, close: Close | None = None) -> bool:
    """End work as cancelled and stop its attempt; false if it is writing or already over."""
    mine = WorkItem.id == work_id, WorkItem.status.in_(ACTIVE)
    free = select(WorkItem.id).where(*mine).with_for_update(skip_locked=True, key_share=True)
    if await session.scalar(free) is None:
        return False
    await session.execute(
        update(WorkItem)
        .where(WorkItem.id == work_id)
        .values(status="cancelled", completed_at=now(), resume_at=None, notice=None)
    )
    await forget(session, work_id)
    if close:
        await close(session, work_id)
    await log.append(session, work_id, JobComplete(status="cancelled"))
    await _notify(session, work_id)
    return True


async def end_if_requested(session: AsyncSession, work_id: UUID, close: Close) -> None:
    """End work whose row is free if cancelling was requested in the meantime."""
    if await session.scalar(select(exists().where(CancelRequest.id == work_id))):
        await end(session, work_id, close)


async def is_cancelled(session: AsyncSession, work_id: UUID) -> bool:
    """Whether work has ended as cancelled."""
    query = select(WorkItem.status == "cancelled").where(WorkItem.id == work_id)
    return bool(await session.scalar(query))


async def forget(session: AsyncSession, work_id: UUID) -> None:
    """Delete the request for work that is over or starts again."""
    await session.execute(delete(CancelRequest).where(CancelRequest.id == work_id))


async def _notify(session: AsyncSession, work_id: UUID) -> None:
    await session.execute(_NOTIFY, {"channel": CANCELS, "id": str(work_id)})


class Cancellations:
    """Ends, in a worker, work whose row was locked when it was cancelled."""

    def __init__(self, db: Database, bus: EventBus, closes: Mapping[str, Close]) -> None:
        """`closes` maps each type of work to its `Close`."""
        self._db = db
        self._bus = bus
        self._closes = closes
        self._wake = asyncio.Event()
        self._is_stopping_here = False

    async def end_forever(self) -> None:
        """End what is due until this task is cancelled; retries while the database is away."""
        pause = 0.0
        with self._bus.cancels(self._notified):
            while True:
                self._wake.clear()
                is_writing = await self._end_due_or_log()
                pause = min(max(2 * pause, AGAIN_SECONDS), LOOK_SECONDS) if is_writing else 0.0
                stop_if_cancelled()
                try:
                    async with asyncio.timeout(pause or LOOK_SECONDS):
                        await self._wake.wait()
                    pause = 0.0
                except TimeoutError:
                    pass

    async def end_due(self) -> bool:
        """End all work with a request to cancel; returns whether some of it is still writing.

        Also stops its attempts in this process, in case the notification was lost.
        """
        is_writing = False
        for org_id, work_id in await self._db.rows(_DUE, {}):
            self._stop_here(work_id)
            is_writing |= not await self._ended(org_id, work_id)
        return is_writing

    async def _ended(self, org_id: UUID, work_id: UUID) -> bool:
        try:
            async with self._db.unit(org_id) as session:
                query = select(WorkItem.type).where(WorkItem.id == work_id)
                close = self._closes.get(await session.scalar(query) or "")
                return await end(session, work_id, close)
        except DatabaseBusy:
            raise
        except Exception as error:  # noqa: BLE001 (it holds up no other work)
            _log.error("cancelled work not ended, will try again", work=work_id, exc_info=error)
            return False

    async def _end_due_or_log(self) -> bool:
        try:
            return await self.end_due()
        except WhenceError as error:
            _log.warning("cancelled work not ended, will try again", error=error.message)
        except Exception as error:  # noqa: BLE001 (the edge of a task: the next look continues)
            _log.error("cancelled work not ended, will try again", exc_info=error)
        return True

    def _stop_here(self, work_id: UUID) -> None:
        self._is_stopping_here = True
        self._bus.cancelled(str(work_id))
        self._is_stopping_here = False

    def _notified(self, work_id: str) -> None:
        if not self._is_stopping_here:
            self._wake.set()
