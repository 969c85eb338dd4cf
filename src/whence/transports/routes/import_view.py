"""A stored import as shown on the wire and by the command line."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from whence.kernel.wire import Wire
from whence.records.imports.reports import StoredImport


class StoredImportAnswer(Wire):
    """A stored import."""

    id: UUID
    name: str
    filename: str
    digest: str
    """SHA-256 of the file."""
    size: int
    status: str
    """`draft` (not started), `waiting`, `running`, `done`, `failed` or `cancelled`."""
    rows: int
    """Rows of the file read so far."""
    bytes_done: int
    added: int
    updated: int
    unchanged: int
    repeated: int
    """Rows that exactly repeat an earlier row of the file, its id included."""
    refused: int
    warnings: int
    mapping: Mapping[str, str]
    chosen: Mapping[str, str]
    """The columns whose field a person chose: header to field, `attr:NAME` or `ignore`."""
    ignored: list[str]
    notes: list[str]
    encoding: str | None
    """The encoding that the file was read in; null before any of it was read."""
    error: str | None
    requested_by: UUID
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    undone_at: datetime | None
    clear_empty: bool
    """Whether empty cells cleared their fields."""
    is_sample: bool
    """Whether its file is a sample of a pack."""
    can_resume: bool
    """Whether it ended early, and its file is still stored."""


def stored_import(stored: StoredImport) -> StoredImportAnswer:
    """An import as shown on the wire and by the command line."""
    understood: dict[str, Any] = stored.report
    return StoredImportAnswer.model_validate(
        {
            **{
                name: getattr(stored, name)
                for name in StoredImportAnswer.model_fields
                if hasattr(stored, name)
            },
            "rows": stored.position,
            "chosen": stored.mapping,
            "can_resume": stored.status in ("failed", "cancelled")
            and stored.has_file
            and stored.undone_at is None,
            "mapping": understood.get("mapping", {}),
            "ignored": understood.get("ignored", []),
            "notes": understood.get("notes", []),
            "encoding": understood.get("encoding"),
        }
    )
