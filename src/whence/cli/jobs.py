"""`whence jobs list|show|cancel|resume`: the background jobs of the local organization."""

from __future__ import annotations

import json
from typing import Annotated
from uuid import UUID

import typer
from rich.markup import escape
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.cli import session
from whence.cli.runs import Status
from whence.cli.showing import Act, AsJson, Columns, Document, in_unit, print_list
from whence.transports.routes.background_job_view import (
    BackgroundJob,
    background_job,
    background_jobs,
)
from whence.work import status as jobs
from whence.work.tables import WorkItem

app = typer.Typer(help="Background jobs: list, show, cancel, resume.", no_args_is_help=True)
_job_id = session.id_parser("a job", "whence jobs list")
JobId = Annotated[UUID, typer.Argument(metavar="JOB", help="Its id", parser=_job_id)]


@app.command(name="list")
def list_(
    status: Annotated[Status | None, typer.Option(help="Only jobs in this state")] = None,
    type_: Annotated[str | None, typer.Option("--type", help="Only jobs of this type")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most jobs to list")] = 20,
    as_json: AsJson = False,
) -> None:
    """The newest jobs first."""

    async def listed(_: Platform, unit: AsyncSession) -> list[Document]:
        types, statuses = [type_] if type_ else [], [status] if status else []
        items = await jobs.listed(unit, types=types, statuses=statuses, limit=limit)
        return [_document(each) for each in await background_jobs(unit, items)]

    columns: Columns = {
        "Job": lambda job: job["id"],
        "Type": lambda job: job["type"],
        "State": lambda job: job["status"],
        "Progress": _progress,
        "Requested by": _requester,
        "Created": lambda job: job["createdAt"],
    }
    print_list("jobs", in_unit(listed), columns, none="No such jobs.", as_json=as_json)


@app.command()
def show(job: JobId, as_json: AsJson = False) -> None:
    """One job: its payload, its state, its progress, and why it failed or waits."""
    _print(lambda _, unit: jobs.get(unit, job), as_json=as_json)


@app.command()
def cancel(job: JobId, as_json: AsJson = False) -> None:
    """Cancel a job in any state, wherever it runs; a job that has ended stays unchanged."""
    _print(lambda platform, unit: jobs.cancel(unit, platform.owner, job), as_json=as_json)


@app.command()
def resume(job: JobId, as_json: AsJson = False) -> None:
    """Resume a paused or failed job now; a worker takes it."""
    _print(
        lambda platform, unit: jobs.resume(unit, platform.queue, platform.owner, job),
        as_json=as_json,
    )


def _print(act: Act[WorkItem], *, as_json: bool) -> None:
    async def acted(platform: Platform, unit: AsyncSession) -> Document:
        return _document(await background_job(unit, await act(platform, unit)))

    job = in_unit(acted)
    if as_json:
        print(session.as_line(job))
        return
    console = session.out()
    console.print(f"[bold]{job['id']}[/bold]  {escape(job['type'])}")
    console.print(f"Payload: {escape(json.dumps(job['payload']))}", soft_wrap=True)
    console.print(f"Requested by: {escape(_requester(job))}, {job['createdAt']}")
    console.print(f"State: {job['status']}, attempt {job['attempt']}, {job['priority']} priority")
    console.print(f"Progress: {escape(_progress(job))}")
    for words in (job["notice"], (job["error"] or {}).get("message")):
        if words:
            console.print(f"[yellow]{escape(words)}[/yellow]")
    if job["resumeAt"]:
        console.print(f"Continues at {job['resumeAt']}")


def _progress(job: Document) -> str:
    progress = job["progress"]
    total = "" if progress["total"] is None else f" of {progress['total']}"
    return f"{progress['done']}{total} {progress['message'] or ''}".strip()


def _requester(job: Document) -> str:
    return job["requestedByName"] or job["requestedBy"]


def _document(job: BackgroundJob) -> Document:
    return job.model_dump(mode="json", by_alias=True)
