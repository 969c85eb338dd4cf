"""One attempt at a unit of work, and the fence that every one of its writes passes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, LiteralString
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.db.held import check_not_nested
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

    lock: asyncio.Lock = field(default_factory=asyncio.Lock, compare=False)
    """Held by whatever writes for the work: its transactions wait for each other in the database,
    and whoever waited there would hold a connection meanwhile."""

    @asynccontextmanager
    async def fenced(self, *, flushed: bool = True) -> AsyncGenerator[AsyncSession]:
        """A transaction for writes; raises StaleAttempt once another worker owns the work."""
        check_not_nested(self.work_id)
        org_id = self.principal.org_id
        async with (
            self.lock,
            self.db.fenced(org_id, self.work_id, self.number, flushed=flushed) as session,
        ):
            yield session

    def unit(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for reading; inside an open `fenced()` of this task, that one."""
        return self.db.joined_unit(self.principal.org_id, self.work_id)

    async def rows(
        self, statement: LiteralString, values: Mapping[str, object]
    ) -> list[tuple[Any, ...]]:
        """One fenced statement that is a transaction of its own; its rows."""
        async with self.lock:
            return await self.db.rows(statement, values)

    async def close(self, session: AsyncSession, reason: str) -> None:
        """Close what the attempt leaves open, in the transaction that ends it, and say why."""
