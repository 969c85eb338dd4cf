"""`whence runs list|show|tail|cancel|resume|answer`: the local organization's research."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, TypeVar
from uuid import UUID

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whence.app.platform import Platform
from whence.cli import live, session
from whence.cli.questions import parse_answer, show_question
from whence.cli.research import RUN_FAILED
from whence.cli.showing import AsJson
from whence.events import log
from whence.events.types import JobComplete
from whence.kernel.clock import now
from whence.research import answers, listing, run_steps
from whence.research import runs as research
from whence.research.questions import Question
from whence.research.tables import Run, RunStep
from whence.transports.routes.job_view import FINISHED, shown

T = TypeVar("T")
app = typer.Typer(
    help="Research runs: list, show, follow, cancel, resume, answer.", no_args_is_help=True
)
Reference = Annotated[
    str, typer.Argument(metavar="RUN", help="The run's id, or the beginning of it")
]


class Status(StrEnum):
    """The states of a run."""

    PENDING = "pending"
    RUNNING = "running"
    PAUSED = "paused"
    SUCCESS = "success"
    ERROR = "error"
    CANCELLED = "cancelled"


@app.command(name="list")
def list_(
    status: Annotated[Status | None, typer.Option(help="Only runs in this state")] = None,
    kind: Annotated[
        str | None, typer.Option(help="Only for this kind of record, such as items")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most runs to list")] = 20,
    as_json: AsJson = False,
) -> None:
    """The newest runs first."""

    async def work() -> list[dict[str, Any]]:
        async with session.opened(session.settings()) as platform:
            if kind is not None:
                platform.kind(kind)
            async with platform.unit(platform.owner) as unit:
                rows = await listing.listed(unit, status=status, kind=kind, limit=limit)
                names = await listing.names(unit, platform.kinds, rows)
            return [_as_wire(platform, run, [], names[run.subject_id]) for run in rows]

    rows = session.run(work)
    if as_json:
        print(session.as_line({"runs": [_short(run) for run in rows]}))
        return
    if not rows:
        narrowed = status is not None or kind is not None
        print("No such runs." if narrowed else "No runs yet; `whence research KIND/ID` starts one.")
        return
    table = Table()
    for column in ("Run", "Record", "Flow", "Type", "State", "Step", "Requested", "Took"):
        table.add_column(column, no_wrap=column == "Run")
    for run in rows:
        took = f"{run['spent']['seconds']:.1f} s"
        state = run["status"] + (f", attempt {run['attempt']}" if run["attempt"] > 1 else "")
        step = f"{run['stepCount']} {run['currentNode'] or ''}".strip()
        requested_at = _ago(run["createdAt"])
        flow = (run["type"], run["runType"])
        table.add_row(run["id"], escape(run["record"]), *flow, state, step, requested_at, took)
    session.out().print(table)


@app.command()
def show(run: Reference, as_json: AsJson = False) -> None:
    """One run with its steps, what it spent, and why it failed or waits."""
    _print(session.run(lambda: _with(run, _shown)), as_json=as_json)


@app.command()
def cancel(run: Reference, as_json: AsJson = False) -> None:
    """Cancel a run in any state, wherever it runs; a run that has ended stays unchanged."""

    async def work(platform: Platform, run_id: UUID) -> dict[str, Any]:
        async with platform.unit(platform.owner) as unit:
            await research.cancel(unit, platform.owner, run_id)
        return await _shown(platform, run_id)

    _print(session.run(lambda: _with(run, work)), as_json=as_json)


@app.command()
def resume(run: Reference, as_json: AsJson = False) -> None:
    """Resume a paused or failed run now; a worker takes it."""

    async def work(platform: Platform, run_id: UUID) -> dict[str, Any]:
        async with platform.unit(platform.owner) as unit:
            await research.resume(unit, platform.queue, platform.owner, run_id)
        return await _shown(platform, run_id)

    _print(session.run(lambda: _with(run, work)), as_json=as_json)


@app.command()
def answer(
    run: Reference,
    words: Annotated[str, typer.Argument(metavar="ANSWER", help="Without it: I don't know")] = "",
    as_json: AsJson = False,
) -> None:
    """Answer a run's question, so that a worker can continue it."""

    async def work(platform: Platform, run_id: UUID) -> dict[str, Any]:
        async with platform.unit(platform.owner) as unit:
            question = (await research.get(unit, run_id)).question
            reply = (
                parse_answer(Question.model_validate(question), words)
                if question
                else words or None
            )
            await answers.answer(unit, platform.queue, platform.owner, run_id, reply)
        return await _shown(platform, run_id)

    _print(session.run(lambda: _with(run, work)), as_json=as_json)


