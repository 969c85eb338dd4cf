"""A worker that does not know a job's type leaves the job to others, as in an upgrade."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from whence.app.platform import Platform
from whence.work import unknown_types
from whence.work.context import JobContext
from whence.work.submission import Submission
from whence.work.tables import WorkItem
from work.desk import Desk, Number

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(platform: Platform) -> Desk:
    return Desk(platform)


async def double(payload: Number, job: JobContext) -> Number:
    return Number(number=payload.number * 2)


async def of_a_newer_version(desk: Desk) -> Submission:
    """A job of the type `desk.newer`, in a queue that this worker serves."""
    submission = await desk.ask(desk.job(double), 21)
    async with desk.platform.unit(desk.platform.owner) as session:
        newer = update(WorkItem).where(WorkItem.id == submission.id).values(type="desk.newer")
        await session.execute(newer)
    return submission


async def test_it_waits_and_says_for_what(desk: Desk) -> None:
    submission = await of_a_newer_version(desk)
    async with desk.working():
        item = await desk.until(submission.id, "paused", "error")
    assert (item.status, item.attempt, item.failures) == ("paused", 0, 0)
    assert item.notice is not None
    assert item.notice.startswith("Waits for a worker that knows the job 'desk.newer'")
    assert item.resume_at is not None


async def test_a_worker_that_knows_it_does_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unknown_types, "WAIT_SECONDS", 0.0)
    submission = await of_a_newer_version(desk)
    async with desk.working():
        await desk.until(submission.id, "paused")
    desk.job(double, "newer")
    async with desk.working():
        item = await desk.until(submission.id)
    assert (item.status, item.result, item.attempt) == ("success", {"number": 42}, 1)
    # It was put back many times, and says so once.
    assert (await desk.events(submission.id)).count("job_paused") == 1
