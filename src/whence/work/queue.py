"""The job queue: Procrastinate on whence's own database, enqueued in the caller's transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from enum import StrEnum

import procrastinate
import psycopg
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import DeleteJobCondition, Job
from procrastinate.types import JSONValue
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import RECONNECT_SECONDS
from whence.db.failures import outage
from whence.db.pool import Pool
from whence.db.statements import driver_connection
from whence.work.job_manager import OutageTolerantJobManager

Handler = Callable[..., Awaitable[None]]
QUEUE = "whence"
FIRST_RETRY_SECONDS = 2
LONGEST_RETRY_SECONDS = 300
OUTAGE_RETRY_SECONDS = 10
"""Longest delay before another try at a job that failed because the database was away."""
CONNECTION_WAIT_SECONDS = 5.0
"""Longest wait of a worker's own query for a connection; each is tried again."""
_WITHDRAW = text("DELETE FROM jobs.procrastinate_jobs WHERE lock = :lock AND status = 'todo'")


class Priority(StrEnum):
    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"

    @property
    def number(self) -> int:
        """The order in the queue: higher numbers are fetched first."""
        return {"low": -10, "normal": 0, "high": 10}[self.value]


class NeverLost(procrastinate.BaseRetryStrategy):
    """Retry a job that raises, with growing delays: an error must not make work disappear.

    The handler decides when to give up, and records that for its user.
    """

    def get_retry_decision(
        self, *, exception: BaseException, job: Job
    ) -> procrastinate.RetryDecision | None:
        """When to try again; None for a cancelled job, which has handed its work back."""
        if not isinstance(exception, Exception):
            return None
        longest = OUTAGE_RETRY_SECONDS if outage(exception) else LONGEST_RETRY_SECONDS
        seconds = min(FIRST_RETRY_SECONDS * 2 ** min(job.attempts, 16), longest)
        return procrastinate.RetryDecision(retry_in={"seconds": seconds})


class JobQueue:
    """Registers handlers, enqueues jobs, and provides the worker's Procrastinate app."""

    def __init__(self, conninfo: str) -> None:
        self._connector = procrastinate.PsycopgConnector(
            pool_factory=Pool,
            conninfo=conninfo,
            min_size=1,
            max_size=4,
            timeout=CONNECTION_WAIT_SECONDS,
            reconnect_timeout=RECONNECT_SECONDS,
        )
        self.app = procrastinate.App(
            connector=self._connector,
            worker_defaults={"delete_jobs": DeleteJobCondition.ALWAYS.value},
        )
        self.job_manager = OutageTolerantJobManager(self._connector)
        self.app.job_manager = self.job_manager

    def handle(self, name: str, handler: Handler) -> None:
        """Register `handler(**arguments)` for jobs of this name."""
        self.app.tasks.pop(name, None)
        self.app.task(name=name, queue=QUEUE, retry=NeverLost())(handler)

    async def open(self) -> None:
        """Open the queue's connections; raises DatabaseBusy."""
        try:
            await self.app.open_async()
        except psycopg.Error as error:
            raise (outage(error) or error) from error

    async def close(self) -> None:
        """Close them."""
        await self.app.close_async()

    async def enqueue(
        self,
        session: AsyncSession,
        name: str,
        arguments: Mapping[str, JSONValue],
        *,
        queue: str = QUEUE,
        priority: int = 0,
        lock: str | None = None,
        at: datetime | None = None,
    ) -> None:
        """Add a job in the caller's transaction; it exists once that commits.

        Jobs with the same `lock` never run at once.  `at` is the earliest time to start.
        Raises DatabaseBusy.
        """
        deferrer = self.app.configure_task(
            name,
            queue=queue,
            priority=priority,
            lock=lock,
            schedule_at=at,
            connection=await driver_connection(session),
        )
        try:
            await deferrer.defer_async(**arguments)
        except ConnectorException as error:
            raise (outage(error) or error) from error

    async def withdraw(self, session: AsyncSession, lock: str) -> None:
        """Delete this lock's jobs that no worker has started, in the caller's transaction.

        Jobs of one lock run in order: one that waits for its time would delay all later ones.
        """
        await session.execute(_WITHDRAW, {"lock": lock})
