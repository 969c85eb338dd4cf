"""Tokens: only their hash is kept, and they end when they should."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from whence.kernel.clock import now
from whence.kernel.errors import Conflict, Forbidden, Invalid, NotFound
from whence.tenancy import accounts, tokens
from whence.tenancy.principal import SCOPES, Role, Scope
from whence.tenancy.tokens import BadToken

pytestmark = pytest.mark.anyio

API = ("api",)


async def test_a_token_speaks_for_its_owner(platform: Any) -> None:
    secret = await tokens.issue(platform.db, platform.owner, "script")
    assert await tokens.authenticate(platform.db, secret, API) == platform.owner


async def test_only_the_hash_of_a_token_is_kept(platform: Any, database_url: str) -> None:
    secret = await tokens.issue(platform.db, platform.owner, "script")
    with psycopg.connect(database_url) as connection:
        row = connection.execute("SELECT t::text, token_hash FROM whence.api_tokens t").fetchone()
    assert row is not None
    assert secret not in row[0]
    assert bytes(row[1]) == hashlib.sha256(secret.encode()).digest()
    assert len(secret) > 40


@pytest.mark.parametrize("secret", ["", "whence_", "whence_wrong", "x" * 5000, "' OR true --", "é"])
async def test_a_token_that_was_never_issued_is_refused(platform: Any, secret: str) -> None:
    await tokens.issue(platform.db, platform.owner, "script")
    with pytest.raises(BadToken):
        await tokens.authenticate(platform.db, secret, API)


async def test_a_token_expires(platform: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    short = await tokens.issue(platform.db, platform.owner, "x", lifetime=timedelta(hours=1))
    await tokens.authenticate(platform.db, short, API)
    monkeypatch.setattr(tokens, "now", lambda: now() + timedelta(hours=1, seconds=1))
    with pytest.raises(BadToken):
        await tokens.authenticate(platform.db, short, API)


async def test_a_revoked_token_ends_at_once(platform: Any) -> None:
    secret = await tokens.issue(platform.db, platform.owner, "script")
    [row] = await tokens.listed(platform.db, platform.owner)
    await tokens.revoke(platform.db, platform.owner, row.id)
    with pytest.raises(BadToken):
        await tokens.authenticate(platform.db, secret, API)


async def test_a_token_ends_with_its_owners_membership(
    platform: Any, new_principal: Any, database_url: str
) -> None:
    member = new_principal(Role.MEMBER, platform.owner.org_id)
    secret = await tokens.issue(platform.db, member, "script")
    with psycopg.connect(database_url) as connection:
        connection.execute("DELETE FROM whence.memberships WHERE user_id = %s", (member.user_id,))
    with pytest.raises(BadToken):
        await tokens.authenticate(platform.db, secret, API)


async def test_a_tokens_scopes_are_bounded_by_its_owners_role_now(
    platform: Any, new_principal: Any, database_url: str
) -> None:
    member = new_principal(Role.MEMBER, platform.owner.org_id)
    secret = await tokens.issue(platform.db, member, "script")
    assert (await tokens.authenticate(platform.db, secret, API)).scopes == SCOPES[Role.MEMBER]
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "UPDATE whence.memberships SET role = 'viewer' WHERE user_id = %s", (member.user_id,)
        )
    assert (await tokens.authenticate(platform.db, secret, API)).scopes == {Scope.READ}


async def test_a_token_may_have_less_than_its_owner_but_never_more(
    platform: Any, new_principal: Any
) -> None:
    reading = await tokens.issue(platform.db, platform.owner, "reader", scopes={Scope.READ})
    reader = await tokens.authenticate(platform.db, reading, API)
    assert reader.scopes == {Scope.READ}
    with pytest.raises(Forbidden):
        reader.require(Scope.WRITE)
    with pytest.raises(Forbidden):  # and what it makes is bounded by itself, not by the role
        await tokens.issue(platform.db, reader, "more", scopes={Scope.WRITE})
    viewer = new_principal(Role.VIEWER, platform.owner.org_id)
    with pytest.raises(Forbidden):
        await tokens.issue(platform.db, viewer, "more", scopes={Scope.WRITE})


async def test_a_token_needs_a_name(platform: Any) -> None:
    with pytest.raises(Invalid):
        await tokens.issue(platform.db, platform.owner, "  ")


async def test_a_token_of_another_kind_opens_nothing(platform: Any) -> None:
    link = await tokens.issue(platform.db, platform.owner, "link", kind="sign_in")
    with pytest.raises(BadToken):
        await tokens.authenticate(platform.db, link, API)


async def test_a_sign_in_link_works_once(platform: Any) -> None:
    link = await tokens.issue(platform.db, platform.owner, "link", kind="sign_in")
    who = await tokens.spend_link(platform.db, link)
    assert (who, who.credential) == (platform.owner, None)
    with pytest.raises(BadToken):
        await tokens.spend_link(platform.db, link)


async def test_a_sign_in_link_raced_by_many_works_once(platform: Any, raced: Any) -> None:
    link = await tokens.issue(platform.db, platform.owner, "link", kind="sign_in")
    tries = [tokens.spend_link(platform.db, link) for _ in range(6)]
    results = await raced("api_tokens", tries)
    assert sum(isinstance(item, BadToken) for item in results) == 5


async def test_members_see_and_end_their_own_tokens_and_owners_all(
    platform: Any, new_principal: Any
) -> None:
    member = new_principal(Role.MEMBER, platform.owner.org_id)
    await tokens.issue(platform.db, platform.owner, "owner's")
    await tokens.issue(platform.db, member, "member's")
    assert {t.name for t in await tokens.listed(platform.db, platform.owner)} == {
        "owner's",
        "member's",
    }
    [own] = await tokens.listed(platform.db, member)
    assert own.name == "member's"
    other = next(t for t in await tokens.listed(platform.db, platform.owner) if t.id != own.id)
    with pytest.raises(NotFound):
        await tokens.revoke(platform.db, member, other.id)
    await tokens.revoke(platform.db, platform.owner, own.id)


async def test_the_tokens_of_another_organization_are_out_of_reach(
    platform: Any, new_principal: Any
) -> None:
    stranger = new_principal()
    await tokens.issue(platform.db, platform.owner, "ours")
    [ours] = await tokens.listed(platform.db, platform.owner)
    assert await tokens.listed(platform.db, stranger) == []
    with pytest.raises(NotFound):
        await tokens.revoke(platform.db, stranger, ours.id)


async def test_a_token_says_whose_it_is(platform: Any, new_principal: Any) -> None:
    member = new_principal(Role.MEMBER, platform.owner.org_id)
    await tokens.issue(platform.db, member, "script")
    [token] = await tokens.listed(platform.db, platform.owner)
    assert (token.user_id, token.owner_name) == (member.user_id, "Somebody")
    assert token.owner_email == f"{member.user_id.hex}@example.org"


async def test_what_a_token_makes_does_not_outlive_it(platform: Any) -> None:
    day = timedelta(days=1)
    parent = await tokens.issue(platform.db, platform.owner, "parent", lifetime=day)
    who = await tokens.authenticate(platform.db, parent, API)
    with pytest.raises(Forbidden):
        await tokens.issue(platform.db, who, "longer", lifetime=2 * day)
    child = await tokens.issue(platform.db, who, "child")
    grandchild = await tokens.issue(
        platform.db, await tokens.authenticate(platform.db, child, API), "grandchild"
    )
    listed = {t.name: t for t in await tokens.listed(platform.db, platform.owner)}
    assert listed["grandchild"].expires_at == listed["parent"].expires_at
    await tokens.revoke(platform.db, platform.owner, listed["parent"].id)
    for secret in (parent, child, grandchild):
        with pytest.raises(BadToken):
            await tokens.authenticate(platform.db, secret, API)
    with pytest.raises(BadToken):  # whose request was under way when it ended
        await tokens.issue(platform.db, who, "late")


async def test_a_member_cannot_end_what_a_fellows_token_made(
    platform: Any, new_principal: Any
) -> None:
    member = new_principal(Role.MEMBER, platform.owner.org_id)
    secret = await tokens.issue(platform.db, platform.owner, "parent")
    [parent] = await tokens.listed(platform.db, platform.owner)
    with pytest.raises(NotFound):
        await tokens.revoke(platform.db, member, parent.id)
    await tokens.authenticate(platform.db, secret, API)


async def test_making_and_ending_a_token_is_in_the_audit_log(platform: Any, sql: Any) -> None:
    await tokens.issue(platform.db, platform.owner, "script")
    [token] = await tokens.listed(platform.db, platform.owner)
    await tokens.revoke(platform.db, platform.owner, token.id)
    rows = sql("SELECT action, kind, subject_id FROM whence.audit_log ORDER BY at")
    assert rows == [("create_token", "account", token.id), ("revoke_token", "account", token.id)]


async def test_nobody_who_was_just_removed_gets_a_token(platform: Any, new_principal: Any) -> None:
    member = new_principal(Role.MEMBER, platform.owner.org_id)
    await accounts.remove(platform.db, platform.owner, member.user_id)
    with pytest.raises(Conflict):
        await tokens.issue(platform.db, member, "too late")


async def test_a_token_that_may_not_write_makes_none(platform: Any) -> None:
    secret = await tokens.issue(platform.db, platform.owner, "reader", scopes={Scope.READ})
    reader = await tokens.authenticate(platform.db, secret, API)
    with pytest.raises(Forbidden, match="write"):
        await tokens.issue(platform.db, reader, "another reader", scopes={Scope.READ})
