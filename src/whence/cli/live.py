"""Shows research live: each node as it runs, then the dossier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rich.console import Console
from rich.control import Control
from rich.markup import escape
from rich.segment import ControlType

from whence.app.platform import Platform
from whence.cli import questions
from whence.db.tables import SubjectRow
from whence.events.log import Event
from whence.evidence import dossiers, store
from whence.evidence.lanes import LaneName
from whence.evidence.wire import dossier_answer, evidence_answer
from whence.kernel.wire import Wire
from whence.records.kind import SubjectKind
from whence.research.runs import WantedRun
from whence.work.queue import Priority

BACK_TO_THE_BEGINNING = Control(ControlType.CARRIAGE_RETURN)
MARKS = {"success": "[green]done[/green]", "error": "[red]failed[/red]"}


async def watch(platform: Platform, run_id: UUID, console: Console) -> dict[str, Any]:
    """Print a run's events until it ends, ask its questions, and return `job_complete`'s payload.

    Raises Unanswered if it asks and nobody is at the terminal.
    """
    async for batch in platform.bus.tail(platform.owner.org_id, run_id):
        for event in batch:
            if event.type == "job_complete":
                return event.payload
            print_event(event, console)
            if event.type == "job_paused" and event.payload.get("question"):
                await questions.answer_if_asked(platform, run_id, console)
    raise AssertionError("a run's stream ends with job_complete")


async def research(
    platform: Platform,
    kind: SubjectKind,
    row: SubjectRow,
    priority: Priority,
    console: Console,
    *,
    options: Mapping[str, bool] | None = None,
    version: str | None = None,
    lane: LaneName | None = None,
    wanted: WantedRun | None = None,
) -> dict[str, Any]:
    """Request research, show it live, and return how it ended."""
    async with platform.unit(platform.owner) as session:
        submission = await platform.ask(
            session,
            platform.owner,
            kind,
            row.id,
            version=version,
            lane=lane,
            priority=priority,
            options={name: value for name, value in (options or {}).items() if value} or None,
            wanted=wanted,
        )
    if not submission.created:
        console.print("[dim]This research is already running; showing it.[/dim]")
    return await watch(platform, submission.id, console)


async def result(
    platform: Platform,
    kind: SubjectKind,
    row: SubjectRow,
    lane: LaneName = LaneName.PRIMARY,
) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
    """The current dossier and its evidence as on the wire, or None."""
    place = dossiers.Lane(kind.kind, row.id, platform.flow(kind.kind, None).id, lane)
    async with platform.unit(platform.owner) as session:
        dossier = await dossiers.current(session, place)
        if dossier is None:
            return None
        bundle = await store.bundle(session, dossier.run_id)
    facts_of = platform.facts_of(kind.kind)
    evidence = [_json(evidence_answer(item, facts_of, dossier.run_id)) for item in bundle]
    return _json(dossier_answer(dossier)), evidence


def _json(answer: Wire) -> dict[str, Any]:
    return answer.model_dump(mode="json", by_alias=True)


def print_event(event: Event, console: Console) -> None:
    """Print one event of a run, if it is of interest to a person."""
    payload = event.payload
    match event.type:
        case "node_started" if console.is_terminal and not console.is_dumb_terminal:
            console.print(f"[dim]{payload['step']:>3}[/dim] {payload['node']} ...", end="")
            # The next line overwrites this one; a printed `\r` would be filtered out as text.
            console.control(BACK_TO_THE_BEGINNING)
        case "node_complete":
            mark = MARKS.get(payload["status"], payload["status"])
            seconds = payload["durationMs"] / 1000
            line = f"[dim]{payload['step']:>3}[/dim] {payload['node']:<20} {seconds:7.2f} s  {mark}"
            console.print(line + (f"  {escape(payload['error'])}" if payload["error"] else ""))
        case "job_started" if payload["resumed"]:
            console.print(f"[yellow]Resuming (attempt {payload['attempt']})[/yellow]")
        case "job_paused":
            until = f" at {payload['resumeAt']}" if payload["resumeAt"] else ""
            console.print(f"[yellow]{escape(payload['notice'])}{until}[/yellow]")
        case "job_notice":
            console.print(f"[yellow]{escape(payload['notice'])}[/yellow]")
        case "progress":
            console.print(f"    [dim]{escape(payload['message'])}[/dim]")
        case _:
            pass
