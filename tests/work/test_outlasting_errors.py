"""A worker's own loops outlast an unexpected error, and what raised it holds up nothing else."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest
from pydantic import model_validator
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.kernel.ids import new_id
from whence.kernel.wire import Wire
from whence.work import cancellation, retention
from whence.work.cancellation import Cancellations
from whence.work.job import Job
from whence.work.retention import Retention, prune_forever
from whence.work.schedules.timing import every
from work.schedules.desk import Desk, nothing

pytestmark = pytest.mark.anyio


class Unforeseen(Exception):
    """What nobody expects of a rule, a pack or a driver."""


async def test_a_retention_rule_that_fails_holds_up_neither_the_others_nor_later_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retention, "PERIOD_SECONDS", 0.01)
    turns, third_turn = 0, asyncio.Event()

    async def fail(before: datetime, most: int) -> int:
        raise Unforeseen

    async def count(before: datetime, most: int) -> int:
        nonlocal turns
        turns += 1
        if turns == 3:
            third_turn.set()
        return 0

    rules = [Retention("failing", 1, fail), Retention("next", 1, count)]
    pruning = asyncio.create_task(prune_forever(rules))
    await asyncio.wait(
        [pruning, asyncio.create_task(third_turn.wait())], return_when="FIRST_COMPLETED"
    )
    assert third_turn.is_set()
    pruning.cancel()
    await asyncio.wait([pruning])
    assert pruning.cancelled()


def asked_to_cancel(database_url: str, platform: Platform, type_: str) -> UUID:
    """Work of this type that is under way and that somebody asked to cancel."""
    work, org = new_id(), platform.owner.org_id
    with psycopg.connect(database_url) as admin:
        admin.execute(
            "INSERT INTO whence.work (org_id, id, type, queue, handler, status, priority,"
            " requested_by, created_at) VALUES (%s, %s, %s, 'desk', 'x', 'running', 0, %s, now())",
            (org, work, type_, platform.owner.user_id),
        )
        admin.execute(
            "INSERT INTO whence.cancel_requests (org_id, id, requested_by) VALUES (%s, %s, %s)",
            (org, work, platform.owner.user_id),
        )
    return work


def status_of(database_url: str, work: UUID) -> Any:
    with psycopg.connect(database_url) as admin:
        query = "SELECT status FROM whence.work WHERE id = %s"
        return admin.execute(query, (work,)).fetchall()


async def test_work_that_cannot_be_ended_holds_up_no_other_that_was_cancelled(
    platform: Platform, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cancellation, "LOOK_SECONDS", 0.05)
    closings = 0

    async def close(session: AsyncSession, work_id: UUID) -> None:
        nonlocal closings
        closings += 1
        raise Unforeseen

    stuck = [asked_to_cancel(database_url, platform, "desk.stuck") for _ in range(2)]
    cancellations = Cancellations(platform.db, platform.bus, {"desk.stuck": close})
    ending = asyncio.create_task(cancellations.end_forever())
    async with asyncio.timeout(60):
        while closings < 4:
            assert not ending.done(), ending.exception()
            await asyncio.sleep(0.01)
    other = asked_to_cancel(database_url, platform, "desk.other")
    async with asyncio.timeout(60):
        while status_of(database_url, other) != [("cancelled",)]:
            assert not ending.done(), ending.exception()
            await asyncio.sleep(0.01)
    assert [status_of(database_url, each) for each in stuck] == [[("running",)]] * 2
    ending.cancel()
    await asyncio.wait([ending])


class Unreadable(Wire):
    """A payload whose own check raises what pydantic does not expect."""

    @model_validator(mode="before")
    @classmethod
    def _check(cls, values: Any) -> Any:
        if values:
            raise Unforeseen
        return values


async def test_a_schedule_whose_payload_raises_is_told_so_and_holds_up_no_other(
    platform: Platform,
) -> None:
    desk = Desk(platform, platform.owner)
    platform.jobs.offer("desk", Job("odd", "A test's job", Unreadable, nothing), pack="desk")
    odd, good = await desk.set(every(hours=1)), await desk.set(every(hours=1))
    await desk.write(odd.id, {"job": "desk.odd", "payload": {"text": "x"}})
    await desk.let_be_due(odd.id, "2 minutes")
    await desk.let_be_due(good.id)
    assert await desk.ticker().tick() == 2
    assert len(await desk.jobs()) == 1
    failed = (await desk.shown(odd.id)).row
    assert (failed.last_outcome, failed.last_error) == (
        "failed",
        "An unexpected error (Unforeseen); the log has the details.",
    )
