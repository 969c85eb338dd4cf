"""Schedules over REST: create, read, change, pause, start and delete them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field

from whence.kernel.wire import Wire
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import (
    DEFAULT_LIMIT,
    Cursor,
    Limit,
    PageOf,
    RowCursor,
)
from whence.transports.routes.schedule_view import Schedule, schedule
from whence.work.schedules.timing import UTC_ZONE, Timing
from whence.work.schedules.values import Change, NewSchedule

router = APIRouter(prefix="/api/schedules", tags=["schedules"])
TICKS_SHOWN = 5
"""Next ticks that a preview lists."""
ScheduleId = Annotated[UUID, Path(alias="id")]
Title = Annotated[str, Field(min_length=1, max_length=200)]
CronExpression = Annotated[
    str, Field(max_length=200, description="Five fields, such as `0 6 * * mon`")
]
EverySeconds = Annotated[int, Field(ge=1, description="An interval, instead of `cron`")]
TimeZone = Annotated[str, Field(max_length=100, description="Of `cron`, such as `Europe/Berlin`")]


class ScheduleRequest(Wire):
    """What to start, and when: `cron` with a time zone, or `everySeconds`."""

    title: Title
    job: Annotated[str, Field(max_length=200)]
    """`<pack>.<name>`, or `research_records`."""
    payload: dict[str, Any] = Field(default_factory=dict)
    cron: CronExpression | None = None
    every_seconds: EverySeconds | None = None
    time_zone: TimeZone = "UTC"
    paused: bool = False


class ScheduleChange(Wire):
    """What to change; absent fields stay unchanged, but `cron` and `everySeconds` replace each
    other."""

    title: Title | None = None
    payload: dict[str, Any] | None = None
    cron: CronExpression | None = None
    every_seconds: EverySeconds | None = None
    time_zone: TimeZone | None = None
    paused: bool | None = None


@router.get("")
async def list_schedules(
    platform: CurrentPlatform, who: Reader, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> PageOf[Schedule]:
    """All schedules, newest first."""
    after = RowCursor.read(cursor)
    async with platform.unit(who) as session:
        page, more = await platform.schedules.listed(session, limit=limit, after=after)
        items = [schedule(each) for each in page]
    return PageOf(items=items, next_cursor=more.written() if more else None)


@router.post("", status_code=201)
async def create_schedule(
    platform: CurrentPlatform, who: Writer, body: ScheduleRequest, response: Response
) -> Schedule:
    """Create a schedule; 422 explains errors in its times or its payload."""
    new = NewSchedule(
        title=body.title,
        job=body.job,
        payload=body.payload,
        timing=Timing(body.cron, body.every_seconds, body.time_zone),
        paused=body.paused,
    )
    async with platform.unit(who) as session:
        created = schedule(await platform.schedules.create(session, who, new))
    response.headers["Location"] = f"/api/schedules/{created.id}"
    return created


class TimesPreview(Wire):
    """The times of a schedule, before it is created."""

    description: str
    next: list[datetime]
    """The next ticks, in UTC."""


@router.get("/times")
async def preview_times(
    platform: CurrentPlatform,
    who: Reader,
    cron: CronExpression | None = None,
    every_seconds: Annotated[EverySeconds | None, Query(alias="everySeconds")] = None,
    time_zone: Annotated[TimeZone, Query(alias="timeZone")] = UTC_ZONE,
) -> TimesPreview:
    """The next times of a cron expression or an interval, and the two in words; 422 explains what
    is wrong with them."""
    timing = Timing(cron, every_seconds, time_zone)
    platform.schedules.check_timing(timing)
    return TimesPreview(description=timing.description, next=timing.next_ticks(TICKS_SHOWN))


@router.get("/{id}")
async def read_schedule(
    platform: CurrentPlatform, who: Reader, schedule_id: ScheduleId
) -> Schedule:
    """The current state of a schedule."""
    async with platform.unit(who) as session:
        return schedule(await platform.schedules.get(session, schedule_id))


@router.patch("/{id}")
async def change_schedule(
    platform: CurrentPlatform, who: Writer, schedule_id: ScheduleId, body: ScheduleChange
) -> Schedule:
    """Change, pause or resume a schedule; missed ticks are not made up."""
    change = Change(
        title=body.title,
        payload=body.payload,
        cron=body.cron,
        every_seconds=body.every_seconds,
        time_zone=body.time_zone,
        paused=body.paused,
    )
    async with platform.unit(who) as session:
        return schedule(await platform.schedules.change(session, who, schedule_id, change))


@router.post("/{id}/start")
async def start_schedule(
    platform: CurrentPlatform, who: Writer, schedule_id: ScheduleId
) -> Schedule:
    """Start its job now, like a tick; the next tick is unchanged."""
    async with platform.unit(who) as session:
        return schedule(await platform.schedules.start_now(session, who, schedule_id))


@router.delete("/{id}", status_code=204)
async def delete_schedule(platform: CurrentPlatform, who: Writer, schedule_id: ScheduleId) -> None:
    """Delete a schedule; a job it started continues.  409 for a schedule declared by a pack."""
    async with platform.unit(who) as session:
        await platform.schedules.delete(session, who, schedule_id)
