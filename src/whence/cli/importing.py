"""`whence import`: reads files into a pack's records in batches, and reports every refused row."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from whence.app import database as app_database
from whence.app import discovery
from whence.app.platform import Platform
from whence.cli import session
from whence.cli.import_files import Files, files_at
from whence.kernel.errors import Invalid, WhenceError
from whence.kernel.settings import Settings
from whence.kernel.text import one_line
from whence.records.imports.importer import ImportContext, ImportReport, Progress
from whence.records.imports.running import import_file
from whence.tenancy import operator
from whence.tenancy.principal import Principal, Scope

SHOWN = 20
"""Refused rows and warnings listed one by one; `--json` has them all."""


def import_(
    name: Annotated[
        str, typer.Argument(help="What to import: PACK.NAME; `whence pack list` shows all")
    ],
    path: Annotated[Path, typer.Argument(help="A file, or a folder whose files are all imported")],
    organization: Annotated[
        str | None,
        typer.Option("--organization", help="Its name or id; --as names a member of it"),
    ] = None,
    email: Annotated[
        str | None, typer.Option("--as", help="A member's e-mail address; the local owner")
    ] = None,
    clear_empty: Annotated[
        bool,
        typer.Option("--clear-empty", help="An empty cell clears its field of a known record"),
    ] = False,
    chosen: Annotated[
        list[str] | None,
        typer.Option("--map", help="'Column=field': read a column as a field, or =ignore"),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="A report on one line of JSON for each file")
    ] = False,
) -> None:
    """Import records from a file; refused rows are listed with the reason."""
    files = files_at(path)
    settings = session.settings()
    mapping = _mapping(chosen or ())

    async def work() -> bool:
        who = await _member(settings, organization, email) if organization or email else None
        async with session.opened(settings) as platform:
            context = ImportContext(
                who or platform.owner,
                platform.db,
                platform.settings,
                clear_empty=clear_empty,
                mapping=mapping,
            )
            return await _import_all(platform, context, name, files, as_json)

    if not session.run(work):
        raise typer.Exit(1)


def _mapping(chosen: Sequence[str]) -> dict[str, str]:
    """`Column=field` as header and field; a header may contain `=`, a field does not."""
    pairs = [each.rpartition("=") for each in chosen]
    for header, _, field in pairs:
        if not header.strip() or not field.strip():
            raise Invalid("Write `--map 'Column=field'`, or `--map 'Column=ignore'`.")
    return {header.strip(): field.strip() for header, _, field in pairs}


async def _import_all(
    platform: Platform, context: ImportContext, name: str, files: Files, as_json: bool
) -> bool:
    """Import files one after another; whether all could be read."""
    importer = platform.importer(name)
    is_whole = True
    for file in files.paths:
        try:
            report = await import_file(context, importer, file, on_progress=_shown(file))
        except asyncio.CancelledError:
            session.progress().print(
                f"Stopped in {escape(one_line(file.name))}. What was written stays; import the "
                "file again to continue."
            )
            raise
        except WhenceError as error:
            if not files.is_folder:
                raise
            is_whole = False
            if as_json:
                print(_result(file.name, "failed", {"error": error.message}))
            shown = escape(one_line(file.name))
            session.progress().print(f"[red]{shown}:[/red] {escape(error.message)}")
            continue
        if not as_json:
            _show(f"{name} {one_line(file.name)}" if files.is_folder else name, report)
        elif files.is_folder:
            print(_result(file.name, "imported", _json(report)))
        else:
            print(session.as_line(_json(report)))
    _show_left_out(files, as_json=as_json)
    return is_whole


def _result(file: str, result: str, more: dict[str, object]) -> str:
    """The line of a file of a folder."""
    return session.as_line({"file": file, "result": result, **more})


def _show_left_out(files: Files, *, as_json: bool) -> None:
    for each in files.left_out if as_json else ():
        print(_result(each.name, "left out", {"reason": each.reason}))
    if not as_json and (words := files.left_out_in_words):
        session.out().print(f"[yellow]{escape(words)}[/yellow]")


async def _member(settings: Settings, organization: str | None, email: str | None) -> Principal:
    packs = discovery.discover(settings.pack_dirs)
    async with app_database.database(settings, packs) as opened:
        user = email or opened.owner.user_id
        name = f"'{email}'" if email else "The local owner"
        try:
            who = await asyncio.to_thread(operator.member, opened.admin_url, user, organization)
        except operator.NotAMember as error:
            raise Invalid(
                f"{name} is not a member of '{organization}'; name a member of it with --as "
                "(`whence account list` shows them)."
            ) from error
    if Scope.WRITE not in who.scopes:
        raise Invalid(f"{name} is a {who.role} there; only owners and members may import.")
    return who


def _shown(file: Path) -> Callable[[Progress], None] | None:
    console = session.progress()
    if not console.is_terminal:
        return None

    def show(progress: Progress) -> None:
        share = f"{min(100, 100 * progress.done // max(1, progress.total))} %"
        console.print(f"{escape(one_line(file.name))}: {progress.rows:,} rows, {share}", end="\r")

    return show


def _json(report: ImportReport) -> dict[str, object]:
    return {
        "id": str(report.id),
        "added": report.added,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "repeated": report.repeated,
        "refused": [
            {"line": r.line, "field": r.field, "value": r.value, "reason": r.reason}
            for r in report.refused
        ],
        "warnings": list(report.warnings),
        "mapping": dict(report.mapping),
        "ignored": list(report.ignored),
        "encoding": report.encoding,
    }


def _show(name: str, report: ImportReport) -> None:
    console = session.out()
    repeated = f", {report.repeated} repeated" if report.repeated else ""
    console.print(
        f"{escape(name)}: {report.added} added, {report.updated} updated, "
        f"{report.unchanged} unchanged{repeated}, {report.refused_count} refused"
    )
    if any(header != field for header, field in report.mapping.items()):
        pairs = ", ".join(f"{header} = {field}" for header, field in report.mapping.items())
        console.print(f"[dim]Columns: {escape(pairs)}[/dim]")
    if report.ignored:
        console.print(f"[dim]Ignored columns: {escape(', '.join(report.ignored))}[/dim]")
    for refusal in report.refused[:SHOWN]:
        field = f" {refusal.field}" if refusal.field else ""
        value = f" '{refusal.value}'" if refusal.value else ""
        console.print(
            f"[red]line {refusal.line}{field}{escape(value)}:[/red] {escape(refusal.reason)}"
        )
    for warning in report.warnings[:SHOWN]:
        console.print(f"[yellow]{escape(warning)}[/yellow]")
    more = max(0, report.refused_count - SHOWN) + max(0, len(report.warnings) - SHOWN)
    if more:
        console.print(f"... and {more} more; `--json` lists them all")
