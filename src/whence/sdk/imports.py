"""Imports: from a file to records, with a report of what was refused and why."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from whence.db.database import Database
from whence.kernel.settings import Settings
from whence.records.files.files import Files, stored_files
from whence.tenancy.principal import Principal


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
    warnings: tuple[str, ...] = ()
    mapping: Mapping[str, str] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True)
class ImportContext:
    """For whom a file is imported, and where it is written."""

    principal: Principal
    db: Database
    settings: Settings

    @cached_property
    def files(self) -> Files:
        """Where files are kept."""
        return stored_files(self.db, self.settings)


@dataclass(frozen=True)
class Importer:
    """`whence import <pack>.<name> PATH`: reads a file and writes it in one transaction."""

    name: str
    title: str
    run: Callable[[ImportContext, Path], Awaitable[ImportReport]]
