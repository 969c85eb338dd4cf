"""The values of an import: its batches, its progress and its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.kernel.settings import Settings
from whence.records.files.files import Files, stored_files
from whence.records.tabular.reading import Refused, Row
from whence.records.upsert import Upserted
from whence.tenancy.principal import Principal

R = TypeVar("R")


@dataclass(frozen=True)
class Refusal:
    """A refused row of an import, and why."""

    line: int
    field: str | None
    value: str
    reason: str


@dataclass(frozen=True)
class ImportReport:
    """The result of an import: rows added, updated, unchanged and refused."""

    added: int
    updated: int
    unchanged: int
    refused: tuple[Refusal, ...] = ()
    """The first refused rows; `refused_count` counts all, and the stored report lists all."""
    warnings: tuple[str, ...] = ()
    mapping: Mapping[str, str] = field(default_factory=dict)
    """The field that each header was read as."""
    ignored: tuple[str, ...] = ()
    """Headers without a field."""
    id: UUID | None = None
    refused_count: int = 0
    repeated: int = 0
    """Rows that repeat an earlier row exactly, its id included; a warning names each."""
    encoding: str | None = None
    """The encoding that the file was read in; None before any of it was read."""


@dataclass(frozen=True)
class ImportContext:
    """The principal and the database of an import."""

    principal: Principal
    db: Database
    settings: Settings
    clear_empty: bool = False
    """Whether an empty cell clears the field of a record that is there already."""
    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    """The fields chosen for columns: header to field, `attr:NAME` or `ignore`."""
    is_sample: bool = False
    """Whether the file is a sample of a pack."""

    @cached_property
    def files(self) -> Files:
        """The files of this installation."""
        return stored_files(self.db, self.settings)


@dataclass(frozen=True)
class Progress:
    """An import's progress: rows of the file, and its bytes (for a workbook, rows)."""

    rows: int
    done: int
    total: int


@dataclass(frozen=True)
class Saved:
    """The outcome for one record, and its previous values."""

    outcome: Upserted
    record_id: UUID | None = None
    before: Mapping[str, Any] | None = None
    """The previous values of the changed fields, stored with the import so that it can be undone.
    """
    after: Mapping[str, Any] | None = None
    """Their new values."""
    version: int = 1
    """The version of a record that was added."""


@dataclass
class Batch(Generic[R]):
    """Rows to write in one transaction; each id occurs first in this batch.

    The writer records each row's outcome with `saved`, and may refuse a row or warn.
    """

    session: AsyncSession
    principal: Principal
    files: Files
    import_id: UUID
    rows: Sequence[Row[R]]
    outcomes: dict[str, Saved] = field(default_factory=dict)
    """By external id."""
    refused: list[Refused] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)
    clear_empty: bool = False
    prepared: Mapping[str, Any] = field(default_factory=dict)
    """What the importer's `prepare` returned for these rows."""

    def kept(self, row: Row[R]) -> frozenset[str]:
        """The fields that a record which is there already keeps: those the row says nothing of.

        An empty cell clears its field only if the person asked for that.
        """
        return row.absent - row.blank if self.clear_empty else row.absent

    def saved(
        self,
        row: Row[R],
        outcome: Upserted,
        record_id: UUID | None = None,
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
        version: int = 1,
    ) -> None:
        """Record the outcome of a row."""
        self.outcomes[row.external_id] = Saved(outcome, record_id, before, after, version)

    def refuse(self, row: Row[R], field: str | None, value: str, reason: str) -> None:
        """Leave a row out, with the reason in the report."""
        self.refused.append(Refused(row.line, field, value, reason))

    def warn(self, row: Row[R], warning: str) -> None:
        """Keep a row, with a warning in the report."""
        self.warnings.append((row.line, warning))
