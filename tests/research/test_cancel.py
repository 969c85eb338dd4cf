"""A run is cancelled from any state and from any process, with exactly one final event."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import select, text, update

from whence.kernel.errors import Conflict, Invalid, Unavailable
from whence.kernel.metrics import REGISTRY
from whence.research import runs
from whence.work import cancellation
from whence.work.tables import WorkItem

pytestmark = pytest.mark.anyio


def endings() -> dict[str, float]:
    """How many attempts of this process ended how."""
    return {
        sample.labels["ending"]: sample.value
        for family in REGISTRY.collect()
        for sample in family.samples
        if sample.name == "whence_attempt_endings_total"
    }


async def _is_cancelled_once(bench: Any, run_id: Any) -> None:
    run = await bench.run(run_id)
    assert run.status == "cancelled"
    assert run.completed_at is not None
    final = [event for event in await bench.events(run_id) if event.type == "job_complete"]
    assert [event.payload["status"] for event in final] == ["cancelled"]
    assert (await bench.events(run_id))[-1].type == "job_complete"
    assert all(step.status != "running" for step in await bench.steps(run_id))


async def test_a_pending_run_is_cancelled_and_never_begins(bench: Any) -> None:
    began = asyncio.Event()

    async def node(state: Any, run: Any) -> dict[str, Any]:
        began.set()
        return {}

    flow = bench.flow(node)
    run_id, note = await bench.ask(flow), await bench.note()
    await bench.cancel(run_id)
    async with bench.working(flow):
        await bench.until(await bench.ask(flow, note))
    assert began.is_set()
    assert await bench.steps(run_id) == []
    await _is_cancelled_once(bench, run_id)


@pytest.mark.parametrize("where", ["bench", "elsewhere"])
async def test_a_running_run_is_stopped_in_the_middle_of_a_node(
    bench: Any, request: pytest.FixtureRequest, elsewhere: Any, where: str
) -> None:
    began, stopped, after = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow(state: Any, run: Any) -> dict[str, Any]:
        began.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.set()
            raise
        return {}

    async def later(state: Any, run: Any) -> dict[str, Any]:
        after.set()
        return {}

    flow = bench.flow(slow, later)
    run_id = await bench.ask(flow)
    before = endings()
    async with bench.working(flow):
        await asyncio.wait_for(began.wait(), 10)
        await (elsewhere if where == "elsewhere" else bench).cancel(run_id)
        await asyncio.wait_for(stopped.wait(), 2)
        again = await bench.ask(flow)  # the worker is free for others at once
        began.clear()
        await asyncio.wait_for(began.wait(), 5)
        await bench.cancel(again)
    assert not after.is_set()
    assert endings() == {**before, "cancelled": before.get("cancelled", 0) + 2}
    await _is_cancelled_once(bench, run_id)


async def test_a_run_is_cancelled_in_the_middle_of_a_query(bench: Any) -> None:
    began = asyncio.Event()

    async def query(state: Any, run: Any) -> dict[str, Any]:
        async with run.fenced() as session:
            connection = await session.connection()
            began.set()
            await connection.exec_driver_sql("SELECT pg_sleep(1)")
        return {}

    async def reading(state: Any, run: Any) -> dict[str, Any]:
        async with run.unit() as session:
            connection = await session.connection()
            began.set()
            await connection.exec_driver_sql("SELECT pg_sleep(30)")
        return {}

    for node in (query, reading):
        began.clear()
        flow = bench.flow(node)
        run_id = await bench.ask(flow)
        async with bench.working(flow):
            await asyncio.wait_for(began.wait(), 10)
            await bench.cancel(run_id)
        await _is_cancelled_once(bench, run_id)


@pytest.mark.parametrize("is_told", [True, False], ids=["notified", "notification lost"])
async def test_cancelling_does_not_wait_for_a_long_write(
    bench: Any, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a notification the next fence refuses, and a look at the requests ends the run."""
    monkeypatch.setattr(cancellation, "LOOK_SECONDS", 0.2)
    began, is_cancelled = asyncio.Event(), asyncio.Event()
    ran: list[str] = []

    async def write(state: Any, run: Any) -> dict[str, Any]:
        async with run.fenced():
            began.set()
            if is_told:
                await asyncio.Event().wait()
            await is_cancelled.wait()
        return {}

    async def later(state: Any, run: Any) -> dict[str, Any]:
        ran.append("later")
        return {}

    flow, platform = bench.flow(write, later), bench.platform
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await asyncio.wait_for(began.wait(), 10)
        if not is_told:
            monkeypatch.setattr(platform.bus, "cancelled", lambda run_id: None)
        async with platform.unit(platform.owner) as session:
            await session.execute(text("SET LOCAL lock_timeout = '1s'"))
            run = await runs.cancel(session, platform.owner, run_id)
            assert run.status == "running"
            await runs.cancel(session, platform.owner, run_id)
        is_cancelled.set()
        await bench.until(run_id)
    assert ran == []
    await _is_cancelled_once(bench, run_id)
    async with platform.unit(platform.owner) as session:
        acts = text("SELECT count(*) FROM whence.audit_log WHERE action = 'cancel_research'")
        assert await session.scalar(acts) == 1


