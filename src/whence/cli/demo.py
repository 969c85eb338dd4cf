"""`whence demo`: a sample record researched live and asked about, on a database of its own."""

from __future__ import annotations

from typing import Any

import typer
from rich.markup import escape
from rich.rule import Rule

from whence.chat.transcript import sessions
from whence.cli import live, session
from whence.cli.conversation import Conversation
from whence.cli.research import RUN_FAILED
from whence.records import store
from whence.sdk.imports import ImportContext
from whence.work.queue import Priority


def demo() -> None:
    """Import sample data, research a sample item with photographs, and ask about it."""
    base = session.settings()
    settings = base.model_copy(update={"home": base.home / "demo", "database_url": None})
    console = session.out()

    async def work() -> dict[str, Any]:
        console.print("Starting the embedded PostgreSQL ...")
        async with session.opened(settings, working=True) as platform:
            pack = next(each for each in platform.packs if each.sample and each.sample.question)
            assert pack.sample is not None
            context = ImportContext(platform.owner, platform.db, settings)
            for name, file in pack.sample.imports:
                report = await platform.importer(f"{pack.id}.{name}").run(
                    context, pack.sample.folder / file
                )
                count = report.added + report.updated + report.unchanged
                console.print(f"Imported {count} sample {name} ({file}, made by us).")
            kind = platform.kind(pack.sample.subject[0])
            async with platform.unit(platform.owner) as unit:
                row = await store.resolve(unit, kind, pack.sample.subject[1])
            console.print(Rule(f"Researching {kind.kind}/{pack.sample.subject[1]}"))
            job = await live.research(platform, kind, row, Priority.NORMAL, console)
            written = await live.result(platform, kind, row)
            if job["status"] != "success" or written is None or pack.show is None:
                return job
            dossier, evidence = written
            console.print(pack.show(dossier, evidence, kind.shown(row)))
            if question := pack.sample.question:
                console.print(f"[bold]>[/bold] {escape(question)}")
                async with platform.unit(platform.owner) as unit:
                    chat_session = await sessions.open_session(
                        unit, platform.owner, kind.kind, row.id
                    )
                await Conversation(platform, chat_session.id, console, quiet=False).send(question)
            return job

    job = session.run(work)
    if job["status"] != "success":
        error = job["error"] or {"message": f"The run was {job['status']}."}
        console.print(f"[red]The demo's research failed:[/red] {escape(error['message'])}")
        raise typer.Exit(RUN_FAILED)
    console.print(
        "Next: `whence import resale.listings FILE`, `whence import resale.items FILE`, "
        "`whence research items/ID`, `whence chat items/ID`, or `whence serve`.",
        markup=False,
    )
