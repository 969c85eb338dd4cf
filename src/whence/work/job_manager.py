"""A worker's own queries, such that they outlast the database's absence.

Procrastinate tries each of them once.  A fetch whose answer is lost would leave a job that nobody
works on, a lost ending would leave one `doing` for as long as its worker lives, and one lost
heartbeat would be the last.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import psycopg
from procrastinate import PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job, JobInserted, Status
from procrastinate.manager import JobManager, NotificationCallback

from whence.db.failures import DatabaseReadOnly, outage
from whence.kernel.log import get
from whence.kernel.stopping import stop_if_cancelled

TRIES = 5
"""Of an ending that cannot be written for another reason than an outage."""
WAIT_SECONDS = 1.0
_GIVE_BACK = """
    UPDATE procrastinate_jobs SET status = 'todo', worker_id = NULL, abort_requested = false
    WHERE status = 'doing' AND worker_id = %(worker_id)s AND NOT id = ANY(%(held)s::bigint[])
"""
_FETCH = """
    SELECT id, status, task_name, priority, lock, queueing_lock, args, scheduled_at, queue_name,
        attempts, worker_id
    FROM whence_fetch_job(%(queues)s::text[], %(worker_id)s)
"""
_log = get("work.bookkeeping")


class OutageTolerantJobManager(JobManager):
    """Procrastinate's job manager for one worker at a time, through outages."""

    def __init__(self, connector: PsycopgConnector) -> None:
        super().__init__(connector)
        self._connections = connector
        self._held: dict[int, str] = {}
        """Jobs that this worker knows to be its own, with their queues."""
        self.concurrency: Mapping[str, int] = {}
        """Jobs that this worker may have at once, by queue; queues not named have no limit."""
        self._wake: NotificationCallback | None = None
        self._in_doubt = False
        """Whether the database may count more jobs as this worker's than it knows of."""
        self.is_stopping = False
        """Once the worker is told to stop, an outage is no longer waited out."""
        self.worker_id: int | None = None
        """The worker as the database knows it, while there is one."""

    async def register_worker(self) -> int:
        """Make the worker known; its id."""
        self.worker_id = await super().register_worker()
        return self.worker_id

    async def prune_stalled_workers(self, seconds_since_heartbeat: float) -> list[int]:
        """None: who is dead is for the sweeper to say, which knows when silence means nothing."""
        return []

    async def unregister_worker(self, worker_id: int) -> None:
        """The worker is no more."""
        self.worker_id = None
        await super().unregister_worker(worker_id)

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        """The next job; None where there is none, and while the database is away.

        A fetch without an answer may have taken a job: it is given back before the next fetch.
        """
        try:
            if self._in_doubt:
                held = list(self._held)
                await self._connections.execute_query_async(
                    _GIVE_BACK, worker_id=worker_id, held=held
                )
                self._in_doubt = False
            job = await self._fetch(self._with_room(queues), worker_id)
        except ConnectorException as error:
            self._in_doubt = True
            if not await self.is_outage(error):
                raise
            return None
        if job and job.id is not None:
            self._held[job.id] = job.queue
        return job

    def _with_room(self, queues: Iterable[str] | None) -> list[str]:
        """The queues of which this worker may take another job, in their order."""
        held = Counter(self._held.values())
        return [
            queue for queue in queues or () if held[queue] < self.concurrency.get(queue, math.inf)
        ]

    async def _fetch(self, queues: Sequence[str], worker_id: int) -> Job | None:
        if not queues:
            return None
        row = await self._connections.execute_query_one_async(
            _FETCH, queues=list(queues), worker_id=worker_id
        )
        return Job.from_row(row) if row["id"] is not None else None

    async def _has_room_again(self) -> None:
        """A queue that was full has room: look for its next job at once, not at the next poll."""
        if self._wake:
            notification: JobInserted = {"type": "job_inserted", "job_id": 0}
            await self._wake(channel="", notification=notification)

    async def update_heartbeat(self, worker_id: int) -> None:
        """Say that the worker is alive; where that fails, the next heartbeat says it."""
        try:
            await super().update_heartbeat(worker_id)
        except ConnectorException as error:
            _log.warning("heartbeat not written", error=repr(error.__cause__))
            await self.is_outage(error)

    async def listen_for_jobs(
        self, *, on_notification: NotificationCallback, queues: Iterable[str] | None = None
    ) -> None:
        """Hear of new jobs at once; while that fails, the worker polls."""
        self._wake = on_notification
        while True:
            try:
                return await super().listen_for_jobs(on_notification=on_notification, queues=queues)
            except ConnectorException as error:
                _log.warning("not told of new jobs, will try again", error=repr(error.__cause__))
                stop_if_cancelled()
                await asyncio.sleep(WAIT_SECONDS)

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        """Set a job to its final state, or leave it to whoever has it now."""
        await self._insist(
            job, lambda: super(OutageTolerantJobManager, self).finish_job(job, status, delete_job)
        )

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
        await self._insist(job, lambda: again(job, retry_at, priority, queue, lock))

    async def _insist(self, job: Job, write: Callable[[], Coroutine[Any, Any, None]]) -> None:
        assert job.id is not None
        tries = 0
        try:
            while True:
                try:
                    return await write()
                except ConnectorException as error:
                    tries += 1
                    if isinstance(error.__cause__, psycopg.errors.RaiseException):
                        _log.info("job was handed on meanwhile", job=job.id)
                        return None
                    _log.warning("job's ending not written", job=job.id, tried=tries)
                    is_outage = await self.is_outage(error)
                    if self.is_stopping or (tries == TRIES and not is_outage):
                        self._in_doubt = True
                        raise
                await asyncio.sleep(WAIT_SECONDS)
        finally:
            self._held.pop(job.id, None)
            await self._has_room_again()

    async def is_outage(self, error: Exception) -> bool:
        """Whether waiting helps.  Connections that lead to a standby are given up."""
        stop_if_cancelled()
        reason = outage(error)
        if isinstance(reason, DatabaseReadOnly):
            await self._connections.pool.drain()
        return reason is not None
