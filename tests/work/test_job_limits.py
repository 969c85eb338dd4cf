"""What a job may cost: workers that die of it, connections, and models."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest
from sqlalchemy import text, update

from whence.app.build import WORKER_POOL_SIZE
from whence.app.platform import Platform
from whence.db.database import POOL_OVERFLOW
from whence.kernel.errors import BudgetExceeded, Unavailable
from whence.llm.runtime import current
from whence.work import transitions
from whence.work.budget import Budget, Spend
from whence.work.context import JobContext
from whence.work.ledger import Ledger
from whence.work.tables import WorkItem
from work.desk import Desk, Number

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(platform: Platform) -> Desk:
    return Desk(platform)


async def test_as_many_jobs_as_a_pack_declares_have_a_connection_at_once(desk: Desk) -> None:
    at_once = WORKER_POOL_SIZE + POOL_OVERFLOW + 1
    held, release = asyncio.Semaphore(0), asyncio.Event()

    async def holds(payload: Number, job: JobContext) -> None:
        async with job.unit() as session:
            await session.execute(text("SELECT 1"))
            held.release()
            await release.wait()

    job = desk.job(holds)
    desk.platform.jobs.limit("desk", at_once)
    jobs = [(await desk.ask(job)).id for _ in range(at_once)]
    async with desk.working():
        async with asyncio.timeout(60):
            for _ in range(at_once):
                await held.acquire()
        release.set()
        for each in jobs:
            assert (await desk.until(each)).status == "success"


@pytest.mark.parametrize(("deaths", "ends"), [(6, "success"), (7, "error")])
async def test_a_job_that_always_takes_its_worker_along_is_given_up(
    desk: Desk, deaths: int, ends: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.01)  # it waits after several deaths

    async def nothing(payload: Number, job: JobContext) -> None: ...

    submission = await desk.ask(desk.job(nothing))
    async with desk.platform.unit(desk.platform.owner) as session:
        died = {"status": "running", "attempt": deaths, "deaths": deaths}
        await session.execute(update(WorkItem).where(WorkItem.id == submission.id).values(died))
    async with desk.working():
        item = await desk.until(submission.id)
    assert item.status == ends
    if ends == "error":
        assert item.error is not None
        assert item.error["type"] == "WorkerDied"


async def test_a_job_that_continues_may_ask_models_for_as_long_as_it_may_work(
    desk: Desk,
) -> None:
    """The seconds of the budget are those of a run; a job declares a limit of its own."""

    async def asks(payload: Number, job: JobContext) -> None:
        runtime = current()
        assert runtime is not None
        await runtime.log.reserve(Spend(calls=1, tokens=500))

    submission = await desk.ask(desk.job(asks, time_limit_seconds=3_600))
    worked = desk.platform.settings.budget_seconds + 1
    async with desk.platform.unit(desk.platform.owner) as session:
        before = {"attempt": 1, "spent_seconds": worked}
        await session.execute(update(WorkItem).where(WorkItem.id == submission.id).values(before))
    async with desk.working():
        item = await desk.until(submission.id)
    assert (item.status, item.spent_calls) == ("success", 1)


async def test_the_models_of_a_job_spend_its_budget_and_no_more(desk: Desk) -> None:
    """Counted under the fence, so that a next attempt opens no new budget."""
    refused: list[str] = []

    async def asks(payload: Number, job: JobContext) -> None:
        ledger = Ledger(job.attempt, "asks", Budget(2, 10_000, Decimal(1), 60))
        held = Spend(calls=1, tokens=500)
        await ledger.reserve(held)
        if job.attempt.number == 1:
            raise Unavailable("away", retry_after=0.05)
        try:
            await ledger.reserve(held)
        except BudgetExceeded as error:
            refused.append(error.message)
            raise

    submission = await desk.ask(desk.job(asks))
    async with desk.working():
        item = await desk.until(submission.id)
    assert (item.status, item.spent_calls, item.attempt) == ("error", 2, 2)
    assert refused == ["The budget of calls is used up."]
