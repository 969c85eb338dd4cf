"""Moments at which a worker could leave without its run being handed on: locks of the test's own
hold it exactly there."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import psycopg
import pytest

from faults import flows
from faults.conftest import Bench
from whence.app import build
from whence.research.versions import Flows

pytestmark = pytest.mark.anyio
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE %s"


class Holds:
    """Locks that hold a worker up, each in a transaction of its own."""

    def __init__(self, url: str) -> None:
        self._url = url

    def take(self, statement: Any, *values: object) -> psycopg.Connection[Any]:
        connection = psycopg.connect(self._url)
        connection.execute(statement, values)
        return connection

    async def somebody_waits(self, like: str) -> None:
        async with asyncio.timeout(60):
            with psycopg.connect(self._url, autocommit=True) as looking:
                while looking.execute(WAITING, (like,)).fetchone() == (0,):
                    await asyncio.sleep(0.02)


@pytest.fixture
def holds(bench: Bench, database_url: str) -> Holds:
    return Holds(database_url)


def _worker(bench: Bench) -> Any:
    quick = bench.platform.settings.model_copy(
        update={"heartbeat_seconds": 0.4, "stalled_seconds": 1.2}
    )
    return build.worker(replace(bench.platform, flows=Flows([flows.scripted()]), settings=quick))


async def _held_at_its_end(bench: Bench, holds: Holds, run_id: UUID) -> Any:
    """A worker that has claimed the run, and waits for the queue's table to write its end."""
    row = holds.take("SELECT FROM whence.work WHERE id = %s FOR UPDATE", run_id)
    working = _worker(bench)
    task = await working.__aenter__()
    await holds.somebody_waits("%work%FOR UPDATE%")
    table = holds.take("LOCK TABLE jobs.procrastinate_jobs IN SHARE MODE")
    row.rollback()
    row.close()
    await holds.somebody_waits("%procrastinate_jobs%")
    return working, task, table


async def test_a_worker_told_to_stop_while_it_ends_an_attempt_hands_the_run_back(
    bench: Bench, holds: Holds
) -> None:
    run_id = await bench.ask("plain")
    died = (
        "UPDATE whence.work SET status = 'running', attempt = 2, deaths = 1 "
        "WHERE id = %s RETURNING 1"
    )
    bench.rows.all(died, run_id)
    working, _, table = await _held_at_its_end(bench, holds, run_id)
    leaving = asyncio.create_task(working.__aexit__(None, None, None))
    await asyncio.sleep(6.5)  # its grace is over: the job was cancelled
    table.rollback()
    table.close()
    await leaving
    assert bench.rows.jobs() != [], "somebody must hear of the run"
    async with bench.working(flows.scripted()):
        await bench.until(run_id)
    assert bench.rows.run(run_id)["status"] == "success"
    assert bench.rows.faults(run_id) == []


async def test_an_end_that_the_database_cut_off_is_written_later_and_is_no_death(
    bench: Bench, holds: Holds
) -> None:
    run_id = await bench.ask("raise")
    working, _, table = await _held_at_its_end(bench, holds, run_id)
    bench.rows.all(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE wait_event_type = 'Lock' AND query LIKE '%%procrastinate_jobs%%'"
    )
    table.rollback()
    table.close()
    await bench.until(run_id, status="paused")
    run = bench.rows.run(run_id)
    await working.__aexit__(None, None, None)
    assert (run["attempt"], run["crashes"], run["deaths"]) == (1, 1, 0)
