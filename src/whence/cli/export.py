"""`whence export`: records as CSV or JSON, a dossier as Markdown, PDF or JSON."""

from __future__ import annotations

import csv
import errno
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.markup import escape

from whence.app.platform import Platform
from whence.cli import live, session
from whence.cli.dossier_pdf import write_pdf
from whence.cli.dossier_report import markdown, report_of
from whence.cli.research_many import pages_of
from whence.cli.show import named
from whence.kernel.errors import Conflict, Invalid, NotReady
from whence.records import references, store
from whence.records.kind import SubjectKind
from whence.sdk.pack import ReportPart

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of text that a spreadsheet takes for a formula."""
FONT_FIX = "Name a font that has them with --font, or export Markdown."


class Format(StrEnum):
    """What is written."""

    CSV = "csv"
    JSON = "json"
    MARKDOWN = "md"
    PDF = "pdf"


class FileExists(Conflict):
    """This file exists already; choose another name with --out, or delete it."""


class UnwritableFile(Invalid):
    """The file cannot be written; name one in an existing folder of yours with --out."""


def export(
    subject: Annotated[
        str, typer.Argument(help="A KIND such as items: its records; KIND/ID: its dossier")
    ],
    form: Annotated[
        Format | None,
        typer.Option(
            "--format", help="csv (default) or json; of a dossier md (default), pdf, json"
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option("--filter", help="Those that a list would show: brand=A; can be repeated"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="A new file; without it, stdout. A PDF needs one")
    ] = None,
    font: Annotated[
        Path | None,
        typer.Option(help="A TrueType font for the PDF; one of this machine by default"),
    ] = None,
) -> None:
    """Export the records of a kind as CSV or JSON, or a dossier as Markdown, PDF or JSON."""
    if out is not None and out.exists():
        raise FileExists(f"The file '{out}' exists already; choose another name, or delete it.")
    if out is not None and not out.parent.is_dir():
        raise UnwritableFile(f"There is no folder '{out.parent}'; make it, or choose another one.")
    if "/" not in subject:
        _records(subject, form or Format.CSV, where or [], out)
        return
    if where:
        raise Invalid("--filter is for the records of a kind, such as `whence export items`.")
    _dossier(subject, form or Format.MARKDOWN, out, font)


def _records(kind_name: str, form: Format, where: Sequence[str], out: Path | None) -> None:
    if form not in (Format.CSV, Format.JSON):
        raise Invalid(f"Records are exported as csv or json, not {form}; a dossier is KIND/ID.")

    async def work() -> int:
        async with session.opened(session.settings()) as platform:
            kind = platform.kind(kind_name)
            # Before the file is made: a filter that cannot be used leaves none behind.
            async with aclosing(shown_records(platform, kind, where)) as records:
                first = await anext(records, None)
                with _opened(out) as file:
                    write = _as_csv if form is Format.CSV else _as_json
                    return await write(file, kind, first, records)

    number = session.run(work)
    session.progress().print(f"{number} exported{f' to {out}' if out else ''}")


async def shown_records(
    platform: Platform, kind: SubjectKind, where: Sequence[str]
) -> AsyncGenerator[Mapping[str, Any]]:
    """The records as the API answers them, with what each page of them refers to read at once."""
    async with aclosing(pages_of(platform, kind, where)) as pages:
        async for rows in pages:
            async with platform.unit(platform.owner) as unit:
                records = await references.shown(unit, kind, rows)
            for record in records:
                yield record


async def _as_csv(
    file: TextIO,
    kind: SubjectKind,
    first: Mapping[str, Any] | None,
    records: AsyncIterator[Mapping[str, Any]],
) -> int:
    names = [field.alias or name for name, field in kind.view.model_fields.items()]
    table, number = csv.writer(file), 0
    table.writerow(names)
    record = first
    while record is not None:
        table.writerow([_cell(record.get(name)) for name in names])
        number += 1
        record = await anext(records, None)
    return number


async def _as_json(
    file: TextIO,
    kind: SubjectKind,
    first: Mapping[str, Any] | None,
    records: AsyncIterator[Mapping[str, Any]],
) -> int:
    del kind
    number, record = 0, first
    file.write("[")
    while record is not None:
        file.write((",\n" if number else "\n") + session.as_line(record))
        number += 1
        record = await anext(records, None)
    file.write("\n]\n")
    return number


def _cell(value: object) -> object:
    """A value in a cell: lists and objects as JSON, and no text that runs as a formula."""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(FORMULA) else value
    if isinstance(value, list | dict):
        return session.as_line(value) if value else ""
    return value


def _dossier(subject: str, form: Format, out: Path | None, font: Path | None) -> None:
    kind_name, reference = named(subject)
    if form is Format.CSV:
        raise Invalid("A dossier is exported as md, pdf or json; `whence export KIND` writes CSV.")
    if form is Format.PDF and out is None:
        raise Invalid("A PDF needs a file: add --out NAME.pdf.")

    async def work() -> tuple[SubjectKind, dict[str, Any], Sequence[ReportPart]]:
        async with session.opened(session.settings()) as platform:
            kind = platform.kind(kind_name)
            async with platform.unit(platform.owner) as unit:
                row = await store.resolve(unit, kind, reference)
                [record] = await references.shown(unit, kind, [row])
            written = await live.result(platform, kind, row)
            if written is None:
                raise NotReady(f"Not researched yet; `whence research {subject}` does it.")
            dossier, evidence = written
            report = platform.pack_of(kind_name).report
            parts = report(dossier, evidence, record) if report else ()
            return kind, {"record": record, "dossier": dossier, "evidence": evidence}, parts

    kind, document, parts = session.run(work)
    if form is Format.JSON:
        with _opened(out) as file:
            file.write(session.as_line(document) + "\n")
        return
    blocks = report_of(
        kind.title, document["record"], document["dossier"], document["evidence"], parts
    )
    if form is Format.MARKDOWN:
        with _opened(out) as file:
            file.write(markdown(blocks))
        return
    assert out is not None  # checked above
    with _writable(out):
        notices = write_pdf(blocks, out, font)
    for notice in notices:
        session.progress().print(f"[yellow]{escape(notice)} {FONT_FIX}[/yellow]")


@contextmanager
def _opened(path: Path | None) -> Generator[TextIO]:
    """A new file for text, or stdout."""
    if path is None:
        yield sys.stdout
        return
    with _writable(path):
        file = path.open("x", encoding="utf-8", newline="")
    with file:
        yield file


@contextmanager
def _writable(path: Path) -> Generator[None]:
    """Name the file that cannot be written.  A full disk is the command line's own error."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        reason = error.strerror or type(error).__name__
        raise UnwritableFile(
            f"The file '{path}' cannot be written ({reason}); choose another one with --out."
        ) from error
