"""`whence import`: reads files into a pack's records in batches, and reports every refused row."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from whence.app import database as app_database
from whence.app import discovery
from whence.app.platform import Platform
from whence.cli import session
from whence.kernel.errors import Invalid, WhenceError
from whence.kernel.settings import Settings
from whence.records.imports.importer import ImportContext, ImportReport, Progress
from whence.records.imports.running import import_file
from whence.tenancy import operator
from whence.tenancy.principal import Principal

SHOWN = 20
"""Refused rows and warnings listed one by one; `--json` has them all."""


def import_(
    name: Annotated[str, typer.Argument(help="What to import: resale.items, resale.listings")],
    path: Annotated[Path, typer.Argument(help="A file, or a folder whose files are all imported")],
    organization: Annotated[
        str | None,
        typer.Option("--organization", help="Its name or id; one that the person belongs to"),
    ] = None,
    email: Annotated[
        str | None, typer.Option("--as", help="A member's e-mail address; the local owner")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="A report on one line of JSON for each file")
    ] = False,
) -> None:
    """Import records from a file; refused rows are listed with the reason."""
    files = _files(path)
    settings = session.settings()

    async def work() -> bool:
        who = await _member(settings, organization, email) if organization or email else None
        async with session.opened(settings) as platform:
            return await _import_all(platform, who or platform.owner, name, files, as_json)

    if not session.run(work):
        raise typer.Exit(1)


async def _import_all(
    platform: Platform, who: Principal, name: str, files: list[Path], as_json: bool
) -> bool:
    """Import files one after another; whether all could be read."""
    importer, context = platform.importer(name), ImportContext(who, platform.db, platform.settings)
    is_whole = True
    for file in files:
        try:
            report = await import_file(context, importer, file, on_progress=_shown(file))
        except asyncio.CancelledError:
            session.progress().print(
                f"Stopped in {escape(file.name)}. What was written stays; import the file again "
                "to continue."
            )
            raise
        except WhenceError as error:
            if len(files) == 1:
                raise
            is_whole = False
            session.progress().print(f"[red]{escape(file.name)}:[/red] {escape(error.message)}")
            continue
        if as_json:
            print(session.as_line(_json(report) | ({"file": file.name} if len(files) > 1 else {})))
        else:
            _show(f"{name} {file.name}" if len(files) > 1 else name, report)
    return is_whole


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise Invalid(f"There is no file '{path}'.")
    files = sorted(
        each for each in path.iterdir() if each.is_file() and not each.name.startswith(".")
    )
    if not files:
        raise Invalid(f"There is no file in the folder '{path}'.")
    return files


async def _member(settings: Settings, organization: str | None, email: str | None) -> Principal:
    packs = discovery.discover(settings.pack_dirs)
    async with app_database.database(settings, packs) as opened:
        user = email or opened.owner.user_id
        return await asyncio.to_thread(operator.member, opened.admin_url, user, organization)


def _shown(file: Path) -> Callable[[Progress], None] | None:
    console = session.progress()
    if not console.is_terminal:
        return None

    def show(progress: Progress) -> None:
        share = f"{min(100, 100 * progress.done // max(1, progress.total))} %"
        console.print(f"{escape(file.name)}: {progress.rows:,} rows, {share}", end="\r")

    return show


def _json(report: ImportReport) -> dict[str, object]:
    return {
        "id": str(report.id),
        "added": report.added,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "refused": [
            {"line": r.line, "field": r.field, "value": r.value, "reason": r.reason}
            for r in report.refused
        ],
        "warnings": list(report.warnings),
        "mapping": dict(report.mapping),
        "ignored": list(report.ignored),
    }


def _show(name: str, report: ImportReport) -> None:
    console = session.out()
    console.print(
        f"{name}: {report.added} added, {report.updated} updated, {report.unchanged} unchanged, "
        f"{report.refused_count} refused"
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
