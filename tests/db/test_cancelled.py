"""Work with the database that is cancelled, at whatever moment: it ends, and gives all back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from itertools import product
from typing import Any

import pytest
from sqlalchemy import text

from db.interrupting import When, at_every_wait
from whence.db import database, pool
from whence.db.database import Database
from whence.db.statements import rows
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio
ORG = new_id()
Work = Callable[[Database], Awaitable[Any]]


async def unit(db: Database) -> None:
    async with db.unit(ORG) as session:
        await session.execute(text("SELECT 1"))
        await rows(session, "SELECT 2", {})


async def statement(db: Database) -> None:
    await db.rows("SELECT 1", {})


async def together(db: Database) -> None:
    await db.together(ORG, ("SELECT 1", {}), ("SELECT 2", {}))


@pytest.fixture
async def db(database_url: str, anyio_backend: str) -> AsyncIterator[Database]:
    opened = Database(database_url)
    yield opened
    await opened.close()


async def given_back(db: Database) -> None:
    async with asyncio.timeout(5):
        while db.connections[0]:
            await asyncio.sleep(0.002)


async def ended(db: Database, work: Work, task: asyncio.Task[Any]) -> None:
    assert task.cancelled(), task
    await given_back(db)
    async with asyncio.timeout(5):
        await work(db)


WHENS: list[When] = ["waiting", "arriving"]
MOMENTS = list(product(WHENS, (0, 1, 4)))
"""When a cancellation comes, and how many more at the waits after it."""
works = pytest.mark.parametrize("work", [unit, statement, together])


@works
async def test_on_a_connection_at_hand(db: Database, work: Work) -> None:
    await work(db)
    for when, more in MOMENTS:
        await at_every_wait(lambda: work(db), when, more, lambda task: ended(db, work, task))


@works
async def test_on_a_connection_that_is_asked_whether_it_lives(
    db: Database, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "TRUSTED_SECONDS", 0.0)
    await work(db)
    for when, more in MOMENTS:
        assert await at_every_wait(lambda: work(db), when, more, lambda task: ended(db, work, task))


@works
async def test_on_a_connection_that_must_be_opened(
    database_url: str, anyio_backend: str, work: Work
) -> None:
    fresh = Database(database_url)

    def begin() -> Awaitable[Any]:
        nonlocal fresh
        fresh = Database(database_url)
        return work(fresh)

    async def closed(task: asyncio.Task[Any]) -> None:
        await ended(fresh, work, task)
        await fresh.close()

    for when, more in product(WHENS, (0, 1)):  # opening one takes its time
        assert await at_every_wait(begin, when, more, closed)
        await fresh.close()


@works
async def test_on_a_connection_that_somebody_else_must_give_back(
    database_url: str, anyio_backend: str, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "POOL_SIZE", 1)
    monkeypatch.setattr(database, "STATEMENTS_POOL_SIZE", 1)
    db = Database(database_url)

    async with AsyncExitStack() as taken:

        async def take_both() -> None:
            await taken.enter_async_context(db.unit(ORG))
            await db._statements.open()
            await taken.enter_async_context(db._statements.connection())

        async def begun() -> None:
            returning.append(asyncio.create_task(_later(taken)))
            await work(db)

        async def inspect(task: asyncio.Task[Any]) -> None:
            await returning.pop()
            await ended(db, work, task)
            await take_both()

        returning: list[asyncio.Task[None]] = []
        for when, more in MOMENTS:
            await take_both()
            assert await at_every_wait(begun, when, more, inspect)
            await returning.pop()
    await db.close()


async def _later(taken: AsyncExitStack) -> None:
    await asyncio.sleep(0.005)
    await taken.aclose()
