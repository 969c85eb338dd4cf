"""People with accounts: made as an operator makes them, by SQL as the database's owner."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

from whence.tenancy import passwords
from whence.tenancy.principal import Principal, Role

PASSWORD = "seven quiet herons"
SALT = b"0123456789abcdef"


@dataclass(frozen=True)
class Person:
    """A user with a password."""

    who: Principal
    email: str
    password: str = PASSWORD


@pytest.fixture
async def new_person(new_principal: Any, database_url: str) -> Callable[..., Awaitable[Person]]:
    """`await new_person(Role.MEMBER, org_id)`: as `new_principal`, with a password."""

    async def make(role: Role = Role.OWNER, org_id: Any = None) -> Person:
        who = new_principal(role, org_id)
        password = await passwords.hashed(PASSWORD, SALT)
        with psycopg.connect(database_url) as connection:
            connection.execute(
                "INSERT INTO whence.passwords (user_id, salt, parameters, digest)"
                " VALUES (%s, %s, %s, %s)",
                (who.user_id, password.salt, str(password.parameters), password.digest),
            )
        return Person(who, f"{who.user_id.hex}@example.org")

    return make


@pytest.fixture
def sql(database_url: str) -> Callable[..., list[tuple[Any, ...]]]:
    """`sql("SELECT …", values)` as the database's owner."""

    def run(statement: str, values: Any = ()) -> list[tuple[Any, ...]]:
        with psycopg.connect(database_url) as connection:
            result = connection.execute(statement.encode(), values)
            return result.fetchall() if result.description else []

    return run


@pytest.fixture
def raced(database_url: str) -> Callable[..., Awaitable[list[Any]]]:
    """`await raced(table, acts)`: all acts as far as the first row lock, then on at once.

    The rows of the table are held until every act waits for one, so that each has read what it
    reads before any has written: what only works by luck of timing fails here.
    """

    async def run(table: str, acts: list[Coroutine[Any, Any, Any]]) -> list[Any]:
        waiting = (
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            " AND datname = current_database()"
        )
        connect = psycopg.AsyncConnection.connect
        async with await connect(database_url) as holder, await connect(database_url) as watcher:
            await holder.execute(f"SELECT 1 FROM whence.{table} FOR UPDATE".encode())
            tasks = [asyncio.create_task(act) for act in acts]
            async with asyncio.timeout(90):
                while True:
                    rows = await (await watcher.execute(waiting)).fetchone()
                    await watcher.rollback()
                    if rows and rows[0] + sum(task.done() for task in tasks) >= len(tasks):
                        break
                    await asyncio.sleep(0.02)
            await holder.rollback()
            return await asyncio.gather(*tasks, return_exceptions=True)

    return run
