"""The sweeper goes on whatever happens to it, and a heartbeat whatever the event loop does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest

from whence.app.platform import Platform
from whence.work import heartbeat as pulse
from whence.work import sweeper
from whence.work.queue import QUEUE
from whence.work.worker import WorkerOptions, work

pytestmark = pytest.mark.anyio


@pytest.fixture
def finished(platform: Platform) -> list[str]:
    """The words of the jobs that ran."""
    words: list[str] = []

    async def note(word: str) -> None:
        words.append(word)

    platform.queue.handle("note", note)
    return words


@asynccontextmanager
async def _working(platform: Platform) -> AsyncGenerator[None]:
    options = WorkerOptions({QUEUE: 2}, 0.3, 1.5, grace_seconds=0.3)
    task = asyncio.create_task(work(platform.queue, platform.db.conninfo, options))
    yield
    task.cancel()
    await asyncio.wait([task])


async def _left_by_the_dead(platform: Platform, url: str, *words: str) -> None:
    """Jobs whose worker died, in this order."""
    async with platform.unit(platform.owner) as session:
        for word in words:
            await platform.queue.enqueue(session, "note", {"word": word})
    with psycopg.connect(url) as connection:
        connection.execute("SET search_path TO jobs")
        connection.execute("UPDATE procrastinate_jobs SET status = 'doing'")


async def _until(words: list[str], word: str) -> None:
    async with asyncio.timeout(60):
        while word not in words:
            await asyncio.sleep(0.02)


async def test_an_unexpected_error_does_not_end_the_sweeping(
    platform: Platform, database_url: str, finished: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.1)
    real, faults = sweeper.sweep, [RuntimeError("nobody expected this"), KeyError("nor this")]

    async def sweep(*args: Any) -> int:
        if faults:
            raise faults.pop()
        return await real(*args)

    monkeypatch.setattr(sweeper, "sweep", sweep)
    await _left_by_the_dead(platform, database_url, "left")
    async with _working(platform):
        await _until(finished, "left")
    assert faults == []


async def test_a_job_that_cannot_be_handed_on_holds_up_no_other(
    platform: Platform, database_url: str, finished: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.1)
    await _left_by_the_dead(platform, database_url, "stuck", "free")
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "ALTER TABLE jobs.procrastinate_jobs ADD CONSTRAINT none_stuck "
            "CHECK (args->>'word' <> 'stuck') NOT VALID"
        )
    async with _working(platform):
        await _until(finished, "free")
    assert finished == ["free"]


def _age(url: str) -> float:
    with psycopg.connect(url) as connection:
        query = "SELECT extract(epoch FROM now() - last_heartbeat) FROM jobs.procrastinate_workers"
        [(seconds,)] = connection.execute(query).fetchall()
    return float(seconds)


@pytest.mark.parametrize(("hung_seconds", "is_alive"), [(60.0, True), (0.5, False)])
async def test_the_heartbeat_speaks_for_a_busy_loop_and_not_for_a_hung_one(
    platform: Platform,
    database_url: str,
    finished: list[str],
    monkeypatch: pytest.MonkeyPatch,
    hung_seconds: float,
    is_alive: bool,
) -> None:
    monkeypatch.setattr(pulse, "HUNG_SECONDS", hung_seconds)
    async with _working(platform):
        await _left_by_the_dead(platform, database_url, "begun")
        await _until(finished, "begun")
        time.sleep(3)  # nothing else happens in this process' event loop
        age = _age(database_url)
    assert (age < 1.5) == is_alive


async def test_a_job_that_another_worker_has_taken_meanwhile_is_left_to_it(
    platform: Platform, database_url: str, finished: list[str]
) -> None:
    await _left_by_the_dead(platform, database_url, "left")
    connecting = psycopg.AsyncConnection.connect(database_url, autocommit=True)
    async with await connecting as connection:
        [(job, _)] = await (await connection.execute(sweeper._STALLED, (1.5,))).fetchall()
        # Between the look and the hand: the job is another worker's by now.
        await connection.execute(
            "WITH one AS (INSERT INTO jobs.procrastinate_workers DEFAULT VALUES RETURNING id)"
            " UPDATE jobs.procrastinate_jobs SET worker_id = one.id FROM one"
        )
        assert await sweeper._hand_on(connection, job, None) is False
        rows = await connection.execute("SELECT status::text FROM jobs.procrastinate_jobs")
        assert await rows.fetchall() == [("doing",)]
