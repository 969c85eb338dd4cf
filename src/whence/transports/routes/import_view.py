"""A stored import as shown on the wire and by the command line."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from whence.kernel.wire import Wire
from whence.records.imports.reports import StoredImport


class UndoProgress(Wire):
    """How far the undo of an import is."""

    state: Literal["waiting", "running", "done", "stopped", "failed"]
    """`stopped` and `failed`: undone in part; undo it again to go on."""
    total: int
    """The records that the import wrote."""
    deleted: int
    restored: int
    kept: int
    left: int
    """The records that are still to be undone."""
    is_stopping: bool
    """Whether it ends before its next batch, as somebody has cancelled it."""
    error: str | None


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
    undo: UndoProgress | None
    """The undo of this import; null if nobody has undone it."""
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
            and stored.undo_status is None,
            "undo": _undo(stored),
            "mapping": understood.get("mapping", {}),
            "ignored": understood.get("ignored", []),
            "notes": understood.get("notes", []),
            "encoding": understood.get("encoding"),
        }
    )


def _undo(stored: StoredImport) -> dict[str, Any] | None:
    if stored.undo_status is None:
        return None
    undone = stored.undo_deleted + stored.undo_restored + stored.undo_kept
    return {
        "state": stored.undo_status,
        "total": stored.undo_total,
        "deleted": stored.undo_deleted,
        "restored": stored.undo_restored,
        "kept": stored.undo_kept,
        "left": max(0, stored.undo_total - undone),
        "is_stopping": stored.is_undo_stopping and stored.undo_status in ("waiting", "running"),
        "error": stored.undo_error,
    }
