"""Imports: from a file to records, with a report of the refused rows and the reasons."""

from whence.records.bulk import upsert_all
from whence.records.imports.importer import (
    Batch,
    ImportContext,
    ImportReport,
    Progress,
    Refusal,
)
from whence.records.imports.rows import upsert_row
from whence.records.imports.running import Importer
from whence.records.imports.undo_batch import Undo, UndoBatch, WrittenRecord
from whence.records.imports.undo_records import FILES, undo_records
from whence.records.upsert import Upserted, upsert

__all__ = [
    "FILES",
    "Batch",
    "ImportContext",
    "ImportReport",
    "Importer",
    "Progress",
    "Refusal",
    "Undo",
    "UndoBatch",
    "Upserted",
    "WrittenRecord",
    "undo_records",
    "upsert",
    "upsert_all",
    "upsert_row",
]
