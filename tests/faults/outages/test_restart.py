"""PostgreSQL restarted under a run, an operator's own server: the work goes on by itself."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from faults.conftest import Bench, Worker
from faults.market import Market
from faults.outages.server import Server
from faults.rows import Rows

pytestmark = pytest.mark.anyio
SELDOM = {"HEARTBEAT_SECONDS": 30, "STALLED_SECONDS": 90}
"""Each heartbeat would bring what was written before to the disk."""
Look = Callable[[], list[str]]
AWAY_SECONDS = 3.0
"""Longer than the silence after which the workers of these tests count as dead (1.5 s)."""


async def waiting(rows: Rows, words: str) -> None:
    """Wait until a query with these words waits for a lock."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE %s"
    async with asyncio.timeout(90):
        while not rows.one(query, f"%{words}%"):
            await asyncio.sleep(0.02)


def writes_late(server: Server) -> None:
    """Let the server keep what nobody waits for to itself, so that a crash loses it."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET wal_writer_delay = '10s'")
        connection.execute("SELECT pg_reload_conf()")


async def flushed(rows: Rows) -> None:
    """Wait until the server's disk has all that was committed so far."""
    query = "SELECT pg_current_wal_flush_lsn() >= %s::pg_lsn"
    written = rows.one("SELECT pg_current_wal_insert_lsn()::text")
    async with asyncio.timeout(90):
        while not rows.one(query, written):
            await asyncio.sleep(0.05)


@contextlib.contextmanager
def locked(server: Server, table: str) -> Iterator[psycopg.Connection[Any]]:
    """Hold up whoever writes to the table, until the end of this or of the server."""
    with contextlib.suppress(psycopg.OperationalError), psycopg.connect(server.url) as connection:
        connection.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE".encode())
        yield connection


async def reached(event: Any) -> None:
    assert await asyncio.to_thread(event.wait, 30)


def ended_well(rows: Rows, half_written: Look, run_id: Any) -> dict[str, Any]:
    run = rows.run(run_id)
    assert (run["status"], run["resumable"]) == ("success", True), run
    assert rows.faults(run_id) == []
    assert half_written() == []
    return run


@pytest.mark.parametrize(
    ("mode", "away"),
    [
        pytest.param("fast", 0.0, marks=pytest.mark.long),
        pytest.param("immediate", AWAY_SECONDS, marks=pytest.mark.long),
        ("kill", 0.0),
    ],
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
    held_request = outside.hold("listings")
    await start(flow="paid", url=outside.url).ready()
    run_id = await bench.ask()
    await reached(held_request)
    await flushed(rows)
    server.stop(mode)
    await asyncio.sleep(away)
    server.start()
    await asyncio.sleep(away)
    outside.release()
    await bench.until(run_id)
    assert ended_well(rows, half_written, run_id)["attempt"] == 1
    assert outside.requests["listings"] == 1


async def test_a_node_whose_beginning_a_crashed_server_lost_runs_again(
    bench: Bench,
    rows: Rows,
    outside: Market,
    server: Server,
    start: Callable[..., Worker],
    half_written: Look,
) -> None:
    """Progress does not wait for the disk: the last moments of it may be lost, and no more."""
    writes_late(server)
    held_request = outside.hold("listings")
    await start(flow="paid", url=outside.url, **SELDOM).ready()
    run_id = await bench.ask()
    await reached(held_request)
    server.stop("immediate")
    server.start()
    outside.release()
    await bench.until(run_id)
    assert ended_well(rows, half_written, run_id)["attempt"] == 2
    assert [step[0] for step in rows.steps(run_id)].count("price") == 1


async def test_a_checkpoint_does_not_follow_a_step_that_a_crashed_server_lost(
    bench: Bench,
    rows: Rows,
    outside: Market,
    server: Server,
    start: Callable[..., Worker],
    half_written: Look,
) -> None:
    """It holds only what changed since the one before, which may be lost as well."""
    writes_late(server)
    worker = start("before checkpoint weigh", signal="STOP", flow="paid", url=outside.url, **SELDOM)
    await worker.ready()
    run_id = await bench.ask()
    await worker.stopped()
    server.restart("immediate")
    worker.send(signal.SIGCONT)
    await bench.until(run_id)
    run = ended_well(rows, half_written, run_id)
    assert run["attempt"] == 2
    again = [("weigh", 1, "interrupted"), ("weigh", 2, "success")]
    assert [step for step in rows.steps(run_id) if step[0] == "weigh"] == again


async def test_a_node_that_ends_while_it_is_away_runs_again(
    bench: Bench,
    rows: Rows,
    outside: Market,
    server: Server,
    start: Callable[..., Worker],
    half_written: Look,
) -> None:
    held_request = outside.hold("listings")
    await start(flow="paid", url=outside.url).ready()
    run_id = await bench.ask()
    await reached(held_request)
    await flushed(rows)
    server.stop("immediate")
    outside.release()
    await asyncio.sleep(AWAY_SECONDS)
    server.start()
    await bench.until(run_id)
    assert ended_well(rows, half_written, run_id)["attempt"] >= 2
    assert outside.requests["listings"] == 2
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
    query = "SELECT id, last_heartbeat FROM jobs.procrastinate_workers"

    async def heartbeat(after: Any = None) -> dict[str, Any]:
        async with asyncio.timeout(90):
            while not (result := rows.all(query)) or result[0]["last_heartbeat"] == after:
                await asyncio.sleep(0.05)
        [row] = result
        return row

    await start().ready()
    await heartbeat()
    with locked(server, "jobs.procrastinate_workers"):
        await waiting(rows, "heartbeat")
        server.stop("kill")
    server.start()
    before = await heartbeat()
    assert (await heartbeat(before["last_heartbeat"]))["id"] == before["id"]
    run_id = await bench.ask()
    await bench.until(run_id)
    ended_well(rows, half_written, run_id)


@pytest.mark.long
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
    with locked(server, "jobs.procrastinate_jobs"):
        await waiting(rows, "FOR UPDATE SKIP LOCKED")
        server.stop("immediate")
    server.start()
    await bench.until(run_id)
    assert ended_well(rows, half_written, run_id)["attempt"] == 2


async def test_a_job_that_was_taken_by_a_fetch_without_an_answer_is_worked_on(
    bench: Bench, rows: Rows, server: Server, start: Callable[..., Worker], half_written: Look
) -> None:
    run_id = await bench.ask()
    with locked(server, "jobs.procrastinate_jobs") as connection:
        await start().ready()
        await waiting(rows, "whence_fetch_job")
        # What is left when the server did all of it, and only its answer was lost.
        connection.execute("SET search_path TO jobs")
        connection.execute(
            "UPDATE jobs.procrastinate_jobs SET status = 'doing', worker_id ="
            " (SELECT max(id) FROM jobs.procrastinate_workers)"
        )
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND query LIKE '%whence_fetch_job%'"
        )
    await bench.until(run_id)
    ended_well(rows, half_written, run_id)


@pytest.mark.long
async def test_a_worker_is_stopped_in_time_also_while_it_is_away(
    bench: Bench, rows: Rows, outside: Market, server: Server, start: Callable[..., Worker]
) -> None:
    held_request = outside.hold("listings")
    worker = start(flow="paid", url=outside.url)
    await worker.ready()
    run_id = await bench.ask()
    await reached(held_request)
    server.stop("immediate")
    outside.release()
    await asyncio.sleep(1)
    await worker.end(signal.SIGTERM)
    server.start()
    await start(flow="paid", url=outside.url).ready()
    await bench.until(run_id)
    assert rows.run(run_id)["status"] == "success"
    assert rows.faults(run_id) == []
