"""The context that a job's handler gets beside its payload: fenced writes, progress, services."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.statements import storable, storable_text
from whence.events import log
from whence.events.types import JobProgress
from whence.kernel.retry import retry
from whence.kernel.services import Services
from whence.tenancy.principal import Principal
from whence.work.attempt import Attempt
from whence.work.tables import WorkItem

S = TypeVar("S")
PROGRESS_SECONDS = 0.5
"""Shortest time between two writes of progress: frequent enough to watch, cheap for a million rows.
"""
_PROGRESS = text("""
    UPDATE whence.work SET
        outages = CASE WHEN :done > progress_done THEN 0 ELSE outages END,
        crashes = CASE WHEN :done > progress_done THEN 0 ELSE crashes END,
        deaths = CASE WHEN :done > progress_done THEN 0 ELSE deaths END,
        progress_done = :done, progress_total = :total,
        progress_message = coalesce(:message, progress_message)
    WHERE id = :id
""")


@dataclass(frozen=True)
class JobContext:
    """One attempt at a job.  Every write is fenced; the handler's steps must be safe to repeat."""

    attempt: Attempt
    state: Mapping[str, Any]
    """The last saved state when this attempt began; empty in the first attempt."""
    services: Services
    _last_progress: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def job_id(self) -> UUID:
        return self.attempt.work_id

    @property
    def principal(self) -> Principal:
        return self.attempt.principal

    def service(self, wanted: type[S]) -> S:
        """The pack's process-wide object of this type."""
        return self.services.get(wanted)

    def unit(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for reading."""
        return self.attempt.unit()

    def fenced(self, *, flushed: bool = True) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for writing; raises StaleAttempt once another worker has the job or it is
        cancelled.

        `flushed=False`: the commit does not wait for the disk; the next flushed commit makes it
        durable.
        """
        return self.attempt.fenced(flushed=flushed)

    async def outside(self, ask: Callable[[], Awaitable[S]]) -> S:
        """Call an outside system, up to three times while it raises Unavailable; then the job
        pauses."""
        return await retry(ask)

    async def progress(
        self, done: int, total: int | None = None, message: str | None = None
    ) -> None:
        """Report progress; written at most twice a second, and always when `done` equals `total`.

        If `done` is higher than ever before, the counts of failures are reset.
        """
        at = time.monotonic()
        if (
            done != total
            and at - self._last_progress.get("at", -PROGRESS_SECONDS) < PROGRESS_SECONDS
        ):
            return
        self._last_progress["at"] = at
        words = message and storable_text(message)
        values = {"id": self.job_id, "done": done, "total": total, "message": words}
        async with self.fenced(flushed=False) as session:
            await session.execute(_PROGRESS, values)
            event = JobProgress(done=done, total=total, message=words)
            await log.append(session, self.job_id, event)

    async def save_state(self, session: AsyncSession, state: Mapping[str, Any]) -> None:
        """Save where the next attempt continues, in the fenced transaction that did the work."""
        values = {"state": storable(dict(state))}
        await session.execute(update(WorkItem).where(WorkItem.id == self.job_id).values(values))
