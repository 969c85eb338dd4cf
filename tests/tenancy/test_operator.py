"""What an operator does; and all of it where the database's owner is no superuser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from whence.app import build
from whence.kernel.errors import Invalid, NotFound
from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.tenancy import accounts, installation, invitations, operator, sessions, tokens
from whence.tenancy.accounts import LastOwner, WrongCredentials
from whence.tenancy.principal import Role
from whence.tenancy.sessions import ReusedRefresh
from whence.tenancy.tokens import BadToken

pytestmark = pytest.mark.anyio
EMAIL, FRIEND, HERE = "ada@example.org", "bob@example.org", "192.0.2.1"
PASSWORD, NEXT = "a herring in the attic", "a lantern under water"
OWNER = "owner@localhost"


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (lambda url: operator.reset(url, "nobody@example.org"), NotFound),
        (lambda url: operator.create(url, "no address"), Invalid),
        (lambda url: operator.create(url, OWNER), Invalid),
        (lambda url: operator.create(url, EMAIL, organization="x"), NotFound),
        (lambda url: operator.set_role(url, OWNER, Role.VIEWER), LastOwner),
        (lambda url: operator.remove(url, OWNER), LastOwner),
        (lambda url: operator.member(url, "nobody@example.org"), NotFound),
        (lambda url: installation.create_organization(url, " "), Invalid),
        (lambda url: installation.create_organization(url, "MY organization"), Invalid),
    ],
    ids=range(9),
)
def test_what_cannot_be_done_is_said(
    database_url: str, act: Callable[[str], object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        act(database_url)


def test_a_second_organization_has_to_be_named(database_url: str) -> None:
    org = installation.create_organization(database_url, "Second")
    with pytest.raises(Invalid, match="--organization"):
        operator.create(database_url, EMAIL)
    assert operator.create(database_url, EMAIL, organization="second", role=Role.OWNER)
    assert operator.create(database_url, EMAIL, organization="My organization") is None
    with pytest.raises(Invalid, match="already a member"):
        operator.create(database_url, EMAIL, organization=str(org))
    with pytest.raises(LastOwner):
        operator.remove(database_url, EMAIL, str(org))
    lines = [(line.organization, line.role) for line in operator.listed(database_url)]
    assert lines == [
        ("My organization", "member"),
        ("My organization", "owner"),
        ("Second", "owner"),
    ]
    assert [(o.name, o.members) for o in installation.organizations(database_url)] == [
        ("My organization", 2),
        ("Second", 1),
    ]


def test_what_an_operator_does_is_in_the_audit_log(database_url: str, sql: Any) -> None:
    operator.create(database_url, EMAIL)
    operator.set_role(database_url, EMAIL, Role.VIEWER)
    operator.reset(database_url, EMAIL)
    operator.sign_out(database_url, EMAIL)
    operator.remove(database_url, EMAIL)
    rows = sql("SELECT action, kind, detail->>'by' FROM whence.audit_log ORDER BY at")
    acts = ("create_account", "set_role", "ask_reset", "sign_out_everywhere", "remove_member")
    assert rows == [(act, "account", "operator") for act in acts]


async def test_every_revocation_is_told_with_the_users_id(
    platform: Any, database_url: str, new_person: Any
) -> None:
    person, db = await new_person(Role.MEMBER, platform.owner.org_id), platform.db
    user = person.who.user_id
    begun = [
        await sessions.start(db, person.who, label="x", settings=platform.settings)
        for _ in range(2)
    ]
    await tokens.issue(db, person.who, "script")
    [token] = await tokens.listed(db, person.who)
    link = operator.reset(database_url, person.email)
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as event:
        await event.execute("LISTEN whence_revocations")
        for act in (
            lambda: tokens.revoke(db, person.who, token.id),
            lambda: sessions.end(db, person.who, begun[0].who.credential),
            lambda: sessions.end_all(db, person.who),
            lambda: accounts.set_role(db, platform.owner, user, Role.VIEWER),
            lambda: accounts.reset_password(db, str(link), NEXT),
            lambda: accounts.change_password(db, person.who, NEXT, PASSWORD),
            lambda: accounts.remove(db, platform.owner, user),
        ):
            await act()
            payloads = [item.payload async for item in event.notifies(timeout=5, stop_after=1)]
            assert payloads == [str(user)]


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


async def test_accounts_work_where_the_databases_owner_is_no_superuser(
    managed: str, tmp_path: Path
) -> None:
    """Row-level security binds such an owner too, and with it the functions that it owns."""
    settings = Settings(home=tmp_path, database_url=SecretStr(managed))
    async with build.platform(settings) as platform:
        db = platform.db
        installation.create_organization(managed, "Second")
        link = operator.create(managed, EMAIL, organization="Second", role=Role.OWNER)
        await accounts.reset_password(db, str(link), PASSWORD)
        with pytest.raises(WrongCredentials):
            await accounts.sign_in(db, EMAIL, NEXT, address=HERE)
        ada = await accounts.sign_in(db, EMAIL, PASSWORD, address=HERE)
        first = await sessions.start(db, ada, label="x", settings=settings)
        second = await sessions.refresh(db, first.refresh, settings=settings)
        installation.rotate_keys(managed, timedelta(minutes=1))
        assert await sessions.authenticate(db, second.access) == ada

        invitation = await invitations.invite(db, ada, FRIEND, Role.MEMBER)
        bob = await invitations.accept(db, invitation, "Bob", PASSWORD)
        token = await tokens.issue(db, bob, "script")
        await accounts.set_role(db, ada, bob.user_id, Role.VIEWER)
        assert (await tokens.authenticate(db, token, ("api",))).role is Role.VIEWER
        assert [m.email for m in await accounts.members(db, ada)] == [EMAIL, FRIEND]
        await accounts.change_password(db, bob, PASSWORD, NEXT)
        assert operator.sign_out(managed, FRIEND, tokens=True) == (0, 1)
        with pytest.raises(BadToken):
            await tokens.authenticate(db, token, ("api",))
        operator.remove(managed, FRIEND, "Second")

        with psycopg.connect(managed) as owner:
            owner.execute("UPDATE whence.sessions SET rotated_at = now() - interval '1 hour'")
        with pytest.raises(ReusedRefresh):
            await sessions.refresh(db, first.refresh, settings=settings)
        with psycopg.connect(managed) as owner:
            acts = owner.execute("SELECT DISTINCT action FROM whence.audit_log").fetchall()
        assert {"sign_in_failed", "reset_password", "reused_refresh"} <= {act for (act,) in acts}
