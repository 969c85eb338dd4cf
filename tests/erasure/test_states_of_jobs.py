"""A job whose saved state mentions an erased record goes on where it was, without the mention."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update

from erasure.traces import MARKER, ended, note, researched, tables_with
from whence.app import build
from whence.research.research_records import RESEARCH_RECORDS, ResearchRecords
from whence.research.tables import Run
from whence.work.context import JobContext
from whence.work.tables import WorkItem
from work.desk import Desk, Number

pytestmark = pytest.mark.anyio
NIL = str(UUID(int=0))


async def erase(platform: Any, record: UUID, *names: str) -> None:
    await platform.eraser.erase(
        platform.owner, "notes", str(record), "asked for", also_known_as=names
    )


async def item(platform: Any, job: UUID) -> WorkItem:
    async with platform.unit(platform.owner) as session:
        return (await session.scalars(select(WorkItem).where(WorkItem.id == job))).one()


async def with_state(platform: Any, state: dict[str, Any], status: str = "pending") -> UUID:
    """A job that requests research of notes, and has saved this state."""
    who = platform.owner
    async with platform.unit(who) as session:
        payload = ResearchRecords(kind="notes")
        job = (await platform.jobs.enqueue(session, who, RESEARCH_RECORDS, payload)).id
        values = {"state": state, "status": status}
        await session.execute(update(WorkItem).where(WorkItem.id == job).values(values))
    return job


async def test_a_job_that_waits_repeats_nothing_of_what_it_has_done(platform: Any) -> None:
    counted, erased = [await note(platform, title, "one two") for title in "AB"]
    async with build.worker(platform):
        await researched(platform, counted)
    state = {"ids": [str(counted), str(erased)], "done": 1, "started": 1}
    job = await with_state(platform, state)
    await erase(platform, erased)
    async with build.worker(platform):
        await ended(platform, job)
    assert (await item(platform, job)).result == {"started": 1, "underWay": 0, "notReady": 1}
    async with platform.unit(platform.owner) as session:
        assert [*await session.scalars(select(Run.subject_id))] == [counted]


async def test_a_failed_job_resumes_where_it_failed(platform: Any) -> None:
    record = await note(platform, "A", "one two")
    job = await with_state(platform, {"ids": [str(record)], "done": 1}, "error")
    await erase(platform, record)
    assert (await item(platform, job)).state == {"ids": [NIL], "done": 1}


async def test_names_leave_keys_and_texts_of_a_state(platform: Any, database_url: str) -> None:
    record = await note(platform, "A", "one two", f"{MARKER}-1")
    state = {f"{MARKER}-1": {"rows": 3}, "last": [f"{MARKER}-1 of {MARKER}", "B-2"], "page": 7}
    job = await with_state(platform, state)
    await erase(platform, record, MARKER)
    expected = {"[erased]": {"rows": 3}, "last": ["[erased] of [erased]", "B-2"], "page": 7}
    assert (await item(platform, job)).state == expected
    assert tables_with(database_url) == []


async def test_a_job_under_way_writes_the_mention_no_more(platform: Any, database_url: str) -> None:
    record = await note(platform, "A", "one two")
    has_saved, is_erased = asyncio.Event(), asyncio.Event()
    states: list[dict[str, Any]] = []

    async def handle(_: Number, job: JobContext) -> None:
        states.append(dict(job.state))
        state = dict(job.state) or {"ids": [str(record)], "done": 4}
        async with job.fenced() as session:
            await job.save_state(session, state)
        has_saved.set()
        await is_erased.wait()
        async with job.fenced() as session:
            await job.save_state(session, {**state, "done": 5})

    desk = Desk(platform)
    job = desk.job(handle)
    async with desk.working(), asyncio.timeout(60):
        submission = await desk.ask(job)
        await has_saved.wait()
        await erase(platform, record)
        is_erased.set()
        after = await desk.until(submission.id)
    assert (after.status, after.deaths, after.crashes) == ("success", 0, 0)
    assert states == [{}, {"ids": [NIL], "done": 4}]
    assert after.state == {"ids": [NIL], "done": 5}
    assert "whence.work" not in tables_with(database_url, str(record))
