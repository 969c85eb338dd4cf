"""The same research asked for many times at once, at two API processes: one run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any
from uuid import UUID

import httpx
import pytest

from faults.conftest import Bench, Worker
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio

ROUNDS = 8
AT_ONCE = 6
"""Requests of each client at the same moment."""


@pytest.fixture
async def clients(
    bench: Bench, start: Callable[..., Worker]
) -> AsyncIterator[list[httpx.AsyncClient]]:
    """Two clients with tokens of their own, each at an API process of its own."""
    processes = [start(flow="api") for _ in range(2)]
    async with AsyncExitStack() as stack:
        faults: list[httpx.AsyncClient] = []
        for process in processes:
            url = await process.ready()
            secret = await tokens.issue(bench.platform.db, bench.platform.owner, "a client")
            headers = {"Authorization": f"Bearer {secret}"}
            client = httpx.AsyncClient(base_url=url, headers=headers, timeout=30)
            faults.append(await stack.enter_async_context(client))
        yield faults


async def _ask(client: httpx.AsyncClient, note: UUID) -> dict[str, Any]:
    answer = await client.post(f"/api/notes/{note}/research")
    assert answer.status_code == 202, answer.text
    return answer.json()


async def test_all_who_ask_at_once_get_the_same_run(
    bench: Bench, clients: list[httpx.AsyncClient]
) -> None:
    for _ in range(ROUNDS):
        note = await bench.note()
        request = [_ask(client, note) for client in clients for _ in range(AT_ONCE)]
        [run_id] = {UUID(answer["jobId"]) for answer in await asyncio.gather(*request)}
        query = "SELECT count(*) FROM whence.runs WHERE subject_id = %s"
        assert bench.rows.one(query, note) == 1
        jobs = "SELECT count(*) FROM jobs.procrastinate_jobs WHERE lock = %s"
        assert bench.rows.one(jobs, str(run_id)) == 1
        assert [event["type"] for event in bench.rows.events(run_id)] == ["job_queued"]


async def test_one_who_asks_again_and_again_has_one_run_under_way_at_any_time(
    bench: Bench, clients: list[httpx.AsyncClient], start: Callable[..., Worker]
) -> None:
    """Asked while it waits, while it runs and as it ends: a new run begins only after the last."""
    note = await bench.note("sleep 0.1")
    start()
    runs: list[UUID] = []
    async with asyncio.timeout(60):
        while len(set(runs)) < 5:
            answers = await asyncio.gather(
                *(client.post(f"/api/notes/{note}/research") for client in clients)
            )
            assert {answer.status_code for answer in answers} <= {202, 409}
            runs += [UUID(a.json()["jobId"]) for a in answers if a.status_code == 202]
    await bench.until(*set(runs))
    known = bench.rows.all("SELECT id FROM whence.work ORDER BY created_at")
    assert {row["id"] for row in known} == set(runs), "no run that nobody was told of"
    overlapping = """
        SELECT count(*) FROM whence.work a JOIN whence.work b ON a.id < b.id
        AND a.completed_at > b.started_at AND b.completed_at > a.started_at
    """
    assert bench.rows.one(overlapping) == 0, "never two at a time"
    assert [fault for run_id in set(runs) for fault in bench.rows.faults(run_id)] == []
    current = "SELECT count(*) FROM whence.dossiers WHERE is_current"
    assert bench.rows.one(current) == 1
