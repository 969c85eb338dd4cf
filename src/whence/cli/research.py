"""`whence research KIND/ID`: progress on stderr, the dossier on stdout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.markup import escape

from whence.cli import live, session
from whence.cli.questions import Unanswered
from whence.cli.research_many import Summary, research_many
from whence.cli.show import named
from whence.evidence.lanes import LaneName
from whence.kernel.errors import Invalid
from whence.records import references, store
from whence.research.runs import ANYWAY, WantedRun
from whence.work.queue import Priority

RUN_FAILED = 3
"""Exit code when the run ended with an error or was cancelled."""
RUN_ASKS = 4
"""Exit code when the run waits for an answer and nobody is at a terminal."""


def research(
    subject: Annotated[
        str,
        typer.Argument(
            help="KIND/ID, such as items/HP-001 (whence's id or the imported one), or a KIND "
            "with --all or --filter"
        ),
    ],
    all_: Annotated[bool, typer.Option("--all", help="All records of the kind")] = False,
    where: Annotated[
        list[str] | None,
        typer.Option("--filter", help="Those that a list would show: brand=A; can be repeated"),
    ] = None,
    priority: Annotated[Priority, typer.Option(help="Its place in the queue")] = Priority.NORMAL,
    interactive: Annotated[
        bool, typer.Option("--interactive", help="Allow questions that only you can answer")
    ] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Research a record that needs none in its state")
    ] = False,
    version: Annotated[
        str | None, typer.Option(help="A version of the flow; WHENCE_ROLLOUT decides by default")
    ] = None,
    lane: Annotated[
        LaneName | None, typer.Option(help="`shadow`: for comparison only, changes nothing")
    ] = None,
    run_type: Annotated[
        str | None, typer.Option(help="The type of run; the flow's first type by default")
    ] = None,
    parameters: Annotated[str, typer.Option(help="What that type takes: a JSON object")] = "{}",
    as_json: Annotated[
        bool, typer.Option("--json", help="Dossier and evidence as one line of JSON")
    ] = False,
) -> None:
    """Research a record, or many; exit codes: 0 done, 2 unknown record or usage, 3 a run failed,
    4 it waits for an answer.
    """
    if all_ or where:
        if "/" in subject or interactive or lane is not None:
            raise Invalid(
                "--all and --filter take a kind, such as items, and neither --interactive nor "
                "--lane."
            )
        run_type_wanted = WantedRun(run_type, session.json_object(parameters, "parameters"))
        options = {ANYWAY: anyway}
        _many(subject, where or [], priority, options, version, run_type_wanted, as_json=as_json)
        return
    if "/" not in subject:
        raise Invalid(f"Write KIND/ID, as {subject}/HP-001, or add --all or --filter.")
    kind_name, reference = named(subject)
    wanted = WantedRun(run_type, session.json_object(parameters, "parameters"))
    settings = session.settings()
    console = session.progress()

    async def work() -> tuple[dict[str, Any], Any, Any]:
        async with session.opened(settings, working=True) as platform:
            kind = platform.kind(kind_name)
            async with platform.unit(platform.owner) as unit:
                row = await store.resolve(unit, kind, reference)
            job = await live.research(
                platform,
                kind,
                row,
                priority,
                console,
                options={"interactive": interactive, ANYWAY: anyway},
                version=version,
                lane=lane,
                wanted=wanted,
            )
            if job["status"] != "success":
                return job, None, None
            written = await live.result(platform, kind, row, lane or LaneName.PRIMARY)
            assert written is not None
            dossier, evidence = written
            if as_json:
                return job, {**dossier, "evidence": evidence}, None
            show = platform.pack_of(kind.kind).show
            if show is None:
                return job, dossier, None
            async with platform.unit(platform.owner) as unit:
                [record] = await references.shown(unit, kind, [row])
            return job, dossier, show(dossier, evidence, record)

    try:
        job, dossier, shown = session.run(work)
    except Unanswered as error:
        console.print(f"[yellow]{escape(error.message)}[/yellow]")
        raise typer.Exit(RUN_ASKS) from error
    if dossier is None:
        error = job["error"] or {"message": f"The run was {job['status']}."}
        console.print(f"[red]Research failed:[/red] {escape(error['message'])}")
        raise typer.Exit(RUN_FAILED)
    if job["dossierId"] not in (None, dossier["id"]):
        console.print(f"[yellow]{escape(job['summary'])}[/yellow]")
        console.print("[yellow]This research is incomplete; the earlier dossier follows.[/yellow]")
    for words in dossier["notices"]:
        console.print(f"[yellow]{escape(words)}[/yellow]")
    if shown is None:
        print(session.as_line(dossier))
    else:
        session.out().print(shown)


def _many(
    kind_name: str,
    where: Sequence[str],
    priority: Priority,
    options: Mapping[str, bool],
    version: str | None,
    wanted: WantedRun,
    *,
    as_json: bool,
) -> None:
    """Research all records of a kind that the filters take; progress on stderr."""
    settings, console = session.settings(), session.progress()

    async def work() -> Summary:
        async with session.opened(settings, working=True) as platform:
            return await research_many(
                platform,
                platform.kind(kind_name),
                where,
                console,
                priority=priority,
                options=options,
                version=version,
                wanted=wanted,
            )

    summary = session.run(work)
    if as_json:
        print(session.as_line(summary.as_json()))
    else:
        summary.print(session.out())
    if summary.count("paused"):
        console.print("Paused research is resumed by `whence worker` or `whence serve`.")
    if summary.count("failed"):
        raise typer.Exit(RUN_FAILED)
