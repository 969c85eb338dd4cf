"""Blank records from a table (CSV, JSON or a workbook); bad rows are refused by line."""

from __future__ import annotations

from pathlib import Path

from whence.sdk.imports import Batch, Importer, undo_records, upsert_all
from whence.sdk.tabular import Cells, Context, Field, Layout, Reading, known_keys, match, open_table
from whence.sdk.values import now

from .kind import BLANK_RECORDS
from .records import BlankRecord

FIELDS = (
    Field("id", ("id", "externalid", "key"), is_required=True),
    Field("title", ("title", "heading", "name"), is_required=True),
    Field("text", ("text", "body", "description")),
)
"""The fields, and the headers under which files have them."""


def read(path: Path) -> Reading[BlankRecord]:
    """The blank records in a file."""
    table = open_table(path, Layout(known_keys(FIELDS)))
    return Reading(table, match(table.headers, FIELDS), now(), _record)


def _record(cells: Cells, _external_id: str, _context: Context) -> BlankRecord:
    return BlankRecord(title=cells.required_line("title", 200), text=cells.long_text("text"))


async def write(batch: Batch[BlankRecord]) -> None:
    """Add what is new and change what differs, a batch at a time."""
    await upsert_all(batch, BLANK_RECORDS)


IMPORTER = Importer(
    "blank_records",
    "Blank records: CSV, JSON or a workbook",
    read,
    write,
    undo=undo_records(BLANK_RECORDS),
)
