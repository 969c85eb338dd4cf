"""One attempt at a run, and the fence that every one of its writes passes."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.evidence.lanes import LaneName
from whence.tenancy.principal import Principal


@dataclass(frozen=True)
class Attempt:
    """A run, claimed by this worker under the fencing token `number`."""

    db: Database
    principal: Principal
    """Whoever asked for the research; the run acts for that person."""
    run_id: UUID
    number: int
    kind: str
    subject_id: UUID
    flow: str
    flow_version: str
    lane: str
    options: dict[str, Any]
    resumable: bool
    """False after a checkpoint was lost: then the run starts from its first node again."""
    deaths: int = 0
    """Failures in a row, where the last attempt ended without a word: its worker died."""

    @property
    def is_shadow(self) -> bool:
        """Whether this is for comparison only: it may change nothing but its own findings."""
        return self.lane == LaneName.SHADOW

    def fenced(self, *, flushed: bool = True) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for writes; raises StaleAttempt once another worker owns the run."""
        org_id = self.principal.org_id
        return self.db.fenced(org_id, self.run_id, self.number, flushed=flushed)

    def unit(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for reading."""
        return self.db.unit(self.principal.org_id)
