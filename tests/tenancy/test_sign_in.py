"""Signing in with e-mail and password."""

from __future__ import annotations

from typing import Any

import pytest

from whence.tenancy import accounts, passwords
from whence.tenancy.accounts import WrongCredentials
from whence.tenancy.passwords import Parameters
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
HERE = "192.0.2.7"


@pytest.fixture
def sign_in(platform: Any) -> Any:
    async def enter(email: str, password: str, **more: Any) -> Any:
        return await accounts.sign_in(platform.db, email, password, **{"address": HERE} | more)

    return enter


async def test_the_right_password_opens_the_account(new_person: Any, sign_in: Any) -> None:
    person = await new_person(Role.MEMBER)
    assert await sign_in(person.email, person.password) == person.who
    assert await sign_in(f"  {person.email.upper()} ", person.password) == person.who


async def test_a_wrong_password_and_an_unknown_account_are_told_in_the_same_words(
    new_person: Any, sign_in: Any, platform: Any
) -> None:
    person = await new_person()
    statements: set[tuple[type, str]] = set()
    tries = [
        (person.email, "not the password"),
        ("nobody@example.org", person.password),
        ("no address", person.password),
        ("owner@localhost", ""),
        (person.email, "x" * 100_000),
        (person.email, "\x00\ud800"),
    ]
    for email, password in tries:
        with pytest.raises(WrongCredentials) as caught:
            await sign_in(email, password)
        statements.add((type(caught.value), caught.value.message))
    assert len(statements) == 1


async def test_an_unknown_account_costs_the_same_hash(
    sign_in: Any, monkeypatch: pytest.MonkeyPatch, new_person: Any
) -> None:
    person = await new_person()
    costs: list[Parameters] = []
    hash_with = passwords.PasswordHasher.hash

    def counted(self: passwords.PasswordHasher, *args: Any, **kwargs: Any) -> str:
        costs.append(Parameters(self.time_cost, self.memory_cost, self.parallelism))
        return hash_with(self, *args, **kwargs)

    monkeypatch.setattr(passwords.PasswordHasher, "hash", counted)
    for email in (person.email, "nobody@example.org"):
        with pytest.raises(WrongCredentials):
            await sign_in(email, "not the password")
    assert costs == [passwords.PARAMETERS] * 2


async def test_the_password_is_never_in_the_database(
    new_person: Any, sign_in: Any, sql: Any
) -> None:
    person = await new_person()
    await sign_in(person.email, person.password)
    with pytest.raises(WrongCredentials):
        await sign_in(person.email, "a slip of the pen")
    for (table,) in sql(
        "SELECT c.oid::regclass::text FROM pg_class c WHERE relkind = 'r'"
        " AND relnamespace = 'whence'::regnamespace"
    ):
        rows = str(sql(f"SELECT t::text FROM {table} t"))
        for secret in (person.password, "a slip of the pen"):
            assert secret not in rows, table
            assert secret.encode().hex() not in rows, table


async def test_a_hash_of_older_parameters_is_renewed_at_the_next_sign_in(
    new_person: Any, sign_in: Any, sql: Any
) -> None:
    person = await new_person()
    old = await passwords.hashed(person.password, b"s" * 16, Parameters(1, 8 * 1024, 1))
    sql(
        "UPDATE whence.passwords SET salt = %s, parameters = %s, digest = %s",
        (old.salt, str(old.parameters), old.digest),
    )
    await sign_in(person.email, person.password)
    [(salt, parameters)] = sql("SELECT salt, parameters FROM whence.passwords")
    assert (Parameters.parsed(parameters), bytes(salt) != old.salt) == (passwords.PARAMETERS, True)
    await sign_in(person.email, person.password)


async def test_an_account_of_several_organizations_enters_the_first_or_the_one_it_names(
    platform: Any, new_person: Any, new_principal: Any, sign_in: Any, sql: Any
) -> None:
    person, other = await new_person(), new_principal()
    sql(
        "INSERT INTO whence.memberships (org_id, user_id, role) VALUES (%s, %s, 'viewer')",
        (other.org_id, person.who.user_id),
    )
    assert (await sign_in(person.email, person.password)).org_id == person.who.org_id
    second = await sign_in(person.email, person.password, organization=other.org_id)
    assert (second.org_id, second.role) == (other.org_id, Role.VIEWER)
    assert [(o.org_id, o.role) for o in await accounts.organizations(platform.db, second)] == [
        (person.who.org_id, Role.OWNER),
        (other.org_id, Role.VIEWER),
    ]
    assert await accounts.switch(platform.db, second, person.who.org_id) == person.who
    with pytest.raises(WrongCredentials):
        await sign_in(person.email, person.password, organization=platform.owner.org_id)


async def test_an_account_without_any_organization_is_out(
    new_person: Any, sign_in: Any, sql: Any
) -> None:
    person = await new_person()
    sql("DELETE FROM whence.memberships WHERE user_id = %s", (person.who.user_id,))
    with pytest.raises(WrongCredentials):
        await sign_in(person.email, person.password)


async def test_a_failed_sign_in_is_in_the_audit_log_of_the_accounts_organizations(
    new_person: Any, sign_in: Any, sql: Any
) -> None:
    person = await new_person()
    for email in (person.email, "nobody@example.org"):
        with pytest.raises(WrongCredentials):
            await sign_in(email, "not the password")
    assert sql("SELECT org_id, user_id, action, kind, detail FROM whence.audit_log") == [
        (
            person.who.org_id,
            person.who.user_id,
            "sign_in_failed",
            "account",
            {"by": "visitor", "address": HERE},
        )
    ]
