"""Ticks: one effect each, whoever looks and whenever; what was missed is made up for by one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from whence.app.platform import Platform
from whence.db.database import Database
from whence.work import status
from whence.work.schedules import ticker as ticker_module
from whence.work.schedules.starting import start
from whence.work.schedules.timing import cron
from whence.work.schedules.values import Change
from work.schedules.desk import Desk

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(platform: Platform) -> Desk:
    return Desk(platform, platform.owner)


@pytest.fixture
async def other(platform: Platform) -> AsyncGenerator[Database]:
    """The connections of a second worker."""
    db = Database(platform.db.conninfo)
    yield db
    await db.close()


async def test_a_schedule_starts_its_job_once_for_each_tick(desk: Desk) -> None:
    row = await desk.set()
    assert await desk.ticker().tick() == 0
    await desk.let_be_due(row.id)
    assert await desk.ticker().tick() == 1
    assert await desk.ticker().tick() == 0
    [job] = await desk.jobs()
    shown = await desk.shown(row.id)
    assert (shown.row.last_outcome, shown.row.last_job_id) == ("started", job.id)
    assert shown.last_job_status == "pending"
    assert shown.row.next_at == row.anchor_at + timedelta(hours=1)


async def test_two_workers_make_one_effect_of_a_tick(
    desk: Desk, other: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = await desk.set()
    await desk.let_be_due(row.id)
    has_started, may_commit = asyncio.Event(), asyncio.Event()

    async def slow(*arguments: Any) -> None:
        await start(*arguments)
        has_started.set()
        await may_commit.wait()

    monkeypatch.setattr(ticker_module, "start", slow)
    first = asyncio.create_task(desk.ticker().tick())
    await has_started.wait()
    async with asyncio.timeout(30):  # it does not wait for the other one
        assert await desk.ticker(other).tick() == 0
    may_commit.set()
    assert await first == 1
    assert await desk.ticker(other).tick() == 0
    assert len(await desk.jobs()) == 1


async def test_many_workers_at_once_make_one_effect_of_each_tick(
    desk: Desk, other: Database
) -> None:
    rows = [await desk.set() for _ in range(5)]
    for row in rows:
        await desk.let_be_due(row.id)
    tickers = [desk.ticker(db) for db in (desk.platform.db, other) for _ in range(3)]
    assert sum(await asyncio.gather(*(each.tick() for each in tickers))) == 5
    assert len(await desk.jobs()) == 5


async def test_a_worker_that_is_lost_within_a_tick_leaves_it_whole_to_another(
    desk: Desk, other: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = await desk.set()
    await desk.let_be_due(row.id)

    async def lost(session: Any, *arguments: Any) -> None:
        await start(session, *arguments)
        pid = (await session.execute(text("SELECT pg_backend_pid()"))).scalar_one()
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(%s, 10000)", (pid,))

    with monkeypatch.context() as patch:
        patch.setattr(ticker_module, "start", lost)
        with pytest.raises(Exception):  # noqa: B017 (whatever a lost connection raises)
            await desk.ticker(other).tick()
    assert await desk.jobs() == []
    assert await desk.ticker().tick() == 1
    assert len(await desk.jobs()) == 1


async def test_ticks_that_were_missed_are_made_up_for_by_one(desk: Desk) -> None:
    row = await desk.set()
    await desk.let_be_due(row.id, "10 hours")
    assert [await desk.ticker().tick() for _ in range(3)] == [1, 0, 0]
    assert len(await desk.jobs()) == 1
    shown = await desk.shown(row.id)
    assert shown.row.next_at
    assert shown.row.last_at
    assert shown.row.next_at > shown.row.last_at


async def test_what_a_pause_missed_is_not_made_up_for(desk: Desk) -> None:
    row = await desk.set()
    schedules, who = desk.platform.schedules, desk.who
    await desk.let_be_due(row.id)
    async with desk.platform.unit(who) as session:
        paused = await schedules.change(session, who, row.id, Change(paused=True))
        assert paused.row.next_at is None
    assert await desk.ticker().tick() == 0
    async with desk.platform.unit(who) as session:
        await schedules.change(session, who, row.id, Change(paused=False))
    assert await desk.ticker().tick() == 0
    assert (await desk.shown(row.id)).row.next_at == row.anchor_at + timedelta(hours=1)


async def test_while_its_last_job_is_under_way_a_tick_starts_no_other(desk: Desk) -> None:
    row = await desk.set()
    for _ in range(2):
        await desk.let_be_due(row.id)
        assert await desk.ticker().tick() == 1
    [job] = await desk.jobs()
    shown = await desk.shown(row.id)
    assert (shown.row.last_outcome, shown.row.last_job_id) == ("skipped", job.id)
    async with desk.platform.unit(desk.who) as session:
        await status.cancel(session, desk.who, job.id)
    await desk.let_be_due(row.id)
    await desk.ticker().tick()
    assert len(await desk.jobs()) == 2


async def test_what_cannot_be_started_is_told_and_holds_up_no_other(desk: Desk) -> None:
    bad, good = await desk.set(), await desk.set()
    await desk.write(bad.id, {"payload": {"gone": 1}})
    await desk.let_be_due(bad.id, "2 minutes")
    await desk.let_be_due(good.id)
    assert await desk.ticker().tick() == 2
    shown = await desk.shown(bad.id)
    assert shown.row.last_outcome == "failed"
    assert "no longer fits the job 'desk.note'" in (shown.row.last_error or "")
    assert shown.row.next_at
    assert shown.row.last_at
    assert shown.row.next_at > shown.row.last_at
    assert len(await desk.jobs()) == 1


async def test_a_schedule_whose_times_are_broken_holds_up_no_other(desk: Desk) -> None:
    bad, good = await desk.set(cron("0 6 * * *")), await desk.set()
    await desk.write(bad.id, {"time_zone": "Mars/Base"})
    await desk.let_be_due(bad.id, "2 minutes")
    await desk.let_be_due(good.id)
    assert await desk.ticker().tick() == 1
    assert len(await desk.jobs()) == 1


async def test_a_worker_leaves_what_it_does_not_know_to_others(desk: Desk) -> None:
    row = await desk.set()
    await desk.write(row.id, {"job": "newer.job"})
    await desk.let_be_due(row.id)
    assert await desk.ticker().tick() == 0
    shown = await desk.shown(row.id)
    assert not shown.is_known
    assert shown.row.last_outcome is None


async def test_only_the_clock_of_the_database_counts(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tomorrow() -> datetime:
        return datetime.now(UTC) + timedelta(days=1)

    for module in [each for name, each in sys.modules.items() if name.startswith("whence.")]:
        if hasattr(module, "now"):
            monkeypatch.setattr(module, "now", tomorrow)
    row = await desk.set()
    assert await desk.ticker().tick() == 0
    await desk.let_be_due(row.id)
    assert await desk.ticker().tick() == 1
    assert (await desk.shown(row.id)).row.next_at == row.anchor_at + timedelta(hours=1)


async def test_a_worker_looks_by_itself(desk: Desk, worker: object) -> None:
    row = await desk.set()
    await desk.let_be_due(row.id)
    async with asyncio.timeout(60):
        while not await desk.jobs():
            await asyncio.sleep(0.05)
