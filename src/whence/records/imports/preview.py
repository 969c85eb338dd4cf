"""What an import would do: its columns, its first rows and its refused rows, with nothing written.

The rows are read, and the first of them are written in a transaction that is rolled back, so that
what the writer refuses is known beforehand too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic_core import to_jsonable_python

from whence.kernel.ids import new_id
from whence.records.imports import ledger
from whence.records.imports.importer import Batch, ImportContext, Saved
from whence.records.imports.running import Importer
from whence.records.tabular.columns import Columns, MissingColumn, known_keys
from whence.records.tabular.header import header_key
from whence.records.tabular.layout import Layout
from whence.records.tabular.mapping import column_mapping
from whence.records.tabular.raw import RawRow, shorten
from whence.records.tabular.reading import FIRST_ROWS, Reading, Refused, Report, Row
from whence.records.tabular.table import open_table
from whence.tenancy.principal import Scope

READ_ROWS = 20_000
"""Rows that a preview reads; a second or two."""
TRIED_ROWS = 200
"""Rows that a preview writes and takes back; a fraction of a second."""
SHOWN_ROWS = 20
SHOWN_REFUSALS = 100


@dataclass(frozen=True)
class ColumnPreview:
    """A column of the file, and the field that it is read as."""

    header: str
    field: str | None
    """The field's name, `attr:NAME` for an attribute; None for a column that is not read."""
    samples: tuple[str, ...]
    """What its first filled cells hold."""


@dataclass(frozen=True)
class FieldChoice:
    """A field that a column may be read as."""

    name: str
    is_required: bool
    many: bool
    """Whether several columns may feed it."""


@dataclass(frozen=True)
class RowPreview:
    """A row as it would be written."""

    line: int
    external_id: str
    record: Mapping[str, Any]
    warnings: tuple[str, ...]
    outcome: str | None = None
    """`added`, `updated` or `unchanged`; None for a row that was not tried."""
    changed: tuple[str, ...] = ()
    """The fields of a stored record that would change."""


@dataclass(frozen=True)
class Preview:
    """What a file holds, and what its import would do."""

    columns: tuple[ColumnPreview, ...]
    fields: tuple[FieldChoice, ...]
    keeps_unknown: bool
    """Whether a column without a field becomes an attribute of the record."""
    missing: tuple[str, ...]
    """Required fields that no column holds; without them nothing can be imported."""
    rows: tuple[RowPreview, ...] = ()
    """The first rows that can be written."""
    refused: tuple[Refused, ...] = ()
    """The first refused rows."""
    read: int = 0
    """Rows that were read."""
    refused_count: int = 0
    """The refused ones among them."""
    is_whole: bool = True
    """Whether the whole file was read."""
    tried: int = 0
    """Rows whose writing was tried."""
    outcomes: Mapping[str, int] = field(default_factory=dict[str, int])
    """What the tried rows would become: `added`, `updated`, `unchanged`."""
    notes: tuple[str, ...] = ()
    format: str | None = None
    encoding: str | None = None


@dataclass(frozen=True)
class _Part:
    rows: Sequence[Row[Any]]
    refused: Sequence[Refused]
    is_whole: bool
    report: Report
    columns: Columns
    first: Sequence[RawRow]


async def preview(context: ImportContext, importer: Importer[Any], path: Path) -> Preview:
    """Preview the import of a file with `context.mapping`; nothing stays written.

    Raises Invalid for a file that cannot be read, or a mapping that does not fit it.
    """
    context.principal.require(Scope.WRITE)
    try:
        part = await asyncio.to_thread(_read, importer, path, context.mapping)
    except MissingColumn as error:
        first = await asyncio.to_thread(_first_rows, path, error.columns)
        return Preview(
            columns=_columns(error.columns, first),
            fields=_fields(error.columns),
            keeps_unknown=error.columns.keeps_unknown,
            missing=_missing(error.columns),
        )
    saved, refused = await _tried(context, importer, part.rows[:TRIED_ROWS])
    every_refusal = sorted([*part.refused, *refused], key=lambda each: each.line)
    lines = {each.line for each in refused}
    shown = [row for row in part.rows[: SHOWN_ROWS + len(lines)] if row.line not in lines]
    outcomes: dict[str, int] = {}
    for each in saved.values():
        outcomes[each.outcome.value] = outcomes.get(each.outcome.value, 0) + 1
    return Preview(
        columns=_columns(part.columns, part.first),
        fields=_fields(part.columns),
        keeps_unknown=part.columns.keeps_unknown,
        missing=(),
        rows=tuple(_row(row, saved.get(row.external_id)) for row in shown[:SHOWN_ROWS]),
        refused=tuple(every_refusal[:SHOWN_REFUSALS]),
        read=len(part.rows) + len(part.refused),
        refused_count=len(every_refusal),
        is_whole=part.is_whole,
        tried=min(len(part.rows), TRIED_ROWS),
        outcomes=outcomes,
        notes=part.report.notes,
        format=part.report.format,
        encoding=part.report.encoding,
    )


