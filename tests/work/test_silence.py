"""Silence is held against a worker only where it could have been heard."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable

import psycopg
import pytest

from whence.app.platform import Platform
from whence.work import sweeper
from whence.work.queue import QUEUE
from whence.work.worker import WorkerOptions, work

pytestmark = pytest.mark.anyio
STALLED_SECONDS = 1.5
SHORT_SECONDS = 0.1
"""Between two looks of a sweeper."""
BREATHES = "UPDATE procrastinate_workers SET last_heartbeat = clock_timestamp()"
HAS_LOOKED = """
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle'
    AND query LIKE '%DELETE FROM jobs.procrastinate_workers%'
"""
"""What a sweeper does last at each look."""
SILENT_FOR = """
    SELECT extract(epoch FROM e.at - w.last_heartbeat)::float8
    FROM procrastinate_events e CROSS JOIN procrastinate_workers w
    JOIN procrastinate_jobs j ON j.id = e.job_id AND j.status = 'todo'
    WHERE e.type = 'deferred'
"""
"""For how long its worker had been silent when the job was handed on, seconds."""


@pytest.fixture
async def admin(
    platform: Platform, database_url: str
) -> AsyncIterator[psycopg.AsyncConnection[tuple[object, ...]]]:
    """With a worker that has taken a job, and says nothing by itself."""
    async with platform.unit(platform.owner) as session:
        await platform.queue.enqueue(session, "note", {"word": "taken"})
    connecting = psycopg.AsyncConnection.connect(database_url, autocommit=True)
    async with await connecting as connection:
        await connection.execute("SET search_path TO jobs")
        await connection.execute(
            "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() + interval '1 hour')"
        )
        await connection.execute(
            "UPDATE procrastinate_jobs SET status = 'doing',"
            " worker_id = (SELECT id FROM procrastinate_workers)"
        )
        yield connection


@pytest.fixture
async def sweeping(
    platform: Platform,
    admin: psycopg.AsyncConnection[tuple[object, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Callable[[], bool]]:
    """A sweeper that has looked around; whether it goes on."""
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", SHORT_SECONDS)
    task = asyncio.create_task(sweeper.sweep_forever(platform.db.conninfo, STALLED_SECONDS))
    async with asyncio.timeout(20):
        while not await (await admin.execute(HAS_LOOKED)).fetchall():
            await asyncio.sleep(0.02)
    yield lambda: not task.done()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def handed_on_after(admin: psycopg.AsyncConnection[tuple[object, ...]]) -> float:
    async with asyncio.timeout(30):
        while not (rows := await (await admin.execute(SILENT_FOR)).fetchall()):
            await asyncio.sleep(0.05)
    [(seconds,)] = rows
    assert isinstance(seconds, float)
    return seconds


async def test_a_worker_is_silent_for_the_time_that_is_allowed_and_no_longer(
    admin: psycopg.AsyncConnection[tuple[object, ...]], sweeping: Callable[[], bool]
) -> None:
    await admin.execute(BREATHES)
    assert await handed_on_after(admin) >= STALLED_SECONDS


async def test_after_an_outage_every_worker_has_the_time_to_come_back(
    admin: psycopg.AsyncConnection[tuple[object, ...]], sweeping: Callable[[], bool]
) -> None:
    await admin.execute(BREATHES)
    await admin.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    come_back = sweeper.RECONNECT_SECONDS + STALLED_SECONDS
    assert await handed_on_after(admin) >= come_back
    assert sweeping()


async def test_after_a_sleep_of_the_whole_machine_every_worker_has_the_time_to_wake_up(
    admin: psycopg.AsyncConnection[tuple[object, ...]], sweeping: Callable[[], bool]
) -> None:
    await admin.execute(BREATHES)
    time.sleep(2 * STALLED_SECONDS)  # the sweeper sleeps as well
    assert await handed_on_after(admin) >= 3 * STALLED_SECONDS
    assert sweeping()


async def test_a_worker_that_begins_does_not_strike_the_silent_ones_off(
    admin: psycopg.AsyncConnection[tuple[object, ...]], platform: Platform
) -> None:
    """Their jobs would then be nobody's, and handed on whatever the sweeper knows of them."""
    await admin.execute(
        "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '10 minutes'"
    )
    [before] = await _workers(admin)
    options = WorkerOptions({QUEUE: 1}, 0.3, STALLED_SECONDS, grace_seconds=0.3)
    working = asyncio.create_task(work(platform.queue, platform.db.conninfo, options))
    async with asyncio.timeout(20):
        while not (there := await _workers(admin)) or there == [before]:
            await asyncio.sleep(0.02)
    working.cancel()
    await asyncio.wait([working])
    assert before in there


async def _workers(admin: psycopg.AsyncConnection[tuple[object, ...]]) -> list[object]:
    rows = await admin.execute("SELECT id FROM procrastinate_workers ORDER BY id")
    return [row[0] for row in await rows.fetchall()]
