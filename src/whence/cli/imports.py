"""`whence imports list|show|watch|cancel|undo`: the imports of the local organization."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

import typer
from rich.markup import escape
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.cli import session
from whence.cli.research import RUN_FAILED
from whence.cli.showing import AsJson, Columns, Document, in_unit, print_list
from whence.kernel.text import one_line
from whence.records.imports import reports
from whence.records.imports.reports import RecordChange, StoredImport
from whence.records.upsert import Upserted
from whence.tenancy.names import names_of
from whence.transports.routes.import_view import stored_import

app = typer.Typer(
    help="Imports, also those that wait for a worker: list, show, watch, cancel, undo.",
    no_args_is_help=True,
)
_import_id = session.id_parser("an import", "whence imports list")
ImportId = Annotated[UUID, typer.Argument(metavar="IMPORT", help="Its id", parser=_import_id)]
SHOWN_REFUSALS = 20
SHOWN_CHANGES = 20
LOOK_SECONDS = 1.0
"""Between two looks at an import that is watched."""
ACTIVE = ("waiting", "running")


@dataclass(frozen=True)
class Shown:
    """What is printed of an import."""

    document: Document
    refused: list[reports.Problem]
    changes: list[RecordChange]


@app.command(name="list")
def list_(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most imports to list")] = 20,
    as_json: AsJson = False,
) -> None:
    """The newest imports first."""

    async def listed(_: Platform, unit: AsyncSession) -> list[Document]:
        stored = await reports.list_imports(unit, most=limit)
        names.update(await names_of(unit, {each.requested_by for each in stored}))
        return [_document(each) for each in stored]

    names: dict[UUID, str] = {}
    columns: Columns = {
        "Import": lambda each: each["id"],
        "Of": lambda each: each["name"],
        "File": lambda each: each["filename"],
        "State": _state,
        "Progress": _progress,
        "Refused": lambda each: f"{each['refused']:,}",
        "Requested by": lambda each: names.get(UUID(each["requestedBy"])) or each["requestedBy"],
        "Created": lambda each: each["createdAt"],
    }
    none = "No imports yet; `whence import` starts one."
    print_list("imports", in_unit(listed), columns, none=none, as_json=as_json)


@app.command()
def show(import_id: ImportId, as_json: AsJson = False) -> None:
    """One import: its progress, its counts, why it failed, and its first refused rows."""
    _print(in_unit(lambda _, unit: _read(unit, import_id)), as_json=as_json)


@app.command()
def watch(import_id: ImportId, as_json: AsJson = False) -> None:
    """Show the progress of an import until it ends; exit code 3 if it failed or was cancelled."""

    async def work() -> Shown:
        async with session.opened(session.settings()) as platform:
            before = None
            while True:
                async with platform.unit(platform.owner) as unit:
                    shown = await _read(unit, import_id)
                document = shown.document
                if not _is_active(document):
                    return shown
                if before is None and document["status"] == "waiting":
                    session.progress().print(
                        "It waits for a worker: `whence serve` or `whence worker`."
                    )
                if document != before:
                    _print_progress(document, as_json=as_json)
                before = document
                await asyncio.sleep(LOOK_SECONDS)

    shown = session.run(work)
    _print(shown, as_json=as_json)
    if shown.document["status"] != "done":
        raise typer.Exit(RUN_FAILED)


@app.command()
def cancel(import_id: ImportId, as_json: AsJson = False) -> None:
    """Stop an import, or its undo, before its next batch; what was written or undone stays.  One
    that has ended is unchanged.
    """

    async def cancelled(platform: Platform, unit: AsyncSession) -> Shown:
        await platform.imports.cancel(unit, platform.owner, import_id)
        return await _read(unit, import_id)

    shown = in_unit(cancelled)
    _print(shown, as_json=as_json)
    if _is_active(shown.document) and not as_json:
        print(
            "It ends after the batch that is being written, or once a worker has finished"
            " it (`whence serve` or `whence worker`)."
        )


@app.command()
def undo(import_id: ImportId, as_json: AsJson = False) -> None:
    """Undo an import: delete what it added, set back what it changed.  What was changed since stays
    as it is; `whence imports show` names it.  One that was cut off goes on with what is left.
    """

    async def work() -> StoredImport:
        async with session.opened(session.settings()) as platform:
            return await platform.import_undo.undo(platform.owner, import_id)

    undone = session.run(work)
    counts = {
        "deleted": undone.undo_deleted,
        "restored": undone.undo_restored,
        "kept": undone.undo_kept,
    }
    if as_json:
        print(session.as_line(counts | {"state": undone.undo_status}))
    else:
        print(_undone(_document(undone)))
    if undone.undo_status != "done":
        raise typer.Exit(RUN_FAILED)


async def _read(unit: AsyncSession, import_id: UUID) -> Shown:
    stored = await reports.get_import(unit, import_id)
    refused = await reports.problems(unit, import_id, refused=True, most=SHOWN_REFUSALS)
    wanted = (Upserted.ADDED, Upserted.UPDATED) if stored.undo_status else (Upserted.UPDATED,)
    changes = await reports.changes(unit, import_id, most=SHOWN_CHANGES, outcomes=wanted)
    return Shown(_document(stored), refused, changes)


def _print_change(change: RecordChange) -> None:
    console, fields = session.out(), change.fields
    undone = change.undone or {}
    state = f" [yellow]{undone['result']}[/yellow]" if undone else ""
    why = f" ({escape(undone['reason'])})" if undone.get("reason") else ""
    console.print(f"{escape(change.external_id)}: {change.outcome}{state}{why}")
    for each in fields:
        before, after = (escape(one_line(str(value))) for value in (each.before, each.after))
        console.print(f"    {each.field}: {before} → {after}", soft_wrap=True)


def _print_progress(document: Document, *, as_json: bool) -> None:
    if as_json:
        print(session.as_line(document), flush=True)  # readers of the pipe need it at once
    else:
        undone = f", {_undone(document)}" if document["undo"] else ""
        session.progress().print(f"{_state(document)}: {_progress(document)}{undone}")


def _print(shown: Shown, *, as_json: bool) -> None:
    document, refused = shown.document, shown.refused
    if as_json:
        print(session.as_line(document))
        return
    console = session.out()
    console.print(
        f"[bold]{document['id']}[/bold]  {escape(document['name'])} {escape(document['filename'])}"
    )
    console.print(f"State: {_state(document)}, {_progress(document)}")
    repeated = f", {document['repeated']} repeated" if document["repeated"] else ""
    console.print(
        f"{document['added']} added, {document['updated']} updated, "
        f"{document['unchanged']} unchanged{repeated}, {document['refused']} refused"
    )
    if document["error"]:
        console.print(f"[yellow]{escape(document['error'])}[/yellow]")
    if document["undo"]:
        when = f" on {document['undoneAt']}" if document["undoneAt"] else ""
        console.print(
            f"[yellow]{_state(document).capitalize()}{when}: {_undone(document)}[/yellow]"
        )
        if error := document["undo"]["error"]:
            console.print(f"[yellow]{escape(error)}[/yellow]")
    for row in refused:
        field = f" {row.field}" if row.field else ""
        value = f" '{row.value}'" if row.value else ""
        console.print(f"[red]line {row.line}{field}{escape(value)}:[/red] {escape(row.reason)}")
    if (more := document["refused"] - len(refused)) > 0 and refused:
        address = f"/api/imports/{document['id']}/refusals.csv"
        console.print(f"... and {more:,} more; `GET {address}` has them all", soft_wrap=True)
    for change in shown.changes:
        _print_change(change)
    if len(shown.changes) == SHOWN_CHANGES:
        address = f"/api/imports/{document['id']}/changes"
        console.print(f"`GET {address}` has every changed record", soft_wrap=True)


def _progress(document: Document) -> str:
    share = f"{min(100, 100 * document['bytesDone'] // max(1, document['size']))} %"
    return f"{document['rows']:,} rows" + (f", {share}" if document["status"] in ACTIVE else "")


def _is_active(document: Document) -> bool:
    return document["status"] in ACTIVE or (document["undo"] or {}).get("state") in ACTIVE


def _state(document: Document) -> str:
    undo = document["undo"]
    if undo is None:
        return str(document["status"])
    states = {"waiting": "undoing", "running": "undoing", "done": "undone"}
    return states.get(undo["state"], "undone in part")


def _undone(document: Document) -> str:
    undo = document["undo"]
    left = f", {undo['left']} left" if undo["left"] else ""
    return f"{undo['deleted']} deleted, {undo['restored']} set back, {undo['kept']} kept{left}"


def _document(stored: StoredImport) -> Document:
    return stored_import(stored).model_dump(mode="json", by_alias=True)
