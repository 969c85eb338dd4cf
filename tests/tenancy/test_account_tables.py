"""The tables of accounts attacked with the application's own role: the database is the guard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.errors import CheckViolation, InsufficientPrivilege

from whence.tenancy import invitations, operator, sessions, sign_in_throttle
from whence.tenancy.principal import Role
from whence.tenancy.refreshing import Refresh
from whence.tenancy.secret import hashed

pytestmark = pytest.mark.anyio


@pytest.fixture
def app(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection as injected SQL would have it: the app's role, and no tenant."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("SET ROLE whence_app")
        yield connection


@pytest.mark.parametrize(
    ("table", "column"),
    [("passwords", "digest"), ("password_links", "used_at"), ("signing_keys", "ends_at")],
)
async def test_what_must_not_be_read_is_not_readable_at_all(
    app: psycopg.Connection[Any], new_person: Any, database_url: str, table: str, column: str
) -> None:
    operator.reset(database_url, (await new_person()).email)
    for statement in (
        f"SELECT * FROM whence.{table}",
        f"SELECT count(*) FROM whence.{table}",
        f"UPDATE whence.{table} SET {column} = NULL",
        f"DELETE FROM whence.{table}",
        f"INSERT INTO whence.{table} DEFAULT VALUES",
        f"COPY whence.{table} TO STDOUT",
    ):
        with pytest.raises(InsufficientPrivilege):
            app.execute(statement.encode())


async def test_the_hash_of_a_password_never_leaves_the_database(
    app: psycopg.Connection[Any], new_person: Any, sql: Any
) -> None:
    person = await new_person()
    [(digest,)] = sql("SELECT digest FROM whence.passwords")
    for (function,) in app.execute(
        "SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'whence'::regnamespace"
        " AND p.prosecdef AND p.pronargs = 1 AND p.proargtypes[0] = 'text'::regtype"
    ).fetchall():
        rows = app.execute(f"SELECT whence.{function}(%s)".encode(), (person.email,)).fetchall()
        assert bytes(digest).hex() not in str(rows), function
    salt = app.execute("SELECT * FROM whence.password_salt(%s)", (person.email,)).fetchall()
    assert len(salt) == 1
    assert bytes(digest) not in salt[0]
    wrong = app.execute("SELECT * FROM whence.verify_password(%s, 'x')", (person.email,))
    assert wrong.fetchall() == []


async def test_sessions_and_invitations_are_seen_by_their_secret_and_not_changed_by_it(
    platform: Any, app: psycopg.Connection[Any]
) -> None:
    started = await sessions.start(
        platform.db, platform.owner, label="x", settings=platform.settings
    )
    link = await invitations.invite(platform.db, platform.owner, "a@example.org", Role.OWNER)
    family = Refresh.parsed(started.refresh)
    assert family is not None
    for table, setting, digest in (
        ("sessions", "whence.family_hash", hashed(family.family)),
        ("invitations", "whence.invitation_hash", hashed(link)),
    ):
        count = f"SELECT count(*) FROM whence.{table}".encode()
        assert app.execute(count).fetchone() == (0,)
        for shown in (b"\x00" * 32, hashed("invented")):
            app.execute("SELECT set_config(%s, %s, false)", (setting, shown.hex()))
            assert app.execute(count).fetchone() == (0,)
        app.execute("SELECT set_config(%s, %s, false)", (setting, digest.hex()))
        assert app.execute(count).fetchone() == (1,)
        for change in ("UPDATE whence.{} SET expires_at = now()", "DELETE FROM whence.{}"):
            assert app.execute(change.format(table).encode()).rowcount == 0


async def test_counters_are_seen_by_their_keys_only(
    platform: Any, app: psycopg.Connection[Any]
) -> None:
    this = await sign_in_throttle.count(platform.db, "ada@example.org", "192.0.2.1")
    count = b"SELECT count(*) FROM whence.sign_in_tries"
    assert app.execute(count).fetchone() == (0,)
    app.execute("SELECT set_config('whence.try_keys', %s, false)", (this.pair.hex(),))
    assert app.execute(count).fetchone() == (1,)
    assert app.execute("UPDATE whence.sign_in_tries SET level = 0").rowcount == 1
    with pytest.raises(InsufficientPrivilege):
        app.execute("DELETE FROM whence.sign_in_tries")
    with pytest.raises(InsufficientPrivilege):
        app.execute("INSERT INTO whence.sign_in_tries VALUES ('\\x00', 0, now())")


async def test_a_stranger_learns_no_organizations_of_others(
    platform: Any, app: psycopg.Connection[Any], new_principal: Any
) -> None:
    stranger = new_principal()
    question = "SELECT count(*) FROM whence.organizations_of(%s)"
    assert app.execute(question, (platform.owner.user_id,)).fetchone() == (0,)
    app.execute("SELECT set_config('whence.org_id', %s, false)", (str(stranger.org_id),))
    assert app.execute(question, (platform.owner.user_id,)).fetchone() == (0,)
    assert app.execute(question, (stranger.user_id,)).fetchone() == (1,)


def test_functions_with_their_owners_rights_are_pinned_and_the_applications_alone(
    sql: Any,
) -> None:
    rows = sql(
        "SELECT p.proname, p.proconfig, has_function_privilege('public', p.oid, 'EXECUTE')"
        " FROM pg_proc p WHERE p.pronamespace = 'whence'::regnamespace AND p.prosecdef"
    )
    mine = {"password_salt", "verify_password", "accept_invitation", "signing_secret"}
    assert mine <= {name for name, *_ in rows}
    for name, config, is_public in rows:
        assert any(item.startswith("search_path=") for item in config or ()), name
        assert not is_public, name


async def test_the_application_makes_no_user_organization_or_session_token(
    platform: Any, app: psycopg.Connection[Any], sql: Any
) -> None:
    app.execute("SELECT set_config('whence.org_id', %s, false)", (str(platform.owner.org_id),))
    for statement in (
        "INSERT INTO whence.users (id, email, name) VALUES (gen_random_uuid(), 'a', 'a')",
        "UPDATE whence.users SET email = 'a'",
        "INSERT INTO whence.organizations (org_id, name) VALUES (gen_random_uuid(), 'a')",
    ):
        with pytest.raises(InsufficientPrivilege):
            app.execute(statement.encode())
    with pytest.raises(CheckViolation):
        sql(
            "ALTER TABLE whence.api_tokens DROP CONSTRAINT api_tokens_org_id_user_id_fkey;"
            " INSERT INTO whence.api_tokens (org_id, id, user_id, name, kind, prefix, token_hash,"
            " scopes) VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'x',"
            " 'session', 'x', 'x', '{}')"
        )
