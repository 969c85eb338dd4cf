"""Imports: from a file to records, with a report of the refused rows and the reasons."""

from whence.records.bulk import upsert_all
from whence.records.imports.importer import (
    Batch,
    ImportContext,
    ImportReport,
    Progress,
    Refusal,
)
from whence.records.imports.running import Importer
from whence.records.upsert import Upserted, upsert

__all__ = [
    "Batch",
    "ImportContext",
    "ImportReport",
    "Importer",
    "Progress",
    "Refusal",
    "Upserted",
    "upsert",
    "upsert_all",
]
