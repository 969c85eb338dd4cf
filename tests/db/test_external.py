"""`WHENCE_DATABASE_URL`: a server of one's own, whose owner is no superuser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr
from sqlalchemy import text

from pruning import prune
from whence.app import build
from whence.chat.transcript import sessions
from whence.chat.turns.research_updates import begin_following
from whence.db import database
from whence.db.database import Database
from whence.kernel.clock import now
from whence.kernel.errors import Unavailable
from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.tenancy.local import local_owner

pytestmark = pytest.mark.anyio


@pytest.fixture
def managed(postgres: str, template: str) -> Iterator[str]:
    """A database as a managed service gives it: its owner has rights, but is no superuser."""
    name = f"managed_{new_id().hex}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{name}'".encode())
        connection.execute(f"GRANT whence_app TO {name}".encode())
        connection.execute(f"CREATE DATABASE {name} OWNER {name}".encode())
    url = make_conninfo(postgres, dbname=name)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    yield make_conninfo(url, user=name, password=name)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
        connection.execute(f"DROP ROLE {name}".encode())


async def test_an_owner_that_is_no_superuser_can_install_and_use_it(
    managed: str, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path, database_url=SecretStr(managed))
    for _ in range(2):
        async with build.platform(settings) as platform, platform.unit(platform.owner) as session:
            me = await session.execute(text("SELECT current_user, name FROM whence.organizations"))
            assert me.all() == [("whence_app", "My organization")]
    assert local_owner(managed) == platform.owner


async def test_an_owner_that_is_no_superuser_prunes_what_finished_runs_left(
    managed: str, tmp_path: Path
) -> None:
    """Row-level security binds such an owner too, and with it the functions that it owns."""
    settings = Settings(home=tmp_path, database_url=SecretStr(managed))
    run = {"run": new_id()}
    async with build.platform(settings) as platform:
        async with platform.unit(platform.owner) as session:
            await session.execute(
                text(
                    "WITH w AS (INSERT INTO whence.work (id, type, queue, handler, status,"
                    " priority, requested_by, created_at, completed_at) VALUES (:run, 'research',"
                    " 'whence', 'research.attempt', 'success', 0, :run, now(),"
                    " now() - interval '1 year'))"
                    " INSERT INTO whence.runs (id, kind, subject_id, flow, flow_version)"
                    " VALUES (:run, 'items', :run, 'research', '1')"
                ),
                run,
            )
            await session.execute(text("SELECT whence.append_event(:run, 'progress', '{}')"), run)
        pruned = await prune(platform, settings)
        assert pruned == {name: int(name in ("checkpoints", "events")) for name in pruned}
        async with platform.unit(platform.owner) as session:
            assert await session.scalar(text("SELECT count(*) FROM whence.events")) == 0


async def test_an_owner_that_is_no_superuser_removes_files_that_no_row_names(
    managed: str, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path, database_url=SecretStr(managed))
    async with build.platform(settings) as platform:
        files = platform.files
        async with platform.unit(platform.owner) as session:
            await files.keep_bytes(session, b"named by nothing", "text/plain")
        assert await files.prune_unnamed(now() - timedelta(days=1), 100) == 0
        assert await files.prune_unnamed(now() + timedelta(minutes=1), 100) == 1
        async with platform.unit(platform.owner) as session:
            left = "SELECT count(*) FROM whence.files, whence.file_chunks"
            assert await session.scalar(text(left)) == 0


async def test_an_owner_that_is_no_superuser_finds_the_conversations_to_tend(
    managed: str, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path, database_url=SecretStr(managed))
    async with build.platform(settings) as platform:
        async with platform.unit(platform.owner) as session:
            conversation = await sessions.open_session(session, platform.owner, "items", new_id())
            await begin_following(session, platform.owner, conversation.id, new_id(), is_new=True)
            late = "UPDATE whence.chat_sessions SET turn_id = id, turn_lease = '2020-01-01'"
            await session.execute(text(late))
        following = await platform.db.rows("SELECT session_id FROM whence.overdue_turns()", {})
        assert following == [(conversation.id,)]
        waiting = "SELECT count(*) FROM whence.open_followings(CAST('{}' AS uuid[]))"
        assert await platform.db.rows(waiting, {}) == [(1,)]


async def test_the_application_works_as_its_own_role_and_not_as_the_owner(platform: Any) -> None:
    async with platform.unit(platform.owner) as session:
        assert (await session.execute(text("SELECT current_user"))).scalar_one() == "whence_app"
    async with platform.queue.app.connector.pool.connection() as connection:
        row = await (await connection.execute("SELECT current_user")).fetchone()
        assert row == ("whence_app",)


async def test_an_unknown_server_is_an_error_in_words(tmp_path: Path) -> None:
    settings = Settings(
        home=tmp_path, database_url=SecretStr("postgresql://nobody@127.0.0.1:1/nowhere")
    )
    with pytest.raises(Unavailable, match="WHENCE_DATABASE_URL"):
        async with build.platform(settings):
            pass


async def test_a_unit_waits_only_so_long_for_a_free_connection(
    platform: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "POOL_SIZE", 1)
    monkeypatch.setattr(database, "POOL_OVERFLOW", 0)
    monkeypatch.setattr(database, "POOL_WAIT_SECONDS", 0.2)
    small = Database(platform.db.conninfo)
    async with small.unit(None):
        with pytest.raises(database.DatabaseBusy):
            async with small.unit(None):
                pass
    async with small.unit(None) as session:  # and it is there again afterwards
        assert (await session.execute(text("SELECT 1"))).scalar_one() == 1
    await small.close()


async def test_a_unit_that_fails_leaves_nothing(platform: Any) -> None:
    async with platform.unit(platform.owner) as session:
        await session.execute(text("UPDATE whence.organizations SET name = 'changed'"))
        await session.rollback()
    async with platform.unit(platform.owner) as session:
        name = await session.execute(text("SELECT name FROM whence.organizations"))
        assert name.scalar_one() == "My organization"


async def test_a_tenant_does_not_stay_on_a_connection(platform: Any) -> None:
    async with platform.unit(platform.owner) as session:
        assert (await session.execute(text("SELECT whence.current_org()"))).scalar_one()
    for _ in range(20):
        async with platform.db.unit(None) as session:
            rows = await session.execute(text("SELECT whence.current_org()"))
            assert rows.scalar_one() is None


async def test_values_that_do_not_fit_are_an_error_in_words(platform: Any) -> None:
    with pytest.raises(database.Unstorable):
        async with platform.unit(platform.owner) as session:
            await session.execute(text("SELECT 99999999999::int"))


async def test_the_embedded_database_is_used_through_a_login_of_its_own() -> None:
    home = Path(os.environ["WHENCE_TEST_FOLDER"]) / f"own-{new_id().hex}"
    home.mkdir()
    home.chmod(0o755)
    query = text("SELECT session_user, current_user, count(*) FROM whence.organizations")
    try:
        async with build.platform(Settings(home=home)) as platform:
            async with platform.unit(platform.owner) as session:
                assert (await session.execute(query)).one() == ("whence_app", "whence_app", 1)
            async with platform.db.unit(None) as session:
                assert (await session.execute(query)).one()[2] == 0
    finally:
        shutil.rmtree(home, ignore_errors=True)
