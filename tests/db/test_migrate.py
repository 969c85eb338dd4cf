"""Migrations: fresh, repeated, at once, and all or nothing."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo
from sqlalchemy.exc import DBAPIError

from conftest import new_folder
from whence.db.app_role import check_app_role
from whence.db.embedded import EmbeddedPostgres
from whence.db.migrate import Tree, migrate
from whence.kernel.errors import Misconfigured
from whence.kernel.ids import new_id
from whence.research.checkpoint_schema import CHECKPOINTS_SCHEMA
from whence.work.schema import JOBS_SCHEMA

LIBRARIES = [JOBS_SCHEMA, CHECKPOINTS_SCHEMA]
MIGRATION = """
from whence.sdk.migrations import run_sql_beside
revision = "{revision}"
down_revision = {before}
def upgrade() -> None:
    run_sql_beside(__file__)
"""
NewDatabase = Callable[..., str]


@pytest.fixture
def new_database(postgres: str) -> Iterator[NewDatabase]:
    """`new_database(owner=...)`: an empty one, dropped after the test."""
    names: list[str] = []

    def make(owner: str | None = None) -> str:
        names.append(f"empty_{new_id().hex}")
        with psycopg.connect(postgres, autocommit=True) as connection:
            name = sql.Identifier(names[-1])
            connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
            if owner:
                change = sql.SQL("ALTER DATABASE {} OWNER TO {}")
                connection.execute(change.format(name, sql.Identifier(owner)))
        return make_conninfo(postgres, dbname=names[-1])

    yield make
    with psycopg.connect(postgres, autocommit=True) as connection:
        for name in names:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(name)))


def _pack(folder: Path, *statements: str) -> Tree:
    versions = folder / "migrations" / "versions"
    versions.mkdir(parents=True, exist_ok=True)
    for number, statement in enumerate(statements, 1):
        before = repr(f"{number - 1:04}") if number > 1 else None
        text = MIGRATION.format(revision=f"{number:04}", before=before)
        (versions / f"{number:04}_step.py").write_text(text)
        (versions / f"{number:04}_step.sql").write_text(statement)
    return Tree("novel", folder / "migrations")


def _tables(url: str, schema: str) -> list[str]:
    with psycopg.connect(url) as connection:
        query = "SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY 1"
        return [name for (name,) in connection.execute(query, (schema,))]


def test_a_fresh_database_is_brought_to_this_version_once(new_database: NewDatabase) -> None:
    url = new_database()
    assert migrate(url, [], LIBRARIES, None)
    assert "runs" in _tables(url, "whence")
    assert "procrastinate_jobs" in _tables(url, "jobs")
    assert "checkpoints" in _tables(url, "checkpoints")
    assert not migrate(url, [], LIBRARIES, None)


def test_two_processes_at_once_apply_everything_once(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    url, pack = new_database(), _pack(tmp_path, "CREATE TABLE novel.one (id int);")
    with ThreadPoolExecutor(3) as pool:
        applied = list(pool.map(lambda _: migrate(url, [pack], LIBRARIES, None), range(3)))
    assert any(applied)
    assert _tables(url, "novel") == ["one", "schema_version"]


def test_a_new_migration_of_a_pack_is_applied_to_an_old_database(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    url = new_database()
    one, two = "CREATE TABLE novel.one (id int);", "CREATE TABLE novel.two (id int);"
    migrate(url, [_pack(tmp_path, one)], LIBRARIES, None)
    assert migrate(url, [_pack(tmp_path, one, two)], LIBRARIES, None)
    assert _tables(url, "novel") == ["one", "schema_version", "two"]


def test_a_migration_that_fails_leaves_nothing_half_applied(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    url = new_database()
    broken = _pack(tmp_path, "CREATE TABLE novel.one (id int);", "SELECT nonsense();")
    with pytest.raises((psycopg.Error, DBAPIError), match="nonsense"):
        migrate(url, [broken], LIBRARIES, None)
    for schema in ("whence", "jobs", "checkpoints", "novel"):
        assert _tables(url, schema) == []
    mended = _pack(tmp_path, "CREATE TABLE novel.one (id int);", "SELECT 1;")
    assert migrate(url, [mended], LIBRARIES, None)


def test_a_failing_pack_leaves_a_working_database_as_it_was(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    url = new_database()
    migrate(url, [], LIBRARIES, None)
    with pytest.raises((psycopg.Error, DBAPIError)):
        migrate(url, [_pack(tmp_path, "CREATE TABLE novel.one (id int); broken;")], LIBRARIES, None)
    assert _tables(url, "novel") == []
    assert not migrate(url, [], LIBRARIES, None)


@pytest.fixture
def role(postgres: str) -> Iterator[Callable[[str], str]]:
    """`role("CREATEROLE")`: a login of its own with these attributes; its name is its password."""
    names: list[str] = []

    def make(attributes: str) -> str:
        names.append(f"role_{new_id().hex}")
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute(
                f"CREATE ROLE {names[-1]} LOGIN PASSWORD '{names[-1]}' {attributes}".encode()
            )
        return names[-1]

    yield make
    with psycopg.connect(postgres, autocommit=True) as connection:
        for name in names:
            connection.execute(f"REASSIGN OWNED BY {name} TO CURRENT_USER".encode())
            connection.execute(f"DROP ROLE {name}".encode())


def _as(url: str, role: str) -> str:
    return make_conninfo(url, user=role, password=role)


def test_a_role_without_rights_is_told_what_to_grant(
    template: str, new_database: NewDatabase, role: Callable[[str], str]
) -> None:
    nobody = role("NOCREATEROLE")
    url = new_database(owner=nobody)
    with psycopg.connect(url) as connection:
        connection.execute("CREATE EXTENSION vector")
    with pytest.raises(Misconfigured, match=r"may not create the role whence_app; grant it"):
        migrate(_as(url, nobody), [], LIBRARIES, None)


def test_a_role_that_may_not_set_up_the_database_is_told_so(
    new_database: NewDatabase, role: Callable[[str], str]
) -> None:
    with pytest.raises(Misconfigured, match=r"may not set up the database .*CREATE EXTENSION"):
        migrate(_as(new_database(), role("CREATEROLE")), [], LIBRARIES, None)


@pytest.mark.parametrize("attribute", ["BYPASSRLS", "SUPERUSER"])
def test_an_application_role_that_is_exempt_is_refused(
    new_database: NewDatabase, attribute: str
) -> None:
    url = new_database()
    migrate(url, [], LIBRARIES, None)
    with psycopg.connect(url) as connection:
        # Not committed: the role is the whole server's, and other tests rely on it.
        connection.execute(f"ALTER ROLE whence_app {attribute}".encode())
        with pytest.raises(Misconfigured, match="exempt from row-level security"):
            check_app_role(connection)
        connection.rollback()


@pytest.fixture
def new_server() -> Iterator[str]:
    """The address of a server of its own, where nobody has made the application's role yet."""
    folder = new_folder()
    try:
        with EmbeddedPostgres(folder / "home", extra_settings={"fsync": "off"}) as server:
            yield server.admin_url
    finally:
        shutil.rmtree(folder)


