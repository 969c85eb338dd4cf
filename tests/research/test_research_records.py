"""The job that asks for research of a kind's records: which, in which order, and for whom."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update

from whence.app import build
from whence.app.platform import Platform
from whence.records import store
from whence.research import research_records as module
from whence.research.research_records import (
    RESEARCH_RECORDS,
    RecordResearch,
    ResearchRecords,
)
from whence.research.tables import Run
from whence.work import status
from whence.work.submission import JustEnded, Submission
from whence.work.tables import FINISHED, WorkItem

pytestmark = pytest.mark.anyio


async def note(platform: Platform, title: str, text: str = "one two") -> UUID:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        record = kind.record.model_validate({"title": title, "text": text})
        return (await store.create(session, platform.owner, kind, record)).id


async def research(platform: Platform, **payload: Any) -> WorkItem:
    """Queue the job, and wait for its end."""
    who = platform.owner
    async with platform.unit(who) as session:
        wanted = ResearchRecords.model_validate({"kind": "notes", **payload})
        job_id = (await platform.jobs.enqueue(session, who, RESEARCH_RECORDS, wanted)).id
    async with asyncio.timeout(60):
        while True:
            async with platform.unit(who) as session:
                item = await status.get(session, job_id)
            if item.status in FINISHED:
                return item
            await asyncio.sleep(0.05)


async def researched(platform: Platform) -> list[UUID]:
    async with platform.unit(platform.owner) as session:
        return [*await session.scalars(select(Run.subject_id).order_by(Run.created_at))]


async def test_records_that_meet_the_filters_are_researched(
    platform: Platform, worker: object
) -> None:
    wanted = await note(platform, "A")
    await note(platform, "B")
    item = await research(platform, filters={"title": ["A"]})
    assert item.status == "success", item.error
    assert item.result == {"started": 1, "underWay": 0, "notReady": 0}
    assert (item.progress_done, item.progress_total) == (1, 1)
    assert await researched(platform) == [wanted]


async def test_those_that_wait_longest_come_first(platform: Platform, worker: object) -> None:
    first, second, third = [await note(platform, title) for title in "ABC"]
    for subject_id in (second, first):
        async with platform.unit(platform.owner) as session:
            await platform.ask(session, platform.owner, platform.kind("notes"), subject_id)
    async with asyncio.timeout(60):
        while True:
            async with platform.unit(platform.owner) as session:
                states = [*await session.scalars(select(Run.status))]
            if all(state in FINISHED for state in states):
                break
            await asyncio.sleep(0.05)
    await research(platform, most=2)
    assert await researched(platform) == [second, first, third, second]


async def test_records_that_are_not_ready_or_under_way_are_counted(platform: Platform) -> None:
    await note(platform, "empty", text="")
    busy = await note(platform, "busy")
    await note(platform, "free")
    async with platform.unit(platform.owner) as session:
        submitted = await platform.ask(session, platform.owner, platform.kind("notes"), busy)
        waits = update(WorkItem).where(WorkItem.id == submitted.id).values(status="paused")
        await session.execute(waits)  # for a person, so that no worker ends it
    async with build.worker(platform):
        item = await research(platform)
    assert item.result == {"started": 1, "underWay": 1, "notReady": 1}


async def test_a_later_attempt_goes_on_where_the_last_one_ended(
    platform: Platform, worker: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 2)
    monkeypatch.setattr("whence.work.transitions.FIRST_PAUSE_SECONDS", 0.05)
    for title in "ABCDE":
        await note(platform, title)
    request, crashes = module._ask, iter([False] * 3 + [True] + [False] * 10)

    async def crashing(*arguments: Any) -> str:
        if next(crashes):
            raise RuntimeError("lost")
        return await request(*arguments)

    monkeypatch.setattr(module, "_ask", crashing)
    item = await research(platform)
    assert (item.status, item.attempt) == ("success", 2)
    assert item.result == {"started": 5, "underWay": 0, "notReady": 0}
    assert len(await researched(platform)) == 5


async def test_research_that_ends_while_it_is_asked_for_fails_nothing(
    platform: Platform, worker: object
) -> None:
    for title in "AB":
        await note(platform, title)
    service = platform.services.get(RecordResearch)
    ask, refusals = service.ask, iter([True, False])

    async def ended(*arguments: Any, **more: Any) -> Submission:
        if next(refusals):
            raise JustEnded
        return await ask(*arguments, **more)

    object.__setattr__(service, "ask", ended)
    item = await research(platform)
    assert (item.status, item.result) == (
        "success",
        {"started": 1, "underWay": 1, "notReady": 0},
    )
