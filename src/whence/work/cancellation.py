"""Cancelling work without waiting for it.

A write of the work holds the work's row, perhaps for seconds.  So a request to cancel that finds
the row taken is a row of its own: the next fence and the next claim refuse, a notification stops
the attempt in whichever process it runs, and a worker ends the work once its row is free.
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
"""Closes what a type of work leaves open, before the last event of the work."""
CANCELLED = "The job was cancelled."
LOOK_SECONDS = 10.0
"""Between two looks at requests without a notification, which may be lost."""
AGAIN_SECONDS = 0.1
"""Pause before the next try at work that is still being written: an attempt stops within this."""
_NOTIFY = text("SELECT pg_notify(:channel, :id)")
_DUE = "SELECT org_id, id FROM whence.cancel_requests_due()"
_log = get("work.cancellation")


async def request(
    session: AsyncSession, who: Principal, work_id: UUID, close: Close | None = None
) -> bool:
    """End active work now, or, while it is being written, ask that it ends as soon as that is over.

    False where it is not active, or was asked for before.
    """
    active = select(WorkItem.id).where(WorkItem.id == work_id, WorkItem.status.in_(ACTIVE))
    if await session.scalar(active) is None:
        return False
    if await end(session, work_id, close):
        return True
    row = {"id": work_id, "requested_by": who.user_id}
    asking = insert(CancelRequest).values(row).on_conflict_do_nothing().returning(CancelRequest.id)
    is_new = (await session.execute(asking)).one_or_none() is not None
    await _notify(session, work_id)
    return is_new


async def end(session: AsyncSession, work_id: UUID, close: Close | None = None) -> bool:
    """End work as cancelled and stop its attempt; false where it is being written, or is over."""
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
    """End work, with its row free, where somebody asked for that meanwhile."""
    if await session.scalar(select(exists().where(CancelRequest.id == work_id))):
        await end(session, work_id, close)


async def is_cancelled(session: AsyncSession, work_id: UUID) -> bool:
    """Whether work has ended as cancelled."""
    query = select(WorkItem.status == "cancelled").where(WorkItem.id == work_id)
    return bool(await session.scalar(query))


async def forget(session: AsyncSession, work_id: UUID) -> None:
    """Drop what was asked about work that is over, or begins again."""
    await session.execute(delete(CancelRequest).where(CancelRequest.id == work_id))


async def _notify(session: AsyncSession, work_id: UUID) -> None:
    await session.execute(_NOTIFY, {"channel": CANCELS, "id": str(work_id)})


class Cancellations:
    """Ends, in a worker, the work whose row was taken when it was cancelled."""

    def __init__(self, db: Database, bus: EventBus, closes: Mapping[str, Close]) -> None:
        """`closes` by type of work."""
        self._db = db
        self._bus = bus
        self._closes = closes
        self._wake = asyncio.Event()
        self._is_stopping_here = False

    async def end_forever(self) -> None:
        """End what is due until cancelled; a database that is away is tried again."""
        pause = 0.0
        with self._bus.cancels(self._notified):
            while True:
                self._wake.clear()
                is_left = await self._tried()
                pause = min(max(2 * pause, AGAIN_SECONDS), LOOK_SECONDS) if is_left else 0.0
                stop_if_cancelled()
                try:
                    async with asyncio.timeout(pause or LOOK_SECONDS):
                        await self._wake.wait()
                    pause = 0.0
                except TimeoutError:
                    pass

    async def end_due(self) -> bool:
        """End all work that somebody asked to cancel; whether some of it is still being written.

        Its attempts in this process are stopped, in case that the notification was lost.
        """
        is_left = False
        for org_id, work_id in await self._db.rows(_DUE, {}):
            self._stop_here(work_id)
            is_left |= not await self._ended(org_id, work_id)
        return is_left

    async def _ended(self, org_id: UUID, work_id: UUID) -> bool:
        try:
            async with self._db.unit(org_id) as session:
                query = select(WorkItem.type).where(WorkItem.id == work_id)
                close = self._closes.get(await session.scalar(query) or "")
                return await end(session, work_id, close)
        except DatabaseBusy:
            raise
        except Exception as error:  # noqa: BLE001 (it holds up no other work that is to end)
            _log.error("cancelled work not ended, will try again", work=work_id, exc_info=error)
            return False

    async def _tried(self) -> bool:
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
