"""Install Procrastinate's tables from our migrations; its own `apply_schema` cannot run twice.

A new database gets the library's whole schema; one created by an older release gets the migration
files that are not recorded yet, in order.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import psycopg
from procrastinate.schema import SchemaManager

from whence.db.migrate import LibrarySchema

_OUR_PART = Path(__file__).with_name("schema_queue.sql")
_OUR_VERSION = 3
"""Increase it with every change of that file, which is then applied again; it must be repeatable.
"""


def _install(connection: psycopg.Connection) -> None:
    connection.execute("SELECT set_config('search_path', 'jobs', true)")
    connection.execute("CREATE TABLE IF NOT EXISTS applied_migrations (name text PRIMARY KEY)")
    recorded = {row[0] for row in connection.execute("SELECT name FROM applied_migrations")}
    files = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    if not recorded:
        connection.execute(SchemaManager.get_schema())
    else:
        for path in files:
            if path.name not in recorded:
                connection.execute(path.read_bytes())
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO applied_migrations VALUES (%s) ON CONFLICT DO NOTHING",
            [(path.name,) for path in files],
        )
    connection.execute(_OUR_PART.read_bytes())
    connection.execute("SELECT set_config('search_path', 'public', true)")


JOBS_SCHEMA = LibrarySchema("jobs", f"{version('procrastinate')}+{_OUR_VERSION}", _install)
