"""Schedules of a job of the test's own, with clocks that the test moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import text, update

from whence.app.platform import Platform
from whence.db.database import Database
from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal
from whence.work import status
from whence.work.context import JobContext
from whence.work.job import Job
from whence.work.schedules.declaration import DeclaredSchedule
from whence.work.schedules.tables import ScheduleRow
from whence.work.schedules.ticker import Ticker
from whence.work.schedules.timing import Timing, every
from whence.work.schedules.values import NewSchedule, Shown
from whence.work.tables import WorkItem

JOB = "desk.note"
_AUDITED = text("""
    SELECT action, user_id, detail FROM whence.audit_log WHERE kind = 'schedule' ORDER BY at, id
""")
_SYSTEM = text("SELECT system_user_id FROM whence.organizations")


class Note(Wire):
    text: str = ""


async def nothing(payload: Note, job: JobContext) -> None: ...


@dataclass
class Desk:
    platform: Platform
    who: Principal
    job: Job[Note] = field(default_factory=lambda: Job("note", "A test's job", Note, nothing))

    def __post_init__(self) -> None:
        if JOB not in self.platform.jobs.types:
            self.platform.jobs.offer("desk", self.job, pack="desk")

    def ticker(self, db: Database | None = None, *declared: DeclaredSchedule) -> Ticker:
        return Ticker(db or self.platform.db, self.platform.jobs, declared)

    async def set(
        self, timing: Timing | None = None, *, who: Principal | None = None, **more: Any
    ) -> ScheduleRow:
        new = NewSchedule("A", JOB, {}, timing or every(hours=1), **more)
        who = who or self.who
        async with self.platform.unit(who) as session:
            return (await self.platform.schedules.create(session, who, new)).row

    async def let_be_due(self, schedule_id: UUID, ago: str = "1 minute") -> None:
        """Let the next tick have come so long ago."""
        await self.write(schedule_id, {"next_at": text(f"now() - interval '{ago}'")})

    async def write(self, schedule_id: UUID, values: Mapping[str, Any]) -> None:
        async with self.platform.unit(self.who) as session:
            mine = ScheduleRow.id == schedule_id
            await session.execute(update(ScheduleRow).where(mine).values(**values))

    async def shown(self, schedule_id: UUID) -> Shown:
        async with self.platform.unit(self.who) as session:
            return await self.platform.schedules.get(session, schedule_id)

    async def jobs(self) -> list[WorkItem]:
        async with self.platform.unit(self.who) as session:
            return await status.listed(session, types=[JOB])

    async def audited(self) -> list[tuple[str, UUID, dict[str, Any]]]:
        async with self.platform.unit(self.who) as session:
            return [tuple(line) for line in await session.execute(_AUDITED)]  # pyright: ignore

    async def system(self) -> UUID:
        """The id of the organization's system principal."""
        async with self.platform.unit(self.who) as session:
            return (await session.execute(_SYSTEM)).scalar_one()
