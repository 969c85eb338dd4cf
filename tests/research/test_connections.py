"""Many nodes at once: they do not take each other's connections, and none of the API's."""

from __future__ import annotations

import asyncio
import operator
from collections import Counter
from typing import Annotated, Any, TypedDict

import pytest
from sqlalchemy import text

from whence.app.build import WORKER_POOL_SIZE, WORKER_POOL_SPARE
from whence.db.database import POOL_SIZE
from whence.research.flow import Flow
from whence.research.shape import Fork, Send

pytestmark = pytest.mark.anyio
NODES = 40


class State(TypedDict, total=False):
    subject_id: str
    read: Annotated[list[str], operator.add]


def flow(read: Any) -> Flow:
    async def begin(state: Any, run: Any) -> dict[str, Any]:
        return {}

    fork = Fork("begin", lambda state: [Send("read", {}) for _ in range(NODES)], ("read",))
    return Flow("research", "1", "notes", State, (begin, read), (), branches=(fork,))


async def test_forty_nodes_that_read_inside_their_transactions_do_not_starve(bench: Any) -> None:
    async def read(state: Any, run: Any) -> dict[str, Any]:
        async with run.fenced():
            row = await run.subject()
            await run.bundle()
        return {"read": [row.title]}

    reading = flow(read)
    run_id = await bench.ask(reading)
    async with bench.working(reading, node_concurrency=NODES):
        run = await bench.until(run_id, "success", "error", "paused")
    assert (run.status, run.attempt) == ("success", 1)


async def test_a_read_inside_a_transaction_sees_what_it_has_written(bench: Any) -> None:
    titles: list[str] = []

    async def write(state: Any, run: Any) -> dict[str, Any]:
        async with run.fenced() as session:
            await run.change(session, {"title": "changed"})
            titles.append((await run.subject()).title)
            async with run.unit() as same:
                assert same is session
            reading = asyncio.create_task(run.subject())
            titles.append((await reading).title)
        return {}

    run_id = await bench.ask(bench.flow(write))
    async with bench.working(bench.flow(write)):
        await bench.until(run_id)
    assert titles == ["changed", "A note"]


async def test_nodes_that_wait_to_write_hold_no_connection(bench: Any) -> None:
    """All but one would wait in the database for the run's row, each over a connection."""
    begun, may_write = Counter[str](), asyncio.Event()
    in_use: list[int] = []

    async def read(state: Any, run: Any) -> dict[str, Any]:
        begun["nodes"] += 1
        if begun["nodes"] == NODES:
            may_write.set()
        await may_write.wait()
        async with run.fenced() as session:
            for _ in range(20 if not in_use else 1):
                await session.execute(text("SELECT pg_sleep(0.01)"))
                in_use.append(run.attempt.db.connections[0])
        return {}

    writing = flow(read)
    run_id = await bench.ask(writing)
    async with bench.working(writing, node_concurrency=NODES):
        run = await bench.until(run_id)
    assert (run.status, begun["nodes"]) == ("success", NODES)
    assert max(in_use) < WORKER_POOL_SIZE / 2


async def test_the_api_answers_while_nodes_hold_every_connection_of_the_work(
    bench: Any,
) -> None:
    concurrency = NODES - WORKER_POOL_SPARE
    held, release = asyncio.Semaphore(0), asyncio.Event()
    assert NODES > POOL_SIZE, "more than the API has"

    async def read(state: Any, run: Any) -> dict[str, Any]:
        async with run.unit() as session:
            await session.execute(text("SELECT 1"))
            held.release()
            await release.wait()
        return {}

    reading = flow(read)
    run_id = await bench.ask(reading)
    more = {"node_concurrency": NODES, "worker_concurrency": concurrency}
    async with bench.working(reading, **more):
        async with asyncio.timeout(60):
            for _ in range(NODES):
                await held.acquire()
        async with asyncio.timeout(5):
            assert (await bench.run(run_id)).status == "running"
        release.set()
        run = await bench.until(run_id)
    assert run.status == "success"
