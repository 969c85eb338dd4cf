"""Hand on the jobs of dead workers: Procrastinate finds stalled jobs but does not recover them.

A stalled job is ended and replaced by a **new** one, in one transaction.  If the same row were
retried, a worker that was only suspended could come back and finish its successor's job.
"""

from __future__ import annotations

import asyncio
import time

import psycopg
from procrastinate.types import JSONDict
from psycopg.rows import TupleRow
from psycopg.types.json import Jsonb

from whence.db.database import RECONNECT_SECONDS
from whence.db.failures import outage
from whence.kernel import metrics
from whence.kernel.log import get
from whence.kernel.stopping import stop_if_cancelled

SWEEP_SECONDS = 2.0
FORGET_SECONDS = 3600.0
"""A worker that was silent for this long is deleted; if it comes back, it registers again."""
_STALLED = """
    SELECT job.id, job.worker_id FROM jobs.procrastinate_jobs AS job
    LEFT JOIN jobs.procrastinate_workers AS worker ON worker.id = job.worker_id
    WHERE job.status = 'doing'
      AND (worker.id IS NULL OR worker.last_heartbeat < now() - make_interval(secs => %s))
    ORDER BY job.id
"""
_TAKE = """
    SELECT queue_name, task_name, priority, lock, args FROM jobs.procrastinate_jobs
    WHERE id = %s AND status = 'doing' AND worker_id IS NOT DISTINCT FROM %s
    FOR UPDATE SKIP LOCKED
"""
_AGAIN = """
    INSERT INTO jobs.procrastinate_jobs (queue_name, task_name, priority, lock, args)
    VALUES (%s, %s, %s, %s, %s)
"""
_FORGET = """
    DELETE FROM jobs.procrastinate_workers AS worker
    WHERE last_heartbeat < now() - make_interval(secs => %s)
      AND NOT EXISTS (SELECT FROM jobs.procrastinate_jobs WHERE worker_id = worker.id)
"""
_Connection = psycopg.AsyncConnection[TupleRow]
_log = get("work.sweeper")


async def sweep(connection: _Connection, stalled_seconds: float) -> int:
    """Hand on every job whose worker has been silent for `stalled_seconds`; returns how many.

    `connection` is in autocommit mode.  Also deletes workers that are long gone.
    """
    handed_on = 0
    failed: psycopg.Error | None = None
    stalled = await (await connection.execute(_STALLED, (stalled_seconds,))).fetchall()
    for job_id, worker_id in stalled:
        try:
            async with connection.transaction():
                handed_on += await _hand_on(connection, job_id, worker_id)
        except psycopg.Error as error:
            if outage(error):
                raise
            failed = error  # one job that cannot be handed on does not block the others
    if failed:
        raise failed
    await connection.execute(_FORGET, (max(stalled_seconds, FORGET_SECONDS),))
    return handed_on


async def sweep_forever(conninfo: str, stalled_seconds: float) -> None:
    """Sweep until cancelled; an outage is retried at the next sweep."""
    watch = _Watch(stalled_seconds)
    while True:
        try:
            connecting = psycopg.AsyncConnection.connect(conninfo, autocommit=True)
            async with await connecting as connection:
                await _sweep_on(connection, watch)
        except psycopg.Error as error:
            _log.warning("sweep failed, will try again", error=repr(error))
            if outage(error):
                watch.was_cut_off()
        except Exception as error:  # noqa: BLE001 (the edge of the process: a sweeper continues)
            _log.error("sweep failed unexpectedly, will try again", exc_info=error)
        stop_if_cancelled()
        await asyncio.sleep(SWEEP_SECONDS)


async def _sweep_on(connection: _Connection, watch: _Watch) -> None:
    while True:
        if await watch.is_trusted(connection):
            handed_on = await sweep(connection, watch.stalled_seconds)
            metrics.swept(handed_on)
            if handed_on:
                _log.warning("handed on stalled jobs", jobs=handed_on)
        stop_if_cancelled()
        await asyncio.sleep(SWEEP_SECONDS)


class _Watch:
    """Whether a worker's silence means that it is dead; not after an outage or a suspension.

    The sweeper keeps one connection, so that it notices a restart of the database, and reads the
    database's clock, so that it notices if the whole machine was suspended.
    """

    def __init__(self, stalled_seconds: float) -> None:
        self.stalled_seconds = stalled_seconds
        self._looked_at: float | None = None
        """The time of the last sweep, by the database's clock."""
        self._trusted_at = 0.0

    def was_cut_off(self) -> None:
        """Note that the database did not answer: living workers need time to beat again."""
        self._looked_at = None
        self._trusted_at = (
            time.monotonic() + SWEEP_SECONDS + RECONNECT_SECONDS + self.stalled_seconds
        )

    async def is_trusted(self, connection: _Connection) -> bool:
        """Whether every living worker has had the time to send a heartbeat."""
        clock = await connection.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
        [(at,)] = await clock.fetchall()
        before, self._looked_at = self._looked_at, at
        if before is not None and at - before > SWEEP_SECONDS + self.stalled_seconds / 2:
            self._trusted_at = time.monotonic() + self.stalled_seconds
        return time.monotonic() >= self._trusted_at


async def _hand_on(connection: _Connection, job_id: int, worker_id: int | None) -> bool:
    row = await (await connection.execute(_TAKE, (job_id, worker_id))).fetchone()
    if row is None:
        return False
    queue, task, priority, lock, stored = row
    arguments: JSONDict = stored
    await connection.execute(
        "SELECT jobs.procrastinate_finish_job_v1(%s, 'failed', true)", (job_id,)
    )
    await connection.execute(_AGAIN, (queue, task, priority, lock, Jsonb(arguments)))
    return True
