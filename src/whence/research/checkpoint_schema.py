"""Install LangGraph's checkpoint tables from our migrations."""

from __future__ import annotations

from importlib.metadata import version

import psycopg

from whence.db.migrate import LibrarySchema


def _install(connection: psycopg.Connection) -> None:
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    connection.execute("SELECT set_config('search_path', 'checkpoints', true)")
    migrations = AsyncPostgresSaver.MIGRATIONS
    connection.execute(migrations[0].encode())
    row = connection.execute("SELECT max(v) FROM checkpoint_migrations").fetchone()
    done = -1 if row is None or row[0] is None else int(row[0])
    for number in range(done + 1, len(migrations)):
        # The migration lock excludes other users, and CONCURRENTLY cannot run in a transaction.
        connection.execute(migrations[number].replace("CONCURRENTLY ", "").encode())
        connection.execute("INSERT INTO checkpoint_migrations (v) VALUES (%s)", (number,))
    connection.execute("SELECT set_config('search_path', 'public', true)")


CHECKPOINTS_SCHEMA = LibrarySchema(
    "checkpoints", version("langgraph-checkpoint-postgres"), _install
)
