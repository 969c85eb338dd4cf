"""`whence import`: a file into a pack's records, all rows or none half-written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from whence.cli import session
from whence.kernel.errors import Invalid
from whence.sdk.imports import ImportContext, ImportReport

SHOWN = 20
"""Refused rows and warnings listed one by one; `--json` has them all."""


def import_(
    name: Annotated[str, typer.Argument(help="What to import: resale.items, resale.listings")],
    path: Annotated[Path, typer.Argument(help="A CSV or JSONL file")],
    as_json: Annotated[bool, typer.Option("--json", help="The report as one line of JSON")] = False,
) -> None:
    """Import records from a file; rows that cannot be taken are named with the reason."""
    if not path.is_file():
        if path.is_dir():
            raise Invalid(f"'{path}' is a folder; name a file in it.")
        raise Invalid(f"There is no file '{path}'.")
    found = session.settings()

    async def work() -> ImportReport:
        async with session.opened(found) as built:
            importer = built.importer(name)
            return await importer.run(ImportContext(built.owner, built.db, found), path)

    report = session.run(work)
    if as_json:
        print(session.as_line(_json(report)))
    else:
        _show(name, report)


def _json(report: ImportReport) -> dict[str, object]:
    return {
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
        f"{len(report.refused)} refused"
    )
    if report.mapping:
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
    more = max(0, len(report.refused) - SHOWN) + max(0, len(report.warnings) - SHOWN)
    if more:
        console.print(f"... and {more} more; `--json` lists them all")
