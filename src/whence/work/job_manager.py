"""A worker's own queries, made tolerant of database outages.

Procrastinate tries each query once.  A fetch whose answer is lost would leave a job that no worker
runs, a lost final status would leave a job `doing` as long as its worker lives, and one failed
heartbeat would end the heartbeat.
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

ATTEMPTS = 5
"""Attempts to write a job's final status when the error is not an outage."""
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
_log = get("work.job_manager")


class OutageTolerantJobManager(JobManager):
    """Procrastinate's job manager for one worker at a time, tolerant of outages."""

    def __init__(self, connector: PsycopgConnector) -> None:
        super().__init__(connector)
        self._connections = connector
        self._held: dict[int, str] = {}
        """The jobs that this worker holds, by id, with their queues."""
        self.concurrency: Mapping[str, int] = {}
        """How many jobs of each queue this worker may hold at once; other queues have no limit."""
        self._wake: NotificationCallback | None = None
        self._in_doubt = False
        """Whether the database may have assigned this worker jobs that it does not know of."""
        self.is_stopping = False
        """Whether the worker is stopping; then it no longer waits for an outage to end."""
        self.worker_id: int | None = None
        """The worker's id in the database, while it is registered."""

    async def register_worker(self) -> int:
        """Register the worker; returns its id."""
        self.worker_id = await super().register_worker()
        return self.worker_id

    async def prune_stalled_workers(self, seconds_since_heartbeat: float) -> list[int]:
        """Do nothing: the sweeper decides which workers are dead, as it knows about outages."""
        return []

    async def unregister_worker(self, worker_id: int) -> None:
        """Remove the worker's registration."""
        self.worker_id = None
        await super().unregister_worker(worker_id)

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        """The next job; None if there is none, or while the database is away.

        A fetch whose answer was lost may have taken a job: the next fetch gives it back first.
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
        """The queues from which this worker may take another job, in order."""
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

    async def _wake_for_next_job(self) -> None:
        """Fetch again at once, not at the next poll: a queue that was full may have room."""
        if self._wake:
            notification: JobInserted = {"type": "job_inserted", "job_id": 0}
            await self._wake(channel="", notification=notification)

    async def update_heartbeat(self, worker_id: int) -> None:
        """Write the heartbeat; if that fails, the next one is due soon."""
        try:
            await super().update_heartbeat(worker_id)
        except ConnectorException as error:
            _log.warning("heartbeat not written", error=repr(error.__cause__))
            await self.is_outage(error)

    async def listen_for_jobs(
        self, *, on_notification: NotificationCallback, queues: Iterable[str] | None = None
    ) -> None:
        """Listen for new jobs; while that fails, the worker polls."""
        self._wake = on_notification
        while True:
            try:
                return await super().listen_for_jobs(on_notification=on_notification, queues=queues)
            except ConnectorException as error:
                _log.warning(
                    "cannot listen for new jobs, will try again", error=repr(error.__cause__)
                )
                stop_if_cancelled()
                await asyncio.sleep(WAIT_SECONDS)

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        """Write a job's final status, unless another worker has the job now."""
        await self._write_final_status(
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
        """Queue a job for another try, unless another worker has it now."""
        again = super().retry_job
        await self._write_final_status(job, lambda: again(job, retry_at, priority, queue, lock))

    async def _write_final_status(
        self, job: Job, write: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        assert job.id is not None
        attempts = 0
        try:
            while True:
                try:
                    return await write()
                except ConnectorException as error:
                    attempts += 1
                    if isinstance(error.__cause__, psycopg.errors.RaiseException):
                        _log.info("job was handed to another worker", job=job.id)
                        return None
                    _log.warning(
                        "final status of the job not written", job=job.id, attempts=attempts
                    )
                    is_outage = await self.is_outage(error)
                    if self.is_stopping or (attempts == ATTEMPTS and not is_outage):
                        self._in_doubt = True
                        raise
                await asyncio.sleep(WAIT_SECONDS)
        finally:
            self._held.pop(job.id, None)
            await self._wake_for_next_job()

    async def is_outage(self, error: Exception) -> bool:
        """Whether the error is an outage; drops the pool's connections if they reach a standby."""
        stop_if_cancelled()
        reason = outage(error)
        if isinstance(reason, DatabaseReadOnly):
            await self._connections.pool.drain()
        return reason is not None
