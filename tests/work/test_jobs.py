"""Jobs of a pack: typed, fenced, tried again, cancelled, and each in a queue of its own."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from whence.app.platform import Platform
from whence.kernel.errors import (
    Conflict,
    Forbidden,
    Invalid,
    StaleAttempt,
    Unavailable,
)
from whence.tenancy.principal import Scope
from whence.work import status, transitions
from whence.work.context import JobContext
from whence.work.job import Job
from whence.work.submission import Submission
from work.desk import Desk, Number

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(platform: Platform) -> Desk:
    return Desk(platform)


async def test_a_job_runs_with_its_payload_and_keeps_its_result(desk: Desk) -> None:
    async def double(payload: Number, job: JobContext) -> Number:
        await job.progress(1, 2, "half")
        await job.progress(2, 2)
        return Number(number=payload.number * 2)

    submission = await desk.ask(desk.job(double), 21)
    async with desk.working():
        item = await desk.until(submission.id)
    assert (item.status, item.result, item.attempt) == ("success", {"number": 42}, 1)
    assert (item.progress_done, item.progress_total, item.progress_message) == (2, 2, "half")
    progress = ["job_progress", "job_progress"]
    messages = ["job_queued", "job_started", *progress, "job_complete"]
    assert await desk.events(submission.id) == messages


async def test_a_job_exists_exactly_when_its_transaction_commits(desk: Desk) -> None:
    async def nothing(payload: Number, job: JobContext) -> None: ...

    job, owner = desk.job(nothing), desk.platform.owner
    with contextlib.suppress(ZeroDivisionError):
        async with desk.platform.unit(owner) as session:
            await desk.platform.jobs.enqueue(session, owner, job, Number())
            raise ZeroDivisionError
    async with desk.platform.unit(owner) as session:
        assert await status.listed(session) == []
        assert await session.scalar(text("SELECT count(*) FROM jobs.procrastinate_jobs")) == 0


async def test_one_active_job_of_a_key(desk: Desk) -> None:
    async def nothing(payload: Number, job: JobContext) -> None: ...

    job = desk.job(nothing)
    first = await desk.ask(job, key="a")
    assert await desk.ask(job, key="a") == Submission(first.id, created=False)
    assert (await desk.ask(job, key="b")).created
    async with desk.working():
        await desk.until(first.id)
    again = await desk.ask(job, key="a")
    assert again.created
    assert again.id != first.id


async def test_whoever_may_only_read_queues_nothing(desk: Desk) -> None:
    async def nothing(payload: Number, job: JobContext) -> None: ...

    job = desk.job(nothing)
    reader = replace(desk.platform.owner, scopes=frozenset({Scope.READ}))
    async with desk.platform.unit(reader) as session:
        with pytest.raises(Forbidden, match="write"):
            await desk.platform.jobs.enqueue(session, reader, job, Number())


async def test_an_outage_pauses_and_the_state_that_was_saved_is_gone_on_from(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.05)
    began: list[Any] = []

    async def steps(payload: Number, job: JobContext) -> Number:
        began.append(dict(job.state))
        if not job.state:
            async with job.fenced() as session:
                await job.save_state(session, {"row": 7})
            raise Unavailable("away")
        return Number(number=job.state["row"])

    submission = await desk.ask(desk.job(steps))
    async with desk.working():
        item = await desk.until(submission.id)
    assert (item.status, item.result, item.attempt) == ("success", {"number": 7}, 2)
    assert began == [{}, {"row": 7}]
    assert "job_paused" in await desk.events(submission.id)


async def test_an_unexpected_error_is_tried_as_often_as_declared_and_a_refusal_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.05)

    async def crash(payload: Number, job: JobContext) -> None:
        raise ZeroDivisionError

    async def refuse(payload: Number, job: JobContext) -> None:
        raise Invalid("This file has no columns.")

    crashing = await desk.ask(desk.job(crash, "crash", attempts=2))
    refusing = await desk.ask(desk.job(refuse, "refuse"))
    async with desk.working():
        crashed, refused = await desk.until(crashing.id), await desk.until(refusing.id)
    assert (crashed.status, crashed.attempt) == ("error", 2)
    assert (refused.status, refused.attempt) == ("error", 1)
    assert refused.error == {"type": "Invalid", "message": "This file has no columns."}


async def test_a_cancelled_job_stops_and_writes_no_more(desk: Desk) -> None:
    began, stopped = asyncio.Event(), asyncio.Event()
    contexts: list[JobContext] = []

    async def endless(payload: Number, job: JobContext) -> None:
        contexts.append(job)
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    submission = await desk.ask(desk.job(endless))
    owner = desk.platform.owner
    async with desk.working():
        await asyncio.wait_for(began.wait(), 60)
        async with desk.platform.unit(owner) as session:
            await status.cancel(session, owner, submission.id)
        await asyncio.wait_for(stopped.wait(), 60)
    assert (await desk.item(submission.id)).status == "cancelled"
    with pytest.raises(StaleAttempt):
        async with contexts[0].fenced():
            pass


async def test_cancelling_does_not_wait_for_a_long_write(desk: Desk) -> None:
    began = asyncio.Event()

    async def writes(payload: Number, job: JobContext) -> None:
        async with job.fenced() as session:
            await job.save_state(session, {"written": True})
            began.set()
            await asyncio.Event().wait()

    submission = await desk.ask(desk.job(writes))
    owner = desk.platform.owner
    async with desk.working():
        await asyncio.wait_for(began.wait(), 60)
        async with desk.platform.unit(owner) as session:
            await session.execute(text("SET LOCAL lock_timeout = '1s'"))
            assert (await status.cancel(session, owner, submission.id)).status == "running"
        item = await desk.until(submission.id)
    assert (item.status, item.state) == ("cancelled", {})
    assert (await desk.events(submission.id))[-1] == "job_complete"


async def test_a_worker_that_stops_hands_its_job_back_without_spending_a_retry(desk: Desk) -> None:
    began = asyncio.Event()

    async def waits(payload: Number, job: JobContext) -> None:
        if not began.is_set():
            began.set()
            await asyncio.Event().wait()

    submission = await desk.ask(desk.job(waits))
    async with desk.working():
        await asyncio.wait_for(began.wait(), 60)
    item = await desk.item(submission.id)
    assert (item.status, item.failures) == ("pending", 0)
    async with desk.working():
        assert (await desk.until(submission.id)).status == "success"


async def test_a_job_that_works_too_long_is_stopped(desk: Desk) -> None:
    async def endless(payload: Number, job: JobContext) -> None:
        await asyncio.Event().wait()

    submission = await desk.ask(desk.job(endless, time_limit_seconds=0.2))
    async with desk.working():
        item = await desk.until(submission.id)
    assert item.status == "error"
    assert item.error is not None
    assert item.error["type"] == "OutOfTime"


async def test_only_paused_and_failed_jobs_are_resumed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_well: list[bool] = []

    async def fails_once(payload: Number, job: JobContext) -> None:
        if not is_well:
            raise Invalid("not yet")

    submission = await desk.ask(desk.job(fails_once))
    platform, owner = desk.platform, desk.platform.owner
    async with desk.working():
        assert (await desk.until(submission.id)).status == "error"
        is_well.append(True)
        async with platform.unit(owner) as session:
            await status.resume(session, platform.queue, owner, submission.id)
        assert (await desk.until(submission.id)).status == "success"
        with pytest.raises(Conflict, match="success"):
            async with platform.unit(owner) as session:
                await status.resume(session, platform.queue, owner, submission.id)


async def test_a_queue_runs_no_more_at_once_than_it_declares_and_holds_up_no_other(
    desk: Desk,
) -> None:
    at_once: list[int] = []
    release = asyncio.Event()
    running = 0

    async def busy(payload: Number, job: JobContext) -> None:
        nonlocal running
        running += 1
        at_once.append(running)
        await release.wait()
        running -= 1

    async def quick(payload: Number, job: JobContext) -> None: ...

    job = desk.job(busy)
    desk.platform.jobs.limit("desk", 2)
    other = Job("quick", "A job of another pack", Number, quick)
    desk.platform.jobs.offer("other", other, pack="other")
    jobs = [await desk.ask(job) for _ in range(6)]
    late = await desk.ask(other)
    async with desk.working():
        assert (await desk.until(late.id)).status == "success"
        release.set()
        for each in jobs:
            assert (await desk.until(each.id)).status == "success"
    assert max(at_once) == 2
