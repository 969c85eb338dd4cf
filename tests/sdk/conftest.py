"""An empty database of the run's own server, for what brings its own migrations."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from whence.kernel.ids import new_id


@pytest.fixture
def empty_database(postgres: str) -> Iterator[str]:
    """The address of a database in which nothing is yet; dropped after the test."""
    name = f"empty_{new_id().hex}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield make_conninfo(postgres, dbname=name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
