"""When the outside world is away a run waits and continues; when the code is wrong it says so."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncSession
from structlog.testing import capture_logs

from whence.db.failures import DatabaseBusy, DatabaseFull
from whence.kernel.clock import now
from whence.kernel.errors import Invalid, Unavailable
from whence.work import transitions
from whence.work.tables import WorkItem

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """A traceback drawn with all its values takes a second."""
    with capture_logs():
        yield


class World:
    """Counts the nodes that ran, and fails `faults` times before it works."""

    def __init__(self, *faults: Exception) -> None:
        self.faults = list(faults)
        self.ran: Counter[str] = Counter()

    async def gather(self, state: Any, run: Any) -> dict[str, Any]:
        self.ran["gather"] += 1
        return {"trail": ["gathered"]}

    async def ask(self, state: Any, run: Any) -> dict[str, Any]:
        self.ran["ask"] += 1
        assert state["trail"] == ["gathered"]
        if self.faults:
            raise self.faults.pop(0)
        return {}

    def flow(self, bench: Any) -> Any:
        async def gather(state: Any, run: Any) -> dict[str, Any]:
            return await self.gather(state, run)

        async def ask(state: Any, run: Any) -> dict[str, Any]:
            return await self.ask(state, run)

        return bench.flow(gather, ask)


async def test_an_outage_pauses_the_run_and_says_when_it_goes_on(bench: Any) -> None:
    world = World(Unavailable("The market is away.", retry_after=30))
    flow = world.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id, "paused")
    assert run.notice == "Research paused, will resume automatically"
    assert 20 < (run.resume_at - now()).total_seconds() <= 30
    assert run.error == {"type": "Unavailable", "message": "The market is away."}
    paused = (await bench.events(run_id))[-1]
    assert paused.type == "job_paused"
    assert paused.payload["notice"] == run.notice
    assert paused.payload["resumeAt"] is not None
    complete = [e for e in await bench.events(run_id) if e.type == "node_complete"][-1]
    assert (complete.payload["status"], complete.payload["error"]) == (
        "paused",
        "The market is away.",
    )


async def test_a_paused_run_goes_on_by_itself_from_the_last_finished_node(bench: Any) -> None:
    world = World(Unavailable("away", retry_after=0.3), Unavailable("away", retry_after=0.3))
    flow = world.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, run.attempt) == ("success", 3)
    assert (run.notice, run.resume_at, run.error) == (None, None, None)
    assert world.ran == {"gather": 1, "ask": 3}
    steps = [(step.node, step.attempt, step.status) for step in await bench.steps(run_id)]
    assert steps == [
        ("gather", 1, "success"),
        ("ask", 1, "paused"),
        ("ask", 2, "paused"),
        ("ask", 3, "success"),
    ]


async def test_a_person_need_not_wait_for_the_pause_to_end(bench: Any) -> None:
    world = World(Unavailable("away", retry_after=600))
    flow = world.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        await bench.until(run_id, "paused")
        await bench.resume(run_id)
        run = await bench.until(run_id, seconds=5)
    assert run.status == "success"


async def test_an_error_in_the_code_is_tried_again_and_then_kept(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.1)
    world = World(*(ZeroDivisionError("secret detail") for _ in range(10)))
    flow = world.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, run.attempt, run.failures) == ("error", 3, 3)
    assert world.ran == {"gather": 1, "ask": transitions.MAX_CRASHES}
    assert run.error["type"] == "Unexpected"
    assert "ZeroDivisionError" in run.error["message"]
    events = await bench.events(run_id)
    assert [e.type for e in events].count("job_complete") == 1
    payloads = [run.error, *(e.payload for e in events)]
    assert not [one for one in payloads if "secret detail" in str(one)]


async def test_a_failed_run_is_resumed_where_it_failed(bench: Any) -> None:
    world = World(Invalid("The record has no price."))
    flow = world.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
        assert (run.status, run.attempt) == ("error", 1)
        assert run.error == {"type": "Invalid", "message": "The record has no price."}
        await bench.resume(run_id)
        run = await bench.until(run_id)
    assert (run.status, run.error, run.failures) == ("success", None, 0)
    assert world.ran == {"gather": 1, "ask": 2}


async def test_an_error_in_words_that_cannot_be_stored_still_ends_the_run(bench: Any) -> None:
    world = World(Invalid("half \ud83d and \x00 nothing"))
    flow = world.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id, seconds=10)
    assert (run.status, run.error["message"]) == ("error", "half ? and  nothing")


async def test_outages_without_end_are_given_up(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "MAX_OUTAGES", 2)
    world = World(*(Unavailable("away", retry_after=0.1) for _ in range(5)))
    flow = world.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, world.ran["ask"]) == ("error", 2)
    assert run.error["message"] == "away"


async def test_an_outage_of_the_database_is_not_held_against_the_run(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "MAX_OUTAGES", 2)
    monkeypatch.setattr(DatabaseFull, "after", 0.05)
    world = World(*(DatabaseFull() for _ in range(4)))
    flow = world.flow(bench)
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert (run.status, world.ran["ask"]) == ("success", 5)


async def _waits_for_a_row_that_nobody_lets_go(session: AsyncSession) -> None:
    await session.execute(text("SET LOCAL lock_timeout = '50ms'"))
    await session.execute(text("SELECT pg_advisory_xact_lock(7)"))


async def _is_idle_for_too_long(session: AsyncSession) -> None:
    await session.execute(text("SET LOCAL idle_in_transaction_session_timeout = '50ms'"))
    await asyncio.sleep(0.3)
    await session.execute(text("SELECT 1"))


@pytest.mark.parametrize("act", [_waits_for_a_row_that_nobody_lets_go, _is_idle_for_too_long])
async def test_a_fault_that_only_looks_like_an_outage_counts_towards_the_cap(
    bench: Any, act: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(DatabaseBusy, "after", 0.05)
    ran: list[int] = []

    async def always(state: Any, run: Any) -> dict[str, Any]:
        ran.append(run.attempt.number)
        async with run.fenced() as session:
            await act(session)
        return {}

    flow, platform = bench.flow(always), bench.platform
    run_id = await bench.ask(flow)
    async with platform.unit(platform.owner) as holder:
        await holder.execute(text("SELECT pg_advisory_xact_lock(7)"))
        async with bench.working(flow):
            run = await bench.until(run_id)
    assert (run.status, len(ran)) == ("error", transitions.MAX_CRASHES)
    assert run.crashes == transitions.MAX_CRASHES


async def test_a_node_much_longer_than_the_heartbeat_runs_once(bench: Any) -> None:
    ran: list[int] = []

    async def long(state: Any, run: Any) -> dict[str, Any]:
        ran.append(run.attempt.number)
        await asyncio.sleep(4)
        return {}

    flow = bench.flow(long)
    run_id = await bench.ask(flow)
    async with bench.working(flow, heartbeat_seconds=0.2, stalled_seconds=0.8):
        run = await bench.until(run_id)
    assert (run.status, run.attempt, ran) == ("success", 1, [1])


@pytest.mark.parametrize(("deaths", "ends"), [(6, "success"), (7, "error")])
async def test_a_run_that_always_takes_its_worker_along_is_given_up(
    bench: Any, deaths: int, ends: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "FIRST_PAUSE_SECONDS", 0.01)  # it waits after several deaths
    flow = World().flow(bench)
    run_id = await bench.ask(flow)
    async with bench.platform.unit(bench.platform.owner) as session:
        died = {"status": "running", "attempt": deaths, "deaths": deaths}
        await session.execute(update(WorkItem).where(WorkItem.id == run_id).values(died))
    async with bench.working(flow):
        run = await bench.until(run_id)
    assert run.status == ends
    if ends == "error":
        assert run.error["type"] == "WorkerDied"
        assert "Resume" in run.error["message"]
    else:
        assert run.failures == 0
