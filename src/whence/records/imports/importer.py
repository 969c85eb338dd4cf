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
    """A row of an import that was not taken, and why."""

    line: int
    field: str | None
    value: str
    reason: str


@dataclass(frozen=True)
class ImportReport:
    """What an import did: rows written, rows that were there already, rows refused."""

    added: int
    updated: int
    unchanged: int
    refused: tuple[Refusal, ...] = ()
    """The first of them; `refused_count` counts all, and the stored report has all."""
    warnings: tuple[str, ...] = ()
    mapping: Mapping[str, str] = field(default_factory=dict)
    """Header to the field that it was read as."""
    ignored: tuple[str, ...] = ()
    """Headers that nothing was read from."""
    id: UUID | None = None
    refused_count: int = 0
    repeated: int = 0
    """Rows that repeat an earlier row exactly, its id included; a warning names each."""
    encoding: str | None = None
    """The encoding that the file was read in; None before any of it was read."""


@dataclass(frozen=True)
class ImportContext:
    """For whom a file is imported, and where it is written."""

    principal: Principal
    db: Database
    settings: Settings

    @cached_property
    def files(self) -> Files:
        """The files of this installation."""
        return stored_files(self.db, self.settings)


@dataclass(frozen=True)
class Progress:
    """How far an import is: rows of the file, and bytes of it (rows, for a workbook)."""

    rows: int
    done: int
    total: int


@dataclass(frozen=True)
class Saved:
    """What became of one record, and what it was before."""

    outcome: Upserted
    record_id: UUID | None = None
    before: Mapping[str, Any] | None = None
    """The fields that changed, as they were; kept with the import, so that it can be undone."""


@dataclass
class Batch(Generic[R]):
    """Rows to write in one transaction, each with an id that no earlier row of the file has.

    The writer notes what became of each row with `saved`, and may refuse a row or warn.
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

    def saved(
        self,
        row: Row[R],
        outcome: Upserted,
        record_id: UUID | None = None,
        before: Mapping[str, Any] | None = None,
    ) -> None:
        """Note what became of a row."""
        self.outcomes[row.external_id] = Saved(outcome, record_id, before)

    def refuse(self, row: Row[R], field: str | None, value: str, reason: str) -> None:
        """Leave a row out, with the reason in the report."""
        self.refused.append(Refused(row.line, field, value, reason))

    def warn(self, row: Row[R], warning: str) -> None:
        """Keep a row, with a remark in the report."""
        self.warnings.append((row.line, warning))
