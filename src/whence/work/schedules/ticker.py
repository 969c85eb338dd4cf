"""Start due schedules: every worker checks, and the first one starts the job.

A tick is one transaction that locks the schedule, starts its job and sets its next time.  It takes
effect once, no matter how many workers check or when one of them is killed.  Only the database's
clock counts.  Ticks that were missed while no worker ran are replaced by one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import func, select

from whence.db.database import Database
from whence.db.failures import DatabaseBusy
from whence.kernel.errors import WhenceError
from whence.kernel.log import get
from whence.kernel.stopping import stop_if_cancelled
from whence.work.jobs import Jobs
from whence.work.schedules.declaration import DeclaredSchedule
from whence.work.schedules.declared import declare
from whence.work.schedules.starting import start
from whence.work.schedules.tables import ScheduleRow

CHECK_SECONDS = 2.0
"""Time between two checks; while workers are free, a job starts at most this late."""
DECLARE_SECONDS = 60.0
"""Time between two checks for new organizations that lack the declared schedules."""
MOST = 100
"""How many schedules one check starts; the next check continues."""
_DUE = "SELECT org_id, id FROM whence.due_schedules(%(jobs)s, %(declared)s, %(most)s)"
_log = get("work.schedules")


class Ticker:
    """Starts the due schedules of all organizations."""

    def __init__(self, db: Database, jobs: Jobs, declared: Sequence[DeclaredSchedule]) -> None:
        self._db = db
        self._jobs = jobs
        self._declared = declared

    async def tick(self) -> int:
        """Start what is due; returns the number of ticks made by this process.  Raises
        DatabaseBusy."""
        names = [each.name for each in self._declared]
        values = {"jobs": self._jobs.types, "declared": names, "most": MOST}
        ticks = 0
        for org_id, schedule_id in await self._db.rows(_DUE, values):
            try:
                ticks += await self._start(org_id, schedule_id)
            except DatabaseBusy:
                raise
            except WhenceError as error:  # such as a job that just ended; the others continue
                _log.warning(
                    "a tick failed, will try again", schedule=str(schedule_id), error=error.message
                )
            except Exception as error:  # noqa: BLE001 (it holds up no other schedule)
                _log.error(
                    "a tick failed, will try again", schedule=str(schedule_id), exc_info=error
                )
        return ticks

    async def run(self) -> None:
        """Check until cancelled; an outage is retried at the next check."""
        checks, has_declared = 0, False
        while True:
            try:
                if checks % round(DECLARE_SECONDS / CHECK_SECONDS) == 0 or not has_declared:
                    await declare(self._db, self._declared, changed=not has_declared)
                    has_declared = True
                await self.tick()
            except WhenceError as error:
                _log.warning("schedules cannot be checked, will try again", error=error.message)
            except Exception as error:  # noqa: BLE001 (the edge of a task: the next check continues)
                _log.error("schedules cannot be checked, will try again", exc_info=error)
            checks += 1
            stop_if_cancelled()
            await asyncio.sleep(CHECK_SECONDS)

    async def _start(self, org_id: UUID, schedule_id: UUID) -> bool:
        async with self._db.unit(org_id) as session:
            query = select(ScheduleRow, func.now()).where(
                ScheduleRow.id == schedule_id, ScheduleRow.next_at <= func.now()
            )
            locked = await session.execute(query.with_for_update(skip_locked=True, of=ScheduleRow))
            schedule = locked.one_or_none()
            if schedule is None:  # another worker makes this tick, or a person has changed it
                return False
            row, at = schedule.tuple()
            await start(session, self._jobs, row, at)
            row.plan(at)
        if row.last_error:
            _log.warning("a schedule started nothing", schedule=str(row.id), error=row.last_error)
        return True
