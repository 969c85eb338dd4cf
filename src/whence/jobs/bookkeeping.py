"""Writing down how a job ended, until it is written.

Procrastinate tries once.  A job whose ending was lost would stay `doing` for as long as its worker
lives, and no sweeper would touch it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any

import psycopg
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

from whence.kernel.log import get

TRIES = 5
"""After these the worker's other queries fail as well, so that it ends and its jobs are swept."""
WAIT_SECONDS = 1.0
_log = get("jobs.bookkeeping")


class Bookkeeper(JobManager):
    """Procrastinate's job manager, with endings that survive a lost connection."""

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        """Set a job to its final state, or leave it to whoever has it now."""
        await _insist(job, lambda: super(Bookkeeper, self).finish_job(job, status, delete_job))

    async def retry_job(
        self,
        job: Job,
        retry_at: datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        """Put a job back to be tried again, or leave it to whoever has it now."""
        again = super().retry_job
        await _insist(job, lambda: again(job, retry_at, priority, queue, lock))


async def _insist(job: Job, write: Callable[[], Coroutine[Any, Any, None]]) -> None:
    for turn in range(1, TRIES + 1):
        try:
            return await write()
        except ConnectorException as error:
            if isinstance(error.__cause__, psycopg.errors.RaiseException):
                _log.info("job was handed on meanwhile", job=job.id)
                return None
            _log.warning("job's ending not written", job=job.id, tried=turn)
            if turn == TRIES:
                raise
            await asyncio.sleep(WAIT_SECONDS)
    return None