def _databases(server: str, *names: str) -> list[str]:
    with psycopg.connect(server, autocommit=True) as connection:
        for name in names:
            connection.execute(f"CREATE DATABASE {name}".encode())
    return [make_conninfo(server, dbname=name) for name in names]


def _wait_for_a_blocked_transaction(server: str, migration: Future[bool]) -> None:
    blocked = "SELECT FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0"
    with psycopg.connect(server, autocommit=True) as connection:
        while connection.execute(blocked).fetchone() is None and not migration.done():
            time.sleep(0.01)


@pytest.mark.parametrize(
    ("before", "meanwhile"),
    [
        pytest.param(None, "CREATE ROLE whence_app", id="created"),
        pytest.param("CREATE ROLE whence_app", "ALTER ROLE whence_app LOGIN", id="altered"),
    ],
)
def test_a_migration_waits_for_another_database_that_sets_up_the_role(
    new_server: str, before: str | None, meanwhile: str
) -> None:
    [url] = _databases(new_server, "one")
    with psycopg.connect(new_server, autocommit=True) as connection:
        if before:
            connection.execute(before.encode())
    with psycopg.connect(new_server) as other, ThreadPoolExecutor(1) as pool:
        other.execute(meanwhile.encode())
        migration = pool.submit(migrate, url, [], LIBRARIES, "a password")
        _wait_for_a_blocked_transaction(new_server, migration)
        other.commit()
        assert migration.result()
    with psycopg.connect(url) as connection:
        [rights] = connection.execute(
            "SELECT rolcanlogin FROM pg_roles WHERE rolname = 'whence_app'"
        )
    assert rights == (True,)


def test_databases_of_one_new_server_are_migrated_at_once(new_server: str) -> None:
    urls = _databases(new_server, "one", "two", "three")
    with ThreadPoolExecutor(3) as pool:
        applied = list(pool.map(lambda url: migrate(url, [], LIBRARIES, "a password"), urls))
    assert applied == [True, True, True]
    assert all("runs" in _tables(url, "whence") for url in urls)
