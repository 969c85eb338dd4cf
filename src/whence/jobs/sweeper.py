"""Hands the jobs of dead workers on: Procrastinate finds stalled jobs but does not recover them.

A stalled job is ended and a **new** one takes its place, in one transaction.  Retrying the same
row would let a worker that was only paused come back and finish its successor's job.
"""

from __future__ import annotations

import asyncio
import time

import psycopg
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job
from procrastinate.types import JSONDict
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from whence.db.database import RECONNECT_SECONDS
from whence.db.failures import outage
from whence.jobs.queue import JobQueue
from whence.kernel import metrics
from whence.kernel.log import get
from whence.kernel.stopping import stop_if_told

SWEEP_SECONDS = 2.0
_log = get("jobs.sweeper")


async def sweep(queue: JobQueue, conninfo: str, stalled_seconds: float) -> int:
    """Hand on every job whose worker has been silent for `stalled_seconds`; how many there were."""
    handed = 0
    failed: psycopg.Error | None = None
    for job in await _stalled(queue, stalled_seconds):
        try:
            async with await psycopg.AsyncConnection.connect(conninfo) as connection:
                handed += await _hand_on(connection, job)
        except psycopg.Error as error:
            if outage(error):
                raise
            failed = error  # a job that cannot be handed on holds up no other
    if failed:
        raise failed
    return handed


async def sweep_forever(queue: JobQueue, conninfo: str, stalled_seconds: float) -> None:
    """Sweep until cancelled; a database that is away is tried again at the next turn.

    Nobody could say that he is alive while it was away: for a while after it nobody is called dead.
    """
    trusted_at = 0.0
    while True:
        try:
            if time.monotonic() < trusted_at:
                await _stalled(queue, stalled_seconds)  # is it there, without a break?
            else:
                handed = await sweep(queue, conninfo, stalled_seconds)
                metrics.swept(handed)
                if handed:
                    _log.warning("handed on stalled jobs", jobs=handed)
        except (ConnectorException, psycopg.Error) as error:
            _log.warning("sweep failed, will try again", error=repr(error.__cause__ or error))
            if outage(error):
                trusted_at = time.monotonic() + SWEEP_SECONDS + RECONNECT_SECONDS + stalled_seconds
        except Exception as error:  # noqa: BLE001 (the edge of the process: a sweeper goes on)
            _log.error("sweep failed unexpectedly, will try again", exc_info=error)
        stop_if_told()
        await asyncio.sleep(SWEEP_SECONDS)


async def _stalled(queue: JobQueue, stalled_seconds: float) -> list[Job]:
    manager = queue.app.job_manager
    return list(await manager.get_stalled_jobs(seconds_since_heartbeat=stalled_seconds))


async def _hand_on(connection: psycopg.AsyncConnection, job: Job) -> bool:
    cursor = connection.cursor(row_factory=dict_row)
    await cursor.execute(
        "SELECT queue_name, task_name, priority, lock, args FROM jobs.procrastinate_jobs "
        "WHERE id = %s AND status = 'doing' AND worker_id IS NOT DISTINCT FROM %s "
        "FOR UPDATE SKIP LOCKED",
        (job.id, job.worker_id),
    )
    row = await cursor.fetchone()
    if row is None:
        return False
    arguments: JSONDict = row["args"]
    await connection.execute("SELECT procrastinate_finish_job_v1(%s, 'failed', true)", (job.id,))
    await connection.execute(
        "INSERT INTO jobs.procrastinate_jobs (queue_name, task_name, priority, lock, args) "
        "VALUES (%s, %s, %s, %s, %s)",
        (row["queue_name"], row["task_name"], row["priority"], row["lock"], Jsonb(arguments)),
    )
    return True
