"""PostgreSQL restarted under a run, an operator's own server: the work goes on by itself."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from faults.conftest import Bench, Worker
from faults.market import Market
from faults.outages.server import Server
from faults.rows import Rows

pytestmark = pytest.mark.anyio
Look = Callable[[], list[str]]
AWAY_SECONDS = 3.0
"""Longer than the silence after which the workers of these tests count as dead (1.5 s)."""


async def waiting(rows: Rows, words: str) -> None:
    """Wait until a query with these words waits for a lock."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE %s"
    async with asyncio.timeout(20):
        while not rows.one(query, f"%{words}%"):
            await asyncio.sleep(0.02)


async def reached(event: Any) -> None:
    assert await asyncio.to_thread(event.wait, 30)


def ended_well(rows: Rows, half_written: Look, run_id: Any) -> dict[str, Any]:
    run = rows.run(run_id)
    assert run["status"] == "success", run
    assert rows.faults(run_id) == []
    assert half_written() == []
    return run


@pytest.mark.parametrize(
    ("mode", "away"), [("fast", 0.0), ("immediate", AWAY_SECONDS), ("kill", 0.0)]
)
async def test_a_node_that_asks_the_world_meanwhile_does_not_notice(
    mode: str,
    away: float,
    bench: Bench,
    rows: Rows,
    outside: Market,
    server: Server,
    start: Callable[..., Worker],
    half_written: Look,
) -> None:
    asked = outside.hold("listings")
    await start(flow="paid", url=outside.url).ready()
    run_id = await bench.ask()
    await reached(asked)
    server.stop(mode)
    await asyncio.sleep(away)
    server.start()
    await asyncio.sleep(away)
    outside.release()
    await bench.until(run_id)
    assert ended_well(rows, half_written, run_id)["attempt"] == 1
    assert outside.asked["listings"] == 1


async def test_a_node_that_ends_while_it_is_away_runs_again(
    bench: Bench,
    rows: Rows,
    outside: Market,
    server: Server,
    start: Callable[..., Worker],
    half_written: Look,
) -> None:
    asked = outside.hold("listings")
    await start(flow="paid", url=outside.url).ready()
    run_id = await bench.ask()
    await reached(asked)
    server.stop("immediate")
    outside.release()
    await asyncio.sleep(AWAY_SECONDS)
    server.start()
    await bench.until(run_id)
    assert ended_well(rows, half_written, run_id)["attempt"] >= 2
    assert outside.asked["listings"] == 2
    assert [step[0] for step in rows.steps(run_id)].count("read_note") == 1


async def test_a_claim_that_was_not_committed_is_made_again(
    bench: Bench, rows: Rows, server: Server, start: Callable[..., Worker], half_written: Look
) -> None:
    worker = start("after event job_started", signal="STOP")
    await worker.ready()
    run_id = await bench.ask()
    await worker.stopped()
    server.restart("immediate")
    worker.send(signal.SIGCONT)
    await bench.until(run_id)
    assert ended_well(rows, half_written, run_id)["attempt"] == 1


async def test_a_heartbeat_that_is_cut_off_is_not_the_last(
    rows: Rows, bench: Bench, server: Server, start: Callable[..., Worker], half_written: Look
) -> None:
    await start().ready()
    with psycopg.connect(server.url) as connection:
        connection.execute("LOCK TABLE jobs.procrastinate_workers IN EXCLUSIVE MODE")
        await waiting(rows, "heartbeat")
        server.stop("kill")
    server.start()
    query = "SELECT id, last_heartbeat FROM jobs.procrastinate_workers"
    [before] = rows.all(query)
    async with asyncio.timeout(20):
        while rows.all(query)[0]["last_heartbeat"] <= before["last_heartbeat"]:
            await asyncio.sleep(0.05)
    assert [row["id"] for row in rows.all(query)] == [before["id"]]
    run_id = await bench.ask()
    await bench.until(run_id)
    ended_well(rows, half_written, run_id)


async def test_a_dead_worker_s_run_is_handed_on_though_the_hand_over_was_cut_off(
    bench: Bench,
    rows: Rows,
    outside: Market,
    server: Server,
    start: Callable[..., Worker],
    half_written: Look,
) -> None:
    worker = start("before checkpoint price", flow="paid", url=outside.url)
    await worker.ready()
    run_id = await bench.ask()
    await worker.gone()
    await start(flow="paid", url=outside.url).ready()
    with psycopg.connect(server.url) as connection:
        connection.execute("LOCK TABLE jobs.procrastinate_jobs IN EXCLUSIVE MODE")
        await waiting(rows, "FOR UPDATE SKIP LOCKED")
        server.stop("immediate")
    server.start()
    await bench.until(run_id)
    assert ended_well(rows, half_written, run_id)["attempt"] == 2


async def test_a_job_that_was_taken_by_a_fetch_without_an_answer_is_worked_on(
    bench: Bench, rows: Rows, server: Server, start: Callable[..., Worker], half_written: Look
) -> None:
    await start().ready()
    with psycopg.connect(server.url) as connection:
        connection.execute("LOCK TABLE jobs.procrastinate_jobs IN SHARE ROW EXCLUSIVE MODE")
        asking = asyncio.create_task(bench.ask())
        await waiting(rows, "procrastinate_fetch_job")
        connection.execute("COMMIT")
        connection.execute("BEGIN")
        run_id = await asking
        connection.execute("ROLLBACK")
    await bench.until(run_id)
    ended_well(rows, half_written, run_id)


async def test_a_worker_is_stopped_in_time_also_while_it_is_away(
    bench: Bench, rows: Rows, outside: Market, server: Server, start: Callable[..., Worker]
) -> None:
    asked = outside.hold("listings")
    worker = start(flow="paid", url=outside.url)
    await worker.ready()
    run_id = await bench.ask()
    await reached(asked)
    server.stop("immediate")
    outside.release()
    await asyncio.sleep(1)
    began = time.monotonic()
    await worker.end(signal.SIGTERM)
    assert time.monotonic() - began < 30
    server.start()
    await start(flow="paid", url=outside.url).ready()
    await bench.until(run_id)
    assert rows.run(run_id)["status"] == "success"
    assert rows.faults(run_id) == []
