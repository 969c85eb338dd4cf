"""The values of an undo: records that an import wrote, and what becomes of each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.records.deletion import Deletion
from whence.records.upsert import Upserted
from whence.tenancy.principal import Principal

Result = Literal["deleted", "restored", "kept"]


@dataclass(frozen=True)
class WrittenRecord:
    """A record that an import added or changed."""

    external_id: str
    record_id: UUID
    outcome: str
    before: Mapping[str, Any]
    """The previous values of the changed fields; empty for a record that was added."""
    after: Mapping[str, Any]
    version: int
    """The version in which the import added it."""

    @property
    def is_added(self) -> bool:
        return self.outcome == Upserted.ADDED


@dataclass(frozen=True)
class UndoneRecord:
    """What became of a record: deleted, set back, or kept as it is with the reason."""

    result: Result
    fields: tuple[str, ...] = ()
    """The fields that stay, as they were changed since."""
    reason: str | None = None


@dataclass
class UndoBatch:
    """Records to undo in one transaction; `undo` of an importer sets an outcome for each."""

    session: AsyncSession
    principal: Principal
    import_id: UUID
    deletion: Deletion
    records: Sequence[WrittenRecord]
    outcomes: dict[str, UndoneRecord] = field(default_factory=dict[str, UndoneRecord])
    """By external id."""

    def undone(
        self,
        record: WrittenRecord,
        result: Result,
        fields: Sequence[str] = (),
        reason: str | None = None,
    ) -> None:
        """Record the outcome for one record."""
        self.outcomes[record.external_id] = UndoneRecord(result, tuple(fields), reason)


Undo = Callable[[UndoBatch], Awaitable[None]]
