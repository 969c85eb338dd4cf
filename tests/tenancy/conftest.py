"""People with accounts: made as an operator makes them, by SQL as the database's owner."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
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
        kept = await passwords.hashed(PASSWORD, SALT)
        with psycopg.connect(database_url) as connection:
            connection.execute(
                "INSERT INTO whence.passwords (user_id, salt, parameters, digest)"
                " VALUES (%s, %s, %s, %s)",
                (who.user_id, kept.salt, str(kept.parameters), kept.digest),
            )
        return Person(who, f"{who.user_id.hex}@example.org")

    return make


@pytest.fixture
def sql(database_url: str) -> Callable[..., list[tuple[Any, ...]]]:
    """`sql("SELECT …", values)` as the database's owner."""

    def run(statement: str, values: Any = ()) -> list[tuple[Any, ...]]:
        with psycopg.connect(database_url) as connection:
            done = connection.execute(statement.encode(), values)
            return done.fetchall() if done.description else []

    return run
