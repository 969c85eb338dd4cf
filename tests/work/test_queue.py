"""The queue: jobs exist exactly when their transaction commits, and none is ever lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from procrastinate.jobs import Status

from whence.db.database import Database
from whence.kernel.clock import now
from whence.work import queue as queue_module
from whence.work.queue import QUEUE, JobQueue, Priority
from whence.work.sweeper import sweep
from whence.work.worker import WorkerOptions, work

pytestmark = pytest.mark.anyio


async def swept(desk: Desk) -> int:
    connecting = psycopg.AsyncConnection.connect(desk.db.conninfo, autocommit=True)
    async with await connecting as connection:
        return await sweep(connection, 1.5)


@dataclass
class Desk:
    """A queue with one kind of job, `note`, and a look at its rows."""

    db: Database
    queue: JobQueue
    admin_url: str
    finished: list[str] = field(default_factory=list)
    act: Callable[[str], Awaitable[None]] | None = None

    async def note(self, word: str) -> None:
        if self.act:
            await self.act(word)
        self.finished.append(word)

    async def enqueue(self, word: str, **more: Any) -> None:
        async with self.db.unit(None) as session:
            await self.queue.enqueue(session, "note", {"word": word}, **more)

    @asynccontextmanager
    async def working(self, concurrency: int = 1, **more: Any) -> AsyncGenerator[None]:
        options = WorkerOptions({QUEUE: concurrency}, 0.3, 1.5, grace_seconds=0.3, **more)
        task = asyncio.create_task(work(self.queue, self.db.conninfo, options))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def until(self, *words: str, seconds: float = 60) -> None:
        async with asyncio.timeout(seconds):
            while not set(words) <= set(self.finished):
                await asyncio.sleep(0.02)

    def rows(self) -> list[Any]:
        with psycopg.connect(self.admin_url) as connection:
            query = "SELECT id, args->>'word', status::text FROM jobs.procrastinate_jobs ORDER BY 1"
            return connection.execute(query).fetchall()

    def run(self, statement: str) -> None:
        with psycopg.connect(self.admin_url) as connection:
            connection.execute(statement.encode())


@pytest.fixture
async def desk(platform: Any, database_url: str) -> Desk:
    made = Desk(platform.db, platform.queue, database_url)
    made.queue.handle("note", made.note)
    return made


async def test_a_job_of_a_transaction_that_fails_never_existed(desk: Desk) -> None:
    async with desk.db.unit(None) as session:
        await desk.queue.enqueue(session, "note", {"word": "gone"})
        await session.rollback()
    assert desk.rows() == []


async def test_a_job_is_seen_once_its_transaction_commits(desk: Desk) -> None:
    async with desk.db.unit(None) as session:
        await desk.queue.enqueue(session, "note", {"word": "kept"})
        assert desk.rows() == []
    assert [row[1:] for row in desk.rows()] == [("kept", "todo")]


async def test_higher_priorities_are_taken_first_and_equals_in_order(desk: Desk) -> None:
    for word, priority in [
        ("low", Priority.LOW),
        ("normal 1", Priority.NORMAL),
        ("high", Priority.HIGH),
        ("normal 2", Priority.NORMAL),
    ]:
        await desk.enqueue(word, priority=priority.number)
    async with desk.working():
        await desk.until("low")
    assert desk.finished == ["high", "normal 1", "normal 2", "low"]
    assert desk.rows() == []


async def test_jobs_with_one_lock_never_run_at_once(desk: Desk) -> None:
    running = most = 0

    async def count(word: str) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.1)
        running -= 1

    desk.act = count
    for number in range(3):
        await desk.enqueue(f"locked {number}", lock="one")
    async with desk.working(concurrency=4):
        await desk.until("locked 2")
    assert (most, desk.finished) == (1, ["locked 0", "locked 1", "locked 2"])


async def test_a_job_waits_for_its_time(desk: Desk) -> None:
    due = now() + timedelta(seconds=1)
    await desk.enqueue("later", at=due)
    async with desk.working():
        await desk.until("later")
    assert due <= now() < due + timedelta(seconds=3)


async def test_a_waiting_job_is_taken_back_for_one_that_runs_now(desk: Desk) -> None:
    await desk.enqueue("in an hour", lock="one", at=now() + timedelta(hours=1))
    async with desk.db.unit(None) as session:
        await desk.queue.withdraw(session, "one")
        await desk.queue.enqueue(session, "note", {"word": "now"}, lock="one")
    async with desk.working():
        await desk.until("now", seconds=5)
    assert desk.rows() == []


async def test_a_job_that_raises_is_tried_again_and_never_lost(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_module, "FIRST_RETRY_SECONDS", 0.1)
    faults = [ValueError("once"), OSError("twice")]

    async def fail(word: str) -> None:
        if faults:
            raise faults.pop(0)

    desk.act = fail
    await desk.enqueue("stubborn")
    async with desk.working():
        await desk.until("stubborn")
    assert desk.rows() == []


async def test_a_dead_workers_job_is_handed_on_as_a_new_job(desk: Desk) -> None:
    """A worker that was only paused comes back to a job that is no longer its own."""
    began, may_end = asyncio.Event(), asyncio.Event()

    async def stay(word: str) -> None:
        if word == "long" and not began.is_set():
            began.set()
            await may_end.wait()

    desk.act = stay
    await desk.enqueue("long", lock="one", priority=3)
    async with desk.working():
        await asyncio.wait_for(began.wait(), 10)
        [(old, _, status)] = desk.rows()
        assert status == "doing"
        desk.run("UPDATE jobs.procrastinate_workers SET last_heartbeat = now() - interval '1 day'")
        assert await swept(desk) == 1
        [(new, word, _)] = desk.rows()
        assert (word, new > old) == ("long", True)
        # The one that was paused ends its job now; its successor's stays as it is.
        before = desk.rows()
        may_end.set()
        await desk.until("long")
        assert before[0][0] == new
        # And the worker goes on: it takes the successor like any other.
        async with asyncio.timeout(15):
            while desk.finished.count("long") < 2:
                await asyncio.sleep(0.02)
    assert desk.rows() == []


async def test_a_paused_worker_cannot_end_its_successors_job(desk: Desk) -> None:
    await desk.enqueue("long", lock="one", priority=3)
    manager = desk.queue.app.job_manager
    paused = await manager.register_worker()
    job = await manager.fetch_job(queues=[QUEUE], worker_id=paused)
    assert job is not None
    desk.run("UPDATE jobs.procrastinate_workers SET last_heartbeat = now() - interval '1 day'")
    assert await swept(desk) == 1
    successor = await manager.fetch_job(queues=[QUEUE], worker_id=await manager.register_worker())
    assert successor is not None
    assert successor.id != job.id
    assert (successor.priority, successor.lock, successor.task_kwargs) == (
        3,
        "one",
        {"word": "long"},
    )
    await manager.finish_job(job=job, status=Status.SUCCEEDED, delete_job=True)
    await manager.retry_job(job=job, retry_at=now())
    assert desk.rows() == [(successor.id, "long", "doing")]


async def test_two_sweepers_hand_a_job_on_once(desk: Desk) -> None:
    await desk.enqueue("long")
    manager = desk.queue.app.job_manager
    await manager.fetch_job(queues=[QUEUE], worker_id=await manager.register_worker())
    desk.run("UPDATE jobs.procrastinate_workers SET last_heartbeat = now() - interval '1 day'")
    handed = await asyncio.gather(*(swept(desk) for _ in range(4)))
    assert sum(handed) == 1
    assert [row[1:] for row in desk.rows()] == [("long", "todo")]


async def test_the_job_of_a_worker_that_is_alive_stays_with_it(desk: Desk) -> None:
    began = asyncio.Event()

    async def long(word: str) -> None:
        began.set()
        await asyncio.sleep(3)

    desk.act = long
    await desk.enqueue("long")
    async with desk.working():
        await desk.until("long")
    assert desk.finished == ["long"]


async def test_a_worker_outlives_the_loss_of_all_its_connections(desk: Desk) -> None:
    async with desk.working():
        await desk.enqueue("before")
        await desk.until("before")
        desk.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        await asyncio.sleep(0.5)
        await desk.enqueue("after")
        await desk.until("after")


async def test_a_worker_goes_on_after_a_time_in_which_every_query_failed(desk: Desk) -> None:
    """Procrastinate's own worker ends with its first failed query."""
    async with desk.working():
        await desk.enqueue("before")
        await desk.until("before")
        desk.run("REVOKE USAGE ON SCHEMA jobs FROM whence_app")
        await asyncio.sleep(2)
        desk.run("GRANT USAGE ON SCHEMA jobs TO whence_app")
        await desk.enqueue("after")
        await desk.until("after")


async def test_a_job_under_way_when_the_database_goes_is_done_in_the_end(desk: Desk) -> None:
    began, may_end = asyncio.Event(), asyncio.Event()

    async def stay(word: str) -> None:
        began.set()
        await may_end.wait()

    desk.act = stay
    async with desk.working():
        await desk.enqueue("long", lock="one")
        await asyncio.wait_for(began.wait(), 10)
        desk.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        may_end.set()
        async with asyncio.timeout(20):
            while desk.rows():
                await asyncio.sleep(0.05)
    assert "long" in desk.finished
