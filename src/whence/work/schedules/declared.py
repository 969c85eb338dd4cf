"""The rows of declared schedules: one per organization and schedule."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from whence.db.database import Database
from whence.kernel.ids import new_id
from whence.tenancy.system import SYSTEM_SCOPES, system_principal
from whence.work.schedules.declaration import DeclaredSchedule
from whence.work.schedules.tables import ScheduleRow

_UNDECLARED = """
    SELECT org_id, name
    FROM whence.undeclared_schedules(%(names)s, %(declarations)s, %(changed)s)
"""
SCOPES = sorted(scope.value for scope in SYSTEM_SCOPES)


async def declare(db: Database, declared: Sequence[DeclaredSchedule], *, changed: bool) -> None:
    """Create the schedules that organizations lack; with `changed`, also apply changed
    declarations.

    A changed declaration replaces the row, including times that a person has set; a paused schedule
    stays paused.
    """
    if not declared:
        return
    by_name = {each.name: each for each in declared}
    values = {
        "names": list(by_name),
        "declarations": [each.digest for each in by_name.values()],
        "changed": changed,
    }
    for org_id, name in await db.rows(_UNDECLARED, values):
        await _declare(db, org_id, by_name[name])


async def _declare(db: Database, org_id: UUID, declared: DeclaredSchedule) -> None:
    schedule, timing = declared.schedule, declared.schedule.timing
    async with db.unit(org_id) as session:
        at = (await session.execute(select(func.now()))).scalar_one()
        system = await system_principal(session, SCOPES)
        values = {
            "id": new_id(),
            "declared_as": declared.name,
            "declaration": declared.digest,
            "title": schedule.title,
            "job": declared.job,
            "payload": declared.payload,
            "cron": timing.cron,
            "every_seconds": timing.every_seconds,
            "time_zone": timing.time_zone,
            "anchor_at": at,
            "paused": schedule.paused,
            "next_at": None if schedule.paused else timing.next_after(at, at),
            "scopes": SCOPES,
            "created_by": system.user_id,
            "created_at": at,
            "updated_at": at,
        }
        new = insert(ScheduleRow).values(values).on_conflict_do_nothing()
        await session.execute(new)  # another worker may be first
        query = select(ScheduleRow).where(ScheduleRow.declared_as == declared.name)
        row = (await session.scalars(query.with_for_update())).one()
        if row.declaration != declared.digest:
            row.declaration, row.title = declared.digest, schedule.title
            row.job, row.payload, row.updated_at = declared.job, declared.payload, at
            row.set_timing(timing, at)
