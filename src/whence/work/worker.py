"""One worker process' share of the queue: take jobs, say that it is alive, sweep after the dead."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass

from whence.kernel.log import get
from whence.kernel.stopping import is_stopping
from whence.work.heartbeat import heartbeat_thread
from whence.work.queue import JobQueue
from whence.work.sweeper import sweep_forever

GRACE_SECONDS = 5.0
"""After a request to stop, jobs may finish for this long; then they are cancelled and hand back."""

POLL_SECONDS = 1.0
"""How often scheduled jobs are looked for; new ones are told by a notification at once."""

RESTART_SECONDS = 1.0
"""Pause before a worker that ended by itself, or could not begin, begins again."""

_log = get("work.worker")


@dataclass(frozen=True)
class WorkerOptions:
    """How a worker works: jobs at once, and the seconds of its heartbeat and of silence allowed."""

    concurrency: Mapping[str, int]
    """Jobs at once, by queue; a queue earlier in the order is looked at first."""
    heartbeat_seconds: float
    stalled_seconds: float
    grace_seconds: float = GRACE_SECONDS


async def work(queue: JobQueue, conninfo: str, options: WorkerOptions) -> None:
    """Take jobs until this task is cancelled, then stop within the grace.

    The database may go away and come back: the job manager waits for it while jobs continue.  A
    worker that ends all the same begins again, and its work is handed on like a dead worker's.
    """
    sweeper = asyncio.create_task(sweep_forever(conninfo, options.stalled_seconds))
    heartbeat = heartbeat_thread(
        conninfo, options.heartbeat_seconds, lambda: queue.job_manager.worker_id
    )
    try:
        async with heartbeat:
            while not is_stopping():
                try:
                    await _run(queue, options)
                    _log.warning("worker ended by itself, starting again")
                except Exception as error:  # noqa: BLE001 (the edge of the process: a worker continues)
                    _log.warning("worker failed, starting again", error=repr(error))
                    await queue.job_manager.is_outage(error)
                if not is_stopping():
                    await asyncio.sleep(RESTART_SECONDS)
    finally:
        sweeper.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sweeper


async def _run(queue: JobQueue, options: WorkerOptions) -> None:
    queue.job_manager.is_stopping = False
    queue.job_manager.concurrency = options.concurrency
    running = asyncio.create_task(
        queue.app.run_worker_async(
            queues=list(options.concurrency),
            concurrency=sum(options.concurrency.values()),
            install_signal_handlers=False,
            update_heartbeat_interval=options.heartbeat_seconds,
            stalled_worker_timeout=options.stalled_seconds,
            shutdown_graceful_timeout=options.grace_seconds,
            fetch_job_polling_interval=POLL_SECONDS,
        ),
        name="queue-worker",
    )
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        queue.job_manager.is_stopping = True
        running.cancel()
        await asyncio.wait([running])
        raise
