"""The job queue: Procrastinate on whence's own database, enqueued in the caller's transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from enum import StrEnum

import procrastinate
from procrastinate.jobs import DeleteJobCondition
from procrastinate.types import JSONValue
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import driver_connection

Handler = Callable[..., Awaitable[None]]
QUEUE = "whence"


class Priority(StrEnum):
    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"

    @property
    def number(self) -> int:
        """The queue's order: a higher number is taken first."""
        return {"low": -10, "normal": 0, "high": 10}[self.value]


class JobQueue:
    """Names jobs, enqueues them, and gives the worker its Procrastinate app."""

    def __init__(self, conninfo: str) -> None:
        self._connector = procrastinate.PsycopgConnector(conninfo=conninfo, min_size=1, max_size=4)
        self.app = procrastinate.App(
            connector=self._connector,
            worker_defaults={"delete_jobs": DeleteJobCondition.ALWAYS.value},
        )

    def handle(self, name: str, handler: Handler) -> None:
        """Let the worker run `handler(**arguments)` for jobs of this name."""
        self.app.task(name=name, queue=QUEUE)(handler)

    async def open(self) -> None:
        """Open the queue's own connections."""
        await self.app.open_async()

    async def close(self) -> None:
        """Close them."""
        await self.app.close_async()

    async def enqueue(
        self,
        session: AsyncSession,
        name: str,
        arguments: Mapping[str, JSONValue],
        *,
        priority: int = 0,
        lock: str | None = None,
        at: datetime | None = None,
    ) -> None:
        """Add a job in the caller's transaction: it exists exactly when that commits.

        Jobs with the same `lock` never run at once.  `at` is the earliest time to start.
        """
        deferrer = self.app.configure_task(
            name,
            queue=QUEUE,
            priority=priority,
            lock=lock,
            schedule_at=at,
            connection=await driver_connection(session),
        )
        await deferrer.defer_async(**arguments)
