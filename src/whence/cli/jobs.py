"""`whence jobs list|show|cancel|resume`: the background jobs of the local organization."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

import typer
from rich.markup import escape
from rich.table import Table

from whence.app.platform import Platform
from whence.cli import session
from whence.cli.runs import Status
from whence.transports.routes.background_job_view import background_job
from whence.work import status as jobs
from whence.work.tables import WorkItem

app = typer.Typer(help="Background jobs: list, show, cancel, resume.", no_args_is_help=True)
_job_id = session.id_parser("a job", "whence jobs list")
JobId = Annotated[UUID, typer.Argument(metavar="JOB", help="Its id", parser=_job_id)]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON, one line")]


@app.command(name="list")
def list_(
    status: Annotated[Status | None, typer.Option(help="Only jobs in this state")] = None,
    type_: Annotated[str | None, typer.Option("--type", help="Only jobs of this type")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most jobs to list")] = 20,
    as_json: AsJson = False,
) -> None:
    """The newest jobs first."""

    async def work() -> list[dict[str, Any]]:
        async with session.opened(session.settings()) as platform:
            async with platform.unit(platform.owner) as unit:
                items = await jobs.listed(unit, type_=type_, status=status, limit=limit)
            return [_document(item) for item in items]

    items = session.run(work)
    if as_json:
        print(session.as_line({"jobs": items}))
        return
    if not items:
        print("No such jobs.")
        return
    table = Table()
    for column in ("Job", "Type", "State", "Progress", "Created"):
        table.add_column(column, no_wrap=column == "Job")
    for job in items:
        table.add_row(
            job["id"], escape(job["type"]), job["status"], _progress(job), job["createdAt"]
        )
    session.out().print(table)


@app.command()
def show(job: JobId, as_json: AsJson = False) -> None:
    """One job: its state, its progress, and why it failed or waits."""

    async def work(platform: Platform) -> WorkItem:
        async with platform.unit(platform.owner) as unit:
            return await jobs.get(unit, job)

    _print(work, as_json=as_json)


@app.command()
def cancel(job: JobId, as_json: AsJson = False) -> None:
    """Cancel a job in any state, wherever it runs; a job that has ended stays unchanged."""

    async def work(platform: Platform) -> WorkItem:
        async with platform.unit(platform.owner) as unit:
            return await jobs.cancel(unit, platform.owner, job)

    _print(work, as_json=as_json)


@app.command()
def resume(job: JobId, as_json: AsJson = False) -> None:
    """Resume a paused or failed job now; a worker takes it."""

    async def work(platform: Platform) -> WorkItem:
        async with platform.unit(platform.owner) as unit:
            return await jobs.resume(unit, platform.queue, platform.owner, job)

    _print(work, as_json=as_json)


def _print(work: Any, *, as_json: bool) -> None:
    async def opened() -> dict[str, Any]:
        async with session.opened(session.settings()) as platform:
            return _document(await work(platform))

    job = session.run(opened)
    if as_json:
        print(session.as_line(job))
        return
    console = session.out()
    console.print(f"[bold]{job['id']}[/bold]  {escape(job['type'])}")
    console.print(f"State: {job['status']}, attempt {job['attempt']}, {job['priority']} priority")
    console.print(f"Progress: {_progress(job)}")
    for words in (job["notice"], (job["error"] or {}).get("message")):
        if words:
            console.print(f"[yellow]{escape(words)}[/yellow]")
    if job["resumeAt"]:
        console.print(f"Goes on at {job['resumeAt']}")


def _progress(job: dict[str, Any]) -> str:
    progress = job["progress"]
    total = "" if progress["total"] is None else f" of {progress['total']}"
    return escape(f"{progress['done']}{total} {progress['message'] or ''}".strip())


def _document(item: WorkItem) -> dict[str, Any]:
    return background_job(item).model_dump(mode="json", by_alias=True)
