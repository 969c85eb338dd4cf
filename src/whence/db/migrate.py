"""Bring a database to this version: the app role, the core tree, then one tree for each pack.

Runs as the database's owner under an advisory lock, in one transaction: several processes may call
it at once, and a failure changes nothing.  If the recorded fingerprint matches, it costs one query.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.rows import TupleRow
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.pool import NullPool

from whence.db.app_role import APP_ROLE, check_app_role, make_app_role
from whence.db.revisions import line_faults, revisions
from whence.db.urls import sqlalchemy_url
from whence.kernel.errors import Misconfigured, Unavailable
from whence.kernel.text import digest

CORE_TREE = Path(__file__).parent / "migrations"
_LOCK = 0x7768656E6365  # "whence"
_MINIMUM_SERVER = 160_000

_CONNECT_SECONDS = 10
"""Longest wait for the server's answer; without it, a wrong host costs minutes."""


class DatabaseUnreachable(Unavailable):
    """The database does not answer; check WHENCE_DATABASE_URL and that its server runs."""


class NewerDatabase(Misconfigured):
    """A newer whence, or a pack that is not installed, has changed this database; install it."""


class SplitMigrations(Misconfigured):
    """The migrations of a pack do not follow each other in one line; correct `down_revision`."""


@dataclass(frozen=True)
class Tree:
    """A folder of Alembic migrations and the schema that it owns."""

    schema: str
    folder: Path


@dataclass(frozen=True)
class LibrarySchema:
    """Tables of a library; `install` gets a connection of the owner and must be repeatable."""

    schema: str
    version: str
    install: Callable[[psycopg.Connection], None]


def migrate(
    admin_url: str, packs: Sequence[Tree], libraries: Sequence[LibrarySchema], password: str | None
) -> bool:
    """Apply missing migrations; returns whether any was applied.

    `password`: the app role's, if it logs in; None if connections only switch to it. Raises
    Misconfigured if the server is too old or lacks pgvector, if its owner lacks a right, if the
    app role bypasses row-level security, or if the migrations of a pack are not in one line.
    """
    trees = [Tree("whence", CORE_TREE), *packs]
    wanted = _fingerprint(trees, libraries, password)
    if _recorded(admin_url) == wanted:
        return False
    for tree in trees:
        _check_line(tree)
    engine = create_engine(sqlalchemy_url(admin_url), poolclass=NullPool)
    with _in_words(), engine.begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        _check_server(connection)
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        make_app_role(driver, password)
        for tree in trees:
            connection.exec_driver_sql(f'CREATE SCHEMA IF NOT EXISTS "{tree.schema}"')
            connection.exec_driver_sql(f'GRANT USAGE ON SCHEMA "{tree.schema}" TO {APP_ROLE}')
            _upgrade(connection, tree)
        connection.exec_driver_sql(
            "CREATE TABLE IF NOT EXISTS whence.schema_state (fingerprint text NOT NULL)"
        )
        for library in libraries:
            connection.exec_driver_sql(f'CREATE SCHEMA IF NOT EXISTS "{library.schema}"')
            library.install(driver)
            _grant_library(connection, library.schema)
        connection.exec_driver_sql("DELETE FROM whence.schema_state")
        connection.execute(text("INSERT INTO whence.schema_state VALUES (:f)"), {"f": wanted})
    engine.dispose()
    return True


def _fingerprint(
    trees: Sequence[Tree], libraries: Sequence[LibrarySchema], password: str | None
) -> str:
    """Equal if there is nothing to do; includes the password, which may have been created anew."""
    files = [
        f"{tree.schema}/{path.name}"
        for tree in trees
        for path in sorted((tree.folder / "versions").glob("*.py"))
    ]
    versions = [f"{library.schema}={library.version}" for library in libraries]
    role = f"role={digest(password)}" if password else "role"
    return digest("\n".join([*files, *versions, role]))


def _recorded(admin_url: str) -> str | None:
    with connected(admin_url) as connection:
        row = connection.execute("SELECT to_regclass('whence.schema_state') IS NOT NULL").fetchone()
        if not row or not row[0]:
            return None
        check_app_role(connection)
        row = connection.execute("SELECT fingerprint FROM whence.schema_state").fetchone()
        return row[0] if row else None


@contextmanager
def _in_words() -> Generator[None]:
    try:
        yield
    except ProgrammingError as error:
        if not isinstance(error.orig, psycopg.errors.InsufficientPrivilege):
            raise
        first_line = str(error.orig).splitlines()[0]
        raise Misconfigured(
            f"The role in WHENCE_DATABASE_URL may not set up the database ({first_line}); "
            "make it the database's owner, and have an administrator run CREATE EXTENSION vector "
            "in it once."
        ) from error


def connected(admin_url: str) -> psycopg.Connection[TupleRow]:
    """A connection of the database's owner; raises DatabaseUnreachable."""
    try:
        return psycopg.connect(admin_url, connect_timeout=_CONNECT_SECONDS)
    except psycopg.OperationalError as error:
        first_line = str(error).strip().splitlines()[0]
        raise DatabaseUnreachable(
            f"{inspect.getdoc(DatabaseUnreachable)} ({first_line})"
        ) from error


def _check_server(connection: Connection) -> None:
    number = int(connection.exec_driver_sql("SHOW server_version_num").scalar_one())
    if number < _MINIMUM_SERVER:
        raise Misconfigured(f"PostgreSQL {number // 10000} is too old; whence needs 16 or newer.")
    server = connection.exec_driver_sql(
        "SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'"
    ).scalar_one()
    if not server:
        raise Misconfigured(
            "This PostgreSQL server has no pgvector; install pgvector 0.7 or newer."
        )
    connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")


def _check_line(tree: Tree) -> None:
    for fault in line_faults(revisions(tree.folder)):
        raise SplitMigrations(f"The migrations of '{tree.schema}' are not in one line: {fault}.")


def _upgrade(connection: Connection, tree: Tree) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(CORE_TREE))
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", str(tree.folder / "versions"))
    config.attributes["connection"] = connection
    config.attributes["schema"] = tree.schema
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise NewerDatabase(f"{NewerDatabase().message} ({tree.schema}: {error})") from error


def _grant_library(connection: Connection, schema: str) -> None:
    connection.exec_driver_sql(f"""
        GRANT USAGE ON SCHEMA "{schema}" TO {APP_ROLE};
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "{schema}" TO {APP_ROLE};
        GRANT USAGE ON ALL SEQUENCES IN SCHEMA "{schema}" TO {APP_ROLE};
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA "{schema}" TO {APP_ROLE};
    """)
