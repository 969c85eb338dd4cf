"""Another password: by a link of the operator, or by the present one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from whence.tenancy import accounts, operator, sessions
from whence.tenancy.accounts import BadLink, WrongCredentials
from whence.tenancy.passwords import WeakPassword
from whence.tenancy.tokens import BadToken

pytestmark = pytest.mark.anyio
NEXT = "a lantern under water"
HERE = "192.0.2.7"


async def test_a_link_sets_the_password_once(
    platform: Any, new_person: Any, database_url: str
) -> None:
    person = await new_person()
    link = operator.reset(database_url, person.email)
    await accounts.reset_password(platform.db, link, NEXT)
    assert await accounts.sign_in(platform.db, person.email, NEXT, address=HERE) == person.who
    with pytest.raises(WrongCredentials):
        await accounts.sign_in(platform.db, person.email, person.password, address=HERE)
    with pytest.raises(BadLink):
        await accounts.reset_password(platform.db, link, "yet another lantern")


async def test_a_link_used_twice_at_once_sets_one_password(
    platform: Any, new_person: Any, database_url: str, raced: Any
) -> None:
    person = await new_person()
    link = operator.reset(database_url, person.email)
    wanted = [f"{NEXT} {n}" for n in range(4)]
    acts = [accounts.reset_password(platform.db, link, new) for new in wanted]
    results = await raced("password_links", acts)
    assert sum(isinstance(item, BadLink) for item in results) == 3
    [new] = [new for new, item in zip(wanted, results, strict=True) if item is None]
    await accounts.sign_in(platform.db, person.email, new, address=HERE)


async def test_a_link_ends_after_an_hour_and_when_a_newer_one_is_made(
    platform: Any, new_person: Any, database_url: str, sql: Any
) -> None:
    person = await new_person()
    first, second = (operator.reset(database_url, person.email) for _ in range(2))
    with pytest.raises(BadLink):
        await accounts.reset_password(platform.db, first, NEXT)
    [(hour,)] = sql(
        "SELECT extract(epoch FROM expires_at - created_at)::int FROM whence.password_links"
        " WHERE used_at IS NULL"
    )
    assert abs(hour - 3600) < 60
    sql("UPDATE whence.password_links SET expires_at = now() - interval '1 second'")
    with pytest.raises(BadLink):
        await accounts.reset_password(platform.db, second, NEXT)


async def test_a_reset_ends_every_session_in_every_organization(
    platform: Any, new_person: Any, database_url: str, sql: Any
) -> None:
    person = await new_person()
    sql(
        "INSERT INTO whence.memberships (org_id, user_id, role) VALUES (%s, %s, 'viewer')",
        (platform.owner.org_id, person.who.user_id),
    )
    begun = [
        await sessions.start(platform.db, who, label="x", settings=platform.settings)
        for who in (person.who, replace(person.who, org_id=platform.owner.org_id))
    ]
    bystander = await sessions.start(
        platform.db, platform.owner, label="x", settings=platform.settings
    )
    link = operator.reset(database_url, person.email)
    for started in begun:  # asking for a link ends nothing yet
        await sessions.authenticate(platform.db, started.access)
    await accounts.reset_password(platform.db, link, NEXT)
    for started in begun:
        with pytest.raises(BadToken):
            await sessions.authenticate(platform.db, started.access)
        with pytest.raises(BadToken):
            await sessions.refresh(platform.db, started.refresh, settings=platform.settings)
    await sessions.authenticate(platform.db, bystander.access)
    audited = sql("SELECT org_id FROM whence.audit_log WHERE action = 'reset_password'")
    assert {org for (org,) in audited} == {person.who.org_id, platform.owner.org_id}


async def test_a_weak_password_leaves_the_link_good(
    platform: Any, new_person: Any, database_url: str
) -> None:
    person = await new_person()
    link = operator.reset(database_url, person.email)
    for weak in ("short", "1234567890", person.email, person.email.partition("@")[0], "x" * 201):
        with pytest.raises(WeakPassword):
            await accounts.reset_password(platform.db, link, weak)
    await accounts.reset_password(platform.db, link, NEXT)


async def test_a_link_is_kept_as_its_hash(new_person: Any, database_url: str, sql: Any) -> None:
    person = await new_person()
    link = operator.reset(database_url, person.email)
    rows = str(sql("SELECT l::text FROM whence.password_links l"))
    assert link not in rows
    assert link.encode().hex() not in rows


@pytest.mark.parametrize("link", ["", "whp_", "whp_invented", "x" * 5000, "\x00\ud800"])
async def test_a_link_that_was_never_made_is_refused(platform: Any, link: str) -> None:
    with pytest.raises(BadLink):
        await accounts.reset_password(platform.db, link, NEXT)


async def test_changing_the_password_needs_the_present_one_and_ends_the_other_sessions(
    platform: Any, new_person: Any
) -> None:
    person, db = await new_person(), platform.db
    here, there = [
        await sessions.start(db, person.who, label="x", settings=platform.settings)
        for _ in range(2)
    ]
    with pytest.raises(WrongCredentials):
        await accounts.change_password(db, here.who, "not the password", NEXT)
    with pytest.raises(WeakPassword):
        await accounts.change_password(db, here.who, person.password, "short")
    with pytest.raises(WeakPassword):
        await accounts.change_password(db, here.who, person.password, "Another")
    await accounts.change_password(db, here.who, person.password, NEXT)
    await sessions.authenticate(db, here.access)
    with pytest.raises(BadToken):
        await sessions.authenticate(db, there.access)
    await accounts.sign_in(db, person.email, NEXT, address=HERE)


async def test_a_wrong_present_password_is_in_the_audit_log_without_it(
    platform: Any, new_person: Any, sql: Any
) -> None:
    person = await new_person()
    here = await sessions.start(platform.db, person.who, label="x", settings=platform.settings)
    with pytest.raises(WrongCredentials):
        await accounts.change_password(platform.db, here.who, "not the password", NEXT)
    rows = sql(
        "SELECT org_id, user_id, detail FROM whence.audit_log"
        " WHERE action = 'change_password_failed'"
    )
    by = {"credential": str(here.who.credential)}
    assert rows == [(person.who.org_id, person.who.user_id, by)]


async def test_a_link_that_is_over_is_in_the_audit_log_when_it_is_tried_again(
    platform: Any, new_person: Any, database_url: str, sql: Any
) -> None:
    person = await new_person()
    link = str(operator.reset(database_url, person.email))
    await accounts.reset_password(platform.db, link, NEXT)
    for secret in (link, "whp_invented"):
        with pytest.raises(BadLink):
            await accounts.reset_password(platform.db, secret, NEXT, address=HERE)
    rows = sql(
        "SELECT org_id, user_id, detail FROM whence.audit_log"
        " WHERE action = 'reset_password_failed'"
    )
    assert rows == [(person.who.org_id, person.who.user_id, {"address": HERE, "by": "visitor"})]
    assert link not in str(sql("SELECT l::text FROM whence.audit_log l"))


async def test_the_local_owner_without_a_password_cannot_be_signed_in_by_one(
    platform: Any,
) -> None:
    for password in ("", "x", "None", "\x00"):
        with pytest.raises(WrongCredentials):
            await accounts.sign_in(platform.db, "owner@localhost", password, address=HERE)
