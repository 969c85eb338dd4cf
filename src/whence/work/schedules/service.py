"""What people do with schedules: create, read, change, pause, start now, delete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy import Select, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.statements import storable, storable_text
from whence.kernel.errors import Conflict, Invalid, NotFound
from whence.kernel.field_errors import faults_of, sentence
from whence.kernel.ids import new_id
from whence.kernel.paging import RowCursor
from whence.kernel.services import Services
from whence.tenancy.audit import audit
from whence.tenancy.principal import Principal, Scope
from whence.tenancy.system import SYSTEM_SCOPES
from whence.work.jobs import Jobs
from whence.work.schedules.declaration import DeclaredSchedule
from whence.work.schedules.starting import SCHEDULE, start
from whence.work.schedules.tables import ScheduleRow
from whence.work.schedules.timing import Timing
from whence.work.schedules.values import (
    Change,
    Limits,
    NewSchedule,
    Shown,
    StillDeclared,
    TooManySchedules,
    TooOften,
)
from whence.work.tables import WorkItem


class Schedules:
    """The schedules of the unit of work's organization."""

    def __init__(
        self, jobs: Jobs, services: Services, declared: Sequence[DeclaredSchedule], limits: Limits
    ) -> None:
        self._jobs = jobs
        self._services = services
        self.declared = declared
        self._limits = limits

    async def listed(
        self, session: AsyncSession, *, limit: int, after: RowCursor | None = None
    ) -> tuple[list[Shown], RowCursor | None]:
        """One page, newest first, and the cursor of the next page (None after the last)."""
        query = _with_status().order_by(ScheduleRow.created_at.desc(), ScheduleRow.id.desc())
        if after:
            place = tuple_(ScheduleRow.created_at, ScheduleRow.id)
            query = query.where(place < (after.at, after.id))
        rows = (await session.execute(query.limit(limit + 1))).tuples().all()
        page = [self._shown(row, status) for row, status in rows[:limit]]
        more = len(rows) > limit
        return page, RowCursor(page[-1].row.created_at, page[-1].row.id) if more else None

    async def get(self, session: AsyncSession, schedule_id: UUID) -> Shown:
        """One schedule; raises NotFound."""
        query = _with_status().where(ScheduleRow.id == schedule_id)
        row = (await session.execute(query)).tuples().one_or_none()
        if row is None:
            raise NotFound("There is no such schedule.")
        return self._shown(*row)

    async def create(self, session: AsyncSession, who: Principal, new: NewSchedule) -> Shown:
        """Create a schedule; its jobs get the scopes that the system principal and `who` share.

        Raises Forbidden, Invalid with the faulty fields, TooOften and TooManySchedules.
        """
        _require_person(who)
        payload = self._payload(new.job, new.payload)
        self.check_timing(new.timing)
        await self._check_number(session, who.org_id)
        at = await _now(session)
        row = ScheduleRow(
            id=new_id(),
            title=_title(new.title),
            job=new.job,
            payload=payload,
            paused=new.paused,
            scopes=sorted(scope.value for scope in SYSTEM_SCOPES & who.scopes),
            created_by=who.user_id,
            created_at=at,
            updated_at=at,
        )
        row.set_timing(new.timing, at)
        session.add(row)
        await session.flush()
        await audit(session, who, "create_schedule", SCHEDULE, row.id, _audited(row))
        return self._shown(row, None)

    async def change(
        self, session: AsyncSession, who: Principal, schedule_id: UUID, change: Change
    ) -> Shown:
        """Change, pause or resume a schedule; ticks missed while it was paused are not caught up.

        Raises what `create` raises, NotFound, and Conflict for the payload of a declared schedule.
        """
        _require_person(who)
        row = await _locked(session, schedule_id)
        before, at = _audited(row), await _now(session)
        if change.payload is not None:
            if row.declared_as:
                raise Conflict(
                    "A pack declares this schedule's payload; create a schedule of your own."
                )
            row.payload = self._payload(row.job, change.payload)
        if change.title is not None:
            row.title = _title(change.title)
        if (timing := change.timing(row.timing)) != row.timing:
            self.check_timing(timing)
            row.set_timing(timing, at)
        if change.paused is not None and change.paused != row.paused:
            row.paused = change.paused
            row.plan(at)
        after = _audited(row)
        if after != before:
            row.updated_at = at
            changed = [name for name in after if after[name] != before[name]]
            detail = {
                "before": {name: before[name] for name in changed},
                "after": {name: after[name] for name in changed},
            }
            await audit(session, who, "change_schedule", SCHEDULE, row.id, detail)
        await session.flush()
        return await self.get(session, schedule_id)

    async def start_now(self, session: AsyncSession, who: Principal, schedule_id: UUID) -> Shown:
        """Start its job now, like a tick; the next tick stays as planned.

        Raises Forbidden and NotFound.
        """
        _require_person(who)
        row = await _locked(session, schedule_id)
        await audit(session, who, "start_schedule_now", SCHEDULE, row.id, {})
        await start(session, self._jobs, row, await _now(session))
        await session.flush()
        return await self.get(session, schedule_id)

    async def delete(self, session: AsyncSession, who: Principal, schedule_id: UUID) -> None:
        """Delete a schedule; a job that it started continues.  Raises Forbidden, NotFound,
        StillDeclared.
        """
        _require_person(who)
        row = await _locked(session, schedule_id)
        if row.declared_as in self._declared_names:
            raise StillDeclared
        await session.delete(row)
        await audit(session, who, "delete_schedule", SCHEDULE, row.id, _audited(row))

    @property
    def _declared_names(self) -> set[str]:
        return {each.name for each in self.declared}

    def _shown(self, row: ScheduleRow, last_job_status: str | None) -> Shown:
        is_known = row.job in self._jobs.types
        if row.declared_as:
            is_known = is_known and row.declared_as in self._declared_names
        return Shown(row, last_job_status, is_known)

    def _payload(self, type_: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """The payload in its stored form; raises Invalid with the faulty fields."""
        try:
            job = self._jobs.get(type_).job
        except NotFound as error:
            raise Invalid(error.message) from error
        try:
            payload = job.payload.model_validate(storable(dict(values)))
        except ValidationError as error:
            faults = faults_of(error, job.payload, "payload")
            raise Invalid(
                f"The payload does not fit the job '{type_}': {sentence(faults)}.",
                errors=[each.as_json() for each in faults],
            ) from error
        if job.check:
            job.check(payload, self._services)
        return payload.model_dump(mode="json", by_alias=True, exclude_defaults=True)

    def check_timing(self, timing: Timing) -> None:
        """Raise TooOften for times that are too close together."""
        shortest = self._limits.shortest_seconds
        if timing.shortest_seconds < shortest:
            raise TooOften(
                f"A schedule may start its job every {shortest} seconds at most; this one would"
                f" start it after {timing.shortest_seconds:g}."
            )

    async def _check_number(self, session: AsyncSession, org_id: UUID) -> None:
        await session.execute(
            select(func.pg_advisory_xact_lock(func.hashtext(f"whence.schedules/{org_id}")))
        )
        query = select(func.count()).where(ScheduleRow.declared_as.is_(None))
        if (await session.execute(query)).scalar_one() >= self._limits.most:
            raise TooManySchedules(
                f"The organization has {self._limits.most} schedules, the most allowed; delete"
                " one that is no longer needed."
            )


def _require_person(who: Principal) -> None:
    who.require(Scope.WRITE)
    who.require_person()


def _title(title: str) -> str:
    title = storable_text(title).strip()
    if not title:
        raise Invalid("A schedule needs a title.")
    return title


def _audited(row: ScheduleRow) -> dict[str, Any]:
    """The fields of a schedule that the audit log records."""
    names = ("title", "job", "payload", "cron", "every_seconds", "time_zone", "paused")
    return {name: getattr(row, name) for name in names}


def _with_status() -> Select[ScheduleRow, str]:
    last = WorkItem.id == ScheduleRow.last_job_id
    return select(ScheduleRow, WorkItem.status).outerjoin(WorkItem, last)


async def _locked(session: AsyncSession, schedule_id: UUID) -> ScheduleRow:
    query = select(ScheduleRow).where(ScheduleRow.id == schedule_id).with_for_update()
    row = (await session.scalars(query.execution_options(populate_existing=True))).one_or_none()
    if row is None:
        raise NotFound("There is no such schedule.")
    return row


async def _now(session: AsyncSession) -> datetime:
    """The time of the database's clock, the only one that decides what is due."""
    return (await session.execute(select(func.now()))).scalar_one()
