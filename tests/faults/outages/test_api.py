"""While the database is away, full or closed, the API says so in a problem document, and soon."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import psycopg
import pytest

from faults.conftest import Bench, Worker
from faults.outages.server import Server
from faults.rows import Rows
from whence.app.platform import Platform
from whence.db import database

pytestmark = pytest.mark.anyio
Look = Callable[[], list[str]]
LONGEST_SECONDS = 60.0
"""An answer that does not come at all while the database is away."""


async def refused(asking: Any, words: str) -> None:
    """The answer comes, is a 503 problem document and says what to do."""
    async with asyncio.timeout(LONGEST_SECONDS):
        answer: httpx.Response = await asking
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, answer.json()["type"]) == (503, "/problems/unavailable")
    assert words in answer.json()["detail"]
    assert int(answer.headers["retry-after"]) >= 1


async def again(asking: Callable[[], Any], status: int) -> httpx.Response:
    """The first answer with this status; a 503 before it is forgiven."""
    async with asyncio.timeout(LONGEST_SECONDS):
        while (answer := await asking()).status_code == 503:
            await asyncio.sleep(0.1)
    assert answer.status_code == status, answer.text
    return answer


async def test_a_stopped_server_is_told_and_a_started_one_is_used(
    api: httpx.AsyncClient, server: Server
) -> None:
    assert (await api.get("/api/notes")).status_code == 200
    server.stop("immediate")
    for path in ("/api/notes", "/api/me"):
        await refused(api.get(path), "check that its server is running")
    await refused(api.get("/readyz"), "database")
    await refused(api.post("/api/notes", json={"title": "a", "text": "b"}), "by itself")
    assert (await api.get("/healthz")).status_code == 200
    server.start()
    await again(lambda: api.get("/readyz"), 200)
    assert (await api.get("/api/notes")).json()["items"] == []


async def test_a_request_that_is_cut_off_leaves_nothing_and_can_be_sent_again(
    api: httpx.AsyncClient,
    bench: Bench,
    rows: Rows,
    server: Server,
    start: Callable[..., Worker],
    half_written: Look,
) -> None:
    path = f"/api/notes/{await bench.note()}/research"
    with contextlib.suppress(psycopg.OperationalError), psycopg.connect(server.url) as connection:
        connection.execute("LOCK TABLE jobs.procrastinate_jobs IN EXCLUSIVE MODE")
        asking = asyncio.create_task(api.post(path, json={}))
        query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        async with asyncio.timeout(90):
            while not rows.one(query):
                await asyncio.sleep(0.02)
        server.stop("immediate")
    await refused(asking, "by itself")
    server.start()
    assert rows.all("SELECT FROM whence.work") == []
    assert half_written() == []
    answer = await again(lambda: api.post(path, json={}), 202)
    start()
    await bench.until(answer.json()["jobId"])
    assert rows.faults(answer.json()["jobId"]) == []


async def test_a_server_without_a_free_connection_is_told(
    api: httpx.AsyncClient, server: Server
) -> None:
    server.stop()
    with contextlib.ExitStack() as others:
        server.settings["max_connections"] = "12"
        server.start()
        with contextlib.suppress(psycopg.OperationalError):
            while True:
                others.enter_context(psycopg.connect(server.url))
        await refused(api.get("/api/notes"), "max_connections")
    await again(lambda: api.get("/api/notes"), 200)


@pytest.fixture
def small_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "POOL_SIZE", 2)
    monkeypatch.setattr(database, "POOL_OVERFLOW", 0)
    monkeypatch.setattr(database, "POOL_WAIT_SECONDS", 0.5)


@pytest.fixture
async def taken(small_pool: None, platform: Platform) -> AsyncIterator[AsyncExitStack]:
    """Every connection of the pool, until it is closed."""
    async with AsyncExitStack() as stack:
        yield stack


async def test_a_pool_that_is_used_up_is_told(
    taken: AsyncExitStack, api: httpx.AsyncClient, platform: Platform
) -> None:
    for _ in range(2):
        await taken.enter_async_context(platform.db.unit(None))
    await refused(api.get("/api/notes"), "no free connection")
    await taken.aclose()
    assert (await api.get("/api/notes")).status_code == 200


async def test_a_server_that_takes_no_changes_is_told_and_its_connections_are_left(
    api: httpx.AsyncClient,
    bench: Bench,
    rows: Rows,
    server: Server,
    start: Callable[..., Worker],
    half_written: Look,
) -> None:
    await start().ready()
    with psycopg.connect(server.url, dbname="postgres", autocommit=True) as connection:
        connection.execute("ALTER DATABASE whence SET default_transaction_read_only = on")
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'whence'"
        )
        note = {"title": "A note", "text": "some words"}
        await refused(api.post("/api/notes", json=note), "primary")
        await asyncio.sleep(1)  # the worker's own queries meet it as well
        connection.execute("ALTER DATABASE whence RESET default_transaction_read_only")
    made = await again(lambda: api.post("/api/notes", json=note), 201)
    path = f"/api/notes/{made.json()['id']}/research"
    run_id = (await again(lambda: api.post(path, json={}), 202)).json()["jobId"]
    await bench.until(run_id)
    assert rows.faults(run_id) == []
    assert half_written() == []
