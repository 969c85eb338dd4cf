"""One attempt at a run, and the fence that every one of its writes passes."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
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
    """Whoever asked for the research, with what that person may do now and was allowed then."""
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
    answers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What people answered to the run's questions, by the question's key."""
    deaths: int = 0
    """Workers that died at this place, where the last attempt ended without a word."""
    requester_left: bool = False
    """Whoever asked is no longer a member of the organization, so the run may act for nobody."""

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
