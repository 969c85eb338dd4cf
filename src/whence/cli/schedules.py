"""`whence schedules list|show|add|change|pause|resume|start|remove`: what is started by itself."""

from __future__ import annotations

import json
import re
from typing import Annotated
from uuid import UUID

import typer
from rich.markup import escape
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.cli import session
from whence.cli.showing import Act, AsJson, Columns, Document, in_unit, print_list
from whence.kernel.errors import Invalid
from whence.transports.routes.schedule_view import schedule
from whence.work.schedules.timing import Timing
from whence.work.schedules.values import Change, NewSchedule, Shown

app = typer.Typer(help="Schedules: what is started by itself, and when.", no_args_is_help=True)
_schedule_id = session.id_parser("a schedule", "whence schedules list")
ScheduleId = Annotated[UUID, typer.Argument(metavar="SCHEDULE", help="Its id", parser=_schedule_id)]
Cron = Annotated[
    str | None, typer.Option(help="Five fields: minute hour day month weekday, as '0 6 * * mon'")
]
Every = Annotated[str | None, typer.Option(help="An interval instead, such as 30m, 6h or 7d")]
TimeZone = Annotated[str | None, typer.Option(help="Of --cron, such as Europe/Berlin; UTC")]
_INTERVAL = re.compile(r"(\d{1,9})([smhd])")
_UNIT_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_LIST_LIMIT = 1_000


@app.command(name="list")
def list_(as_json: AsJson = False) -> None:
    """Every schedule, the newest first."""

    async def listed(platform: Platform, unit: AsyncSession) -> list[Document]:
        shown, _ = await platform.schedules.listed(unit, limit=_LIST_LIMIT)
        return [_document(each) for each in shown]

    columns: Columns = {
        "Schedule": lambda each: each["id"],
        "Title": lambda each: each["title"],
        "When": lambda each: each["description"],
        "Next": _next,
        "Last": _last,
    }
    none = "No schedules; `whence schedules add` sets one."
    print_list("schedules", in_unit(listed), columns, none=none, as_json=as_json)


@app.command()
def show(schedule_id: ScheduleId, as_json: AsJson = False) -> None:
    """One schedule: what it starts, when, and what came of the last time."""
    _print(lambda platform, unit: platform.schedules.get(unit, schedule_id), as_json=as_json)


@app.command()
def add(
    title: Annotated[str, typer.Argument(help="What people call it")],
    job: Annotated[
        str, typer.Option(help="What it starts: PACK.NAME or research_records")
    ] = "research_records",
    payload: Annotated[str, typer.Option(help="The job's payload, as JSON")] = "{}",
    cron: Cron = None,
    every: Every = None,
    time_zone: TimeZone = None,
    paused: Annotated[bool, typer.Option("--paused", help="Start nothing yet")] = False,
    as_json: AsJson = False,
) -> None:
    """Set a schedule, such as: whence schedules add "Items, weekly" --payload '{"kind": "items"}'
    --cron '0 6 * * mon' --time-zone Europe/Berlin
    """
    timing = Timing(cron, _seconds(every), time_zone or "UTC")
    new = NewSchedule(title, job, session.json_object(payload, "payload"), timing, paused)
    _print(
        lambda platform, unit: platform.schedules.create(unit, platform.owner, new), as_json=as_json
    )


@app.command()
def change(
    schedule_id: ScheduleId,
    title: Annotated[str | None, typer.Option(help="What people call it")] = None,
    payload: Annotated[str | None, typer.Option(help="The job's payload, as JSON")] = None,
    cron: Cron = None,
    every: Every = None,
    time_zone: TimeZone = None,
    as_json: AsJson = False,
) -> None:
    """Change what a schedule starts, or when."""
    change_values = Change(
        title=title,
        payload=None if payload is None else session.json_object(payload, "payload"),
        cron=cron,
        every_seconds=_seconds(every),
        time_zone=time_zone,
    )
    _change(schedule_id, change_values, as_json=as_json)


@app.command()
def pause(schedule_id: ScheduleId, as_json: AsJson = False) -> None:
    """Let a schedule start nothing until it is resumed."""
    _change(schedule_id, Change(paused=True), as_json=as_json)


@app.command()
def resume(schedule_id: ScheduleId, as_json: AsJson = False) -> None:
    """Let a paused schedule continue from its next time."""
    _change(schedule_id, Change(paused=False), as_json=as_json)


@app.command()
def start(schedule_id: ScheduleId, as_json: AsJson = False) -> None:
    """Start its job now; its next time stays."""
    _print(
        lambda platform, unit: platform.schedules.start_now(unit, platform.owner, schedule_id),
        as_json=as_json,
    )


@app.command()
def remove(schedule_id: ScheduleId) -> None:
    """Remove a schedule; a job that it started continues."""

    in_unit(lambda platform, unit: platform.schedules.delete(unit, platform.owner, schedule_id))
    print("Removed.")


def _change(schedule_id: UUID, change: Change, *, as_json: bool) -> None:
    _print(
        lambda platform, unit: platform.schedules.change(unit, platform.owner, schedule_id, change),
        as_json=as_json,
    )


def _print(act: Act[Shown], *, as_json: bool) -> None:
    each = _document(in_unit(act))
    if as_json:
        print(session.as_line(each))
        return
    console = session.out()
    console.print(f"[bold]{each['id']}[/bold]  {escape(each['title'])}")
    console.print(f"Starts: {escape(each['job'])} {escape(json.dumps(each['payload']))}")
    console.print(f"When: {escape(each['description'])}")
    console.print(f"Next: {_next(each)}")
    console.print(f"Last: {_last(each)}")
    if each["lastError"]:
        console.print(f"[yellow]{escape(each['lastError'])}[/yellow]")


def _next(each: Document) -> str:
    if not each["isKnown"]:
        return "never: no pack knows it"
    return each["nextAt"] or "paused"


def _last(each: Document) -> str:
    if not each["lastAt"]:
        return "never"
    status = f", job {each['lastJobStatus']}" if each["lastJobStatus"] else ""
    return f"{each['lastAt']} {each['lastOutcome']}{status}"


def _seconds(every: str | None) -> int | None:
    """`6h` in seconds; raises Invalid."""
    if every is None:
        return None
    interval = _INTERVAL.fullmatch(every.strip())
    if interval is None:
        raise Invalid(f"'{every}' is no interval; write a number with s, m, h or d, such as 6h.")
    return int(interval[1]) * _UNIT_SECONDS[interval[2]]


def _document(shown: Shown) -> Document:
    return schedule(shown).model_dump(mode="json", by_alias=True)
