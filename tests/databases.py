"""Databases of tests: a clone costs a tenth of what a migration does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from whence.kernel.ids import new_id


@contextmanager
def cloned(postgres: str, template: str) -> Iterator[str]:
    """The address of a new copy of the database `template`, dropped afterwards."""
    name = f"test_{new_id().hex}"
    # Copying files is three times as fast as writing every page to the log.
    clone = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(clone.format(sql.Identifier(name), sql.Identifier(template)))
        yield make_conninfo(postgres, dbname=name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
