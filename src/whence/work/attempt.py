"""One attempt at a unit of work, and the fence that every one of its writes passes."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.tenancy.principal import Principal


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """A unit of work, claimed by this worker under the fencing token `number`."""

    paused_notice: ClassVar[str] = "Paused, will resume automatically"

    db: Database
    principal: Principal
    """Whoever asked for the work, with what that person may do now and was allowed then."""
    work_id: UUID
    number: int
    deaths: int = 0
    """Workers that died at this place, where the last attempt ended without a word."""
    requester_left: bool = False
    """Whoever asked is no longer a member of the organization, so the work may act for nobody."""

    def fenced(self, *, flushed: bool = True) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for writes; raises StaleAttempt once another worker owns the work."""
        return self.db.fenced(self.principal.org_id, self.work_id, self.number, flushed=flushed)

    def unit(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for reading."""
        return self.db.unit(self.principal.org_id)

    async def close(self, session: AsyncSession) -> None:
        """Close what the attempt leaves open, in the transaction that ends it."""