def _read(importer: Importer[Any], path: Path, mapping: Mapping[str, str]) -> _Part:
    with column_mapping(mapping):
        reading: Reading[Any] = importer.read(path)
    results = list(islice(reading, READ_ROWS))
    is_whole = next(reading, None) is None
    return _Part(
        rows=[each for each in results if isinstance(each, Row)],
        refused=[each for each in results if isinstance(each, Refused)],
        is_whole=is_whole,
        report=reading.report,
        columns=reading.columns,
        first=reading.first_rows,
    )


class _TakenBack(Exception):
    """Ends the transaction of a trial."""


async def _tried(
    context: ImportContext, importer: Importer[Any], rows: Sequence[Row[Any]]
) -> tuple[Mapping[str, Saved], Sequence[Refused]]:
    """The outcomes of rows that are written and taken back, by external id, and the refused ones.

    Goes batch by batch, as the import would.
    """
    who = context.principal
    claim = ledger.Claim(new_id(), 0, 0, context.clear_empty, context.mapping)
    outcomes: dict[str, Saved] = {}
    refusals: list[Refused] = []
    try:
        async with context.db.unit(who.org_id) as session:
            for start in range(0, len(rows), importer.batch_rows):
                some = rows[start : start + importer.batch_rows]
                prepared = await importer.prepare(some) if importer.prepare else {}
                fresh, refused, _ = await ledger.only_new(session, claim, some)
                batch: Batch[Any] = Batch(
                    session,
                    who,
                    context.files,
                    claim.import_id,
                    fresh,
                    clear_empty=context.clear_empty,
                    prepared=prepared,
                )
                await importer.write(batch)
                outcomes |= batch.outcomes
                refusals += [*refused, *batch.refused]
            raise _TakenBack
    except _TakenBack:
        return outcomes, refusals


def _row(row: Row[Any], saved: Saved | None) -> RowPreview:
    record = to_jsonable_python(row.record, by_alias=True)
    return RowPreview(
        line=row.line,
        external_id=row.external_id,
        record=record if isinstance(record, dict) else {"value": record},
        warnings=row.warnings,
        outcome=saved.outcome.value if saved else None,
        changed=tuple(sorted(saved.after or ())) if saved and saved.before is not None else (),
    )


def _columns(columns: Columns, first: Sequence[RawRow]) -> tuple[ColumnPreview, ...]:
    return tuple(
        ColumnPreview(header, columns.mapping.get(header), _samples(first, at))
        for at, header in enumerate(columns.headers)
        if header
    )


def _samples(rows: Sequence[RawRow], at: int) -> tuple[str, ...]:
    cells = (row.cells[at] for row in rows if at < len(row.cells))
    shown = (shorten(cell) for cell in cells if cell not in (None, ""))
    return tuple(dict.fromkeys(each for each in shown if each))[:3]


def _fields(columns: Columns) -> tuple[FieldChoice, ...]:
    return tuple(FieldChoice(each.name, each.is_required, each.many) for each in columns.known)


def _missing(columns: Columns) -> tuple[str, ...]:
    return tuple(
        each.name
        for each in columns.known
        if each.is_required and each.name not in columns.positions
    )


def _first_rows(path: Path, columns: Columns) -> list[RawRow]:
    """The first rows of a file whose reader could not go on without a column."""
    table = open_table(path, Layout(known_keys(columns.known)))
    if [header_key(each) for each in table.headers] != [header_key(h) for h in columns.headers]:
        return []  # the reader chose another sheet, or another line as the header
    return [each for each in islice(table.rows, FIRST_ROWS) if isinstance(each, RawRow)]
