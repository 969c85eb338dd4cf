"""A worker process: run jobs, send heartbeats, and sweep up after dead workers."""

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
"""Time for running jobs to finish after a request to stop; then they are cancelled and handed back.
"""

POLL_SECONDS = 1.0
"""Time between two polls for jobs that have become due; new jobs send a notification."""

RESTART_SECONDS = 1.0
"""Pause before restarting a worker that ended unexpectedly or could not start."""

_log = get("work.worker")


@dataclass(frozen=True)
class WorkerOptions:
    """A worker's options: concurrency, the heartbeat's interval, and the silence allowed."""

    concurrency: Mapping[str, int]
    """How many jobs of each queue run at once; earlier queues are served first."""
    heartbeat_seconds: float
    stalled_seconds: float
    grace_seconds: float = GRACE_SECONDS


async def work(queue: JobQueue, conninfo: str, options: WorkerOptions) -> None:
    """Run jobs until this task is cancelled, then stop within the grace period.

    The job manager waits out database outages while jobs continue.  A worker that ends anyway is
    restarted, and its work is handed on like that of a dead worker.
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
                    _log.warning("worker ended unexpectedly, restarting")
                except Exception as error:  # noqa: BLE001 (the edge of the process: a worker continues)
                    _log.warning("worker failed, restarting", error=repr(error))
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