async def test_work_that_was_cancelled_while_its_worker_died_is_not_begun_again(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever claims it next ends it."""
    monkeypatch.setattr(cancellation.Cancellations, "end_due", AsyncMock(return_value=False))
    ran: list[str] = []

    async def node(state: Any, run: Any) -> dict[str, Any]:
        ran.append("node")
        return {}

    flow, platform = bench.flow(node), bench.platform
    run_id = await bench.ask(flow)
    async with platform.unit(platform.owner) as writer:
        await writer.execute(select(WorkItem).where(WorkItem.id == run_id).with_for_update())
        await bench.cancel(run_id)
    async with bench.working(flow):
        await bench.until(run_id)
    assert ran == []
    await _is_cancelled_once(bench, run_id)


async def test_what_was_asked_of_a_run_that_ended_first_is_forgotten_once_it_is_resumed(
    bench: Any,
) -> None:
    is_well: list[bool] = []

    async def node(state: Any, run: Any) -> dict[str, Any]:
        if not is_well:
            raise Invalid("The record has no price.")
        return {}

    flow, platform = bench.flow(node), bench.platform
    run_id = await bench.ask(flow)
    async with platform.unit(platform.owner) as writer:
        await writer.execute(select(WorkItem).where(WorkItem.id == run_id).with_for_update())
        await bench.cancel(run_id)
        await writer.execute(update(WorkItem).values(status="error"))
    is_well.append(True)
    await bench.resume(run_id)
    async with bench.working(flow):
        assert (await bench.until(run_id)).status == "success"


async def test_a_paused_run_is_cancelled_and_does_not_come_back(bench: Any) -> None:
    calls: Counter[Any] = Counter()

    async def away(state: Any, run: Any) -> dict[str, Any]:
        calls[run.attempt.run_id] += 1
        raise Unavailable("The market is away.", retry_after=0.5)

    flow = bench.flow(away)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await bench.until(run_id, "paused")
        await bench.cancel(run_id)
        later = await bench.ask(flow)
        async with asyncio.timeout(60):
            while calls[later] < 2:  # it paused later, and is back: so would be the other
                await asyncio.sleep(0.02)
    assert calls[run_id] == 1
    await _is_cancelled_once(bench, run_id)


async def test_cancelling_twice_or_after_the_end_changes_nothing(bench: Any) -> None:
    async def node(state: Any, run: Any) -> dict[str, Any]:
        return {}

    flow = bench.flow(node)
    run_id = await bench.ask(flow)
    await asyncio.gather(*(bench.cancel(run_id) for _ in range(4)))
    await _is_cancelled_once(bench, run_id)
    async with bench.working(flow):
        run_id = await bench.ask(flow)
        await bench.until(run_id)
    assert (await bench.cancel(run_id)).status == "success"
    final = [event.type for event in await bench.events(run_id)]
    assert final.count("job_complete") == 1


async def test_a_cancelled_run_cannot_be_resumed(bench: Any) -> None:
    async def node(state: Any, run: Any) -> dict[str, Any]:
        return {}

    run_id = await bench.ask(bench.flow(node))
    await bench.cancel(run_id)
    with pytest.raises(Conflict, match="cancelled"):
        await bench.resume(run_id)


async def test_a_failed_run_is_not_resumed_beside_its_successor(bench: Any) -> None:
    async def node(state: Any, run: Any) -> dict[str, Any]:
        raise Invalid("The record has no price.")

    flow, note = bench.flow(node), await bench.note()
    failed = await bench.ask(flow, note)
    async with bench.working(flow):
        assert (await bench.until(failed)).status == "error"
    await bench.ask(flow, note)
    with pytest.raises(Conflict, match="newer run"):
        await bench.resume(failed)
    assert (await bench.run(failed)).status == "error"


async def test_cancel_racing_the_end_leaves_one_final_event(bench: Any) -> None:
    async def node(state: Any, run: Any) -> dict[str, Any]:
        return {}

    flow = bench.flow(node)
    ended = []
    async with bench.working(flow):
        for delay in (0.0, 0.01, 0.02, 0.03, 0.05, 0.08):
            run_id = await bench.ask(flow)
            await asyncio.sleep(delay)
            await bench.cancel(run_id)
            ended.append(await bench.until(run_id))
    for run in ended:  # the worker is gone, and a second end could not come any more
        final = [event for event in await bench.events(run.id) if event.type == "job_complete"]
        assert [event.payload["status"] for event in final] == [run.status]