@app.command()
def tail(
    run: Reference,
    after: Annotated[int, typer.Option(min=0, help="Only events after this number")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Each event as a line of JSON")] = False,
) -> None:
    """Follow a run's events until it ends; exit code 3 if it failed or was cancelled.

    Each JSON line has its number as `seq`; use `--after` to continue from there later.
    """
    console = session.out()

    async def work(platform: Platform, run_id: UUID) -> str:
        async with platform.unit(platform.owner) as unit:
            last = await log.last_seq(unit, run_id)
            status = (await research.get(unit, run_id)).status
        if status in FINISHED and after >= last:
            return status
        async with aclosing(platform.bus.tail(platform.owner.org_id, run_id, after)) as batches:
            async for batch in batches:
                for event in batch:
                    _print_event(event, console, as_json=as_json)
                    # A failed run that was resumed has an earlier end among its events.
                    if event.type == JobComplete.type and event.seq >= last:
                        return str(event.payload["status"])
        raise AssertionError("a run's stream ends with job_complete")

    status = session.run(lambda: _with(run, work))
    if not as_json:
        console.print(f"The run is over: {status}.")
    if status in ("error", "cancelled"):
        raise typer.Exit(RUN_FAILED)


def _print_event(event: log.Event, console: Console, *, as_json: bool) -> None:
    if as_json:
        line = {"seq": event.seq, "type": event.type, "at": event.at.isoformat(), **event.payload}
        print(session.as_line(line), flush=True)  # readers of the pipe need it at once
    else:
        live.print_event(event, console)


async def _with(reference: str, work: Callable[[Platform, UUID], Awaitable[T]]) -> T:
    async with session.opened(session.settings()) as platform:
        async with platform.unit(platform.owner) as unit:
            run_id = await listing.find_id(unit, reference)
        return await work(platform, run_id)


async def _shown(platform: Platform, run_id: UUID) -> dict[str, Any]:
    async with platform.unit(platform.owner) as unit:
        run = await research.get(unit, run_id)
        steps = await run_steps.steps(unit, run_id)
        names = await listing.names(unit, platform.kinds, [run])
    return _as_wire(platform, run, steps, names[run.subject_id])


def _as_wire(platform: Platform, run: Run, steps: Sequence[RunStep], record: str) -> dict[str, Any]:
    job = shown(platform.kind(run.kind), run, steps)
    return {"record": record, "kind": run.kind, "subjectId": str(run.subject_id), **job}


def _print(run: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(session.as_line(run))
        return
    console = session.out()
    console.print(
        f"[bold]{run['id']}[/bold]  {run['type']} of {escape(run['record'])}, {run['runType']}"
    )
    console.print(f"State: {run['status']}, attempt {run['attempt']}, {run['priority']} priority")
    for name, at in (
        ("Requested", "createdAt"),
        ("Started", "startedAt"),
        ("Ended", "completedAt"),
    ):
        if run[at]:
            console.print(f"{name}: {run[at]} ({_ago(run[at])})")
    spent = run["spent"]
    console.print(
        f"Spent: {spent['seconds']:.1f} s, {spent['calls']} model calls, "
        f"{spent['tokens']} tokens, {spent['usd']:.4f} USD"
    )
    for words in (run["notice"], (run["error"] or {}).get("message")):
        if words:
            console.print(f"[yellow]{escape(words)}[/yellow]")
    if run["resumeAt"]:
        console.print(f"Continues at {run['resumeAt']}")
    if run["question"]:
        show_question(Question.model_validate(run["question"]), console)
        console.print(f"Answer it with `whence runs answer {run['id']} ANSWER`.")
    if not run["stepHistory"]:
        console.print("No step has begun yet.")
        return
    table = Table()
    for column in ("Step", "Node", "Attempt", "State", "Took"):
        table.add_column(column)
    for step in run["stepHistory"]:
        took = f"{step['durationMs'] / 1000:.2f} s" if step["durationMs"] is not None else ""
        table.add_row(str(step["step"]), step["node"], str(step["attempt"]), step["status"], took)
    console.print(table)


def _short(run: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in run.items() if name not in ("stepHistory", "result")}


def _ago(at: str) -> str:
    seconds = (now() - datetime.fromisoformat(at)).total_seconds()
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit} ago"
    return f"{max(0, seconds):.0f} s ago"
