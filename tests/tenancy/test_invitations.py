"""Invitations: a link that lets one person in, once."""

from __future__ import annotations

from typing import Any

import pytest

from whence.kernel.errors import Conflict, Forbidden, Invalid, NotFound
from whence.tenancy import accounts, invitations
from whence.tenancy.accounts import BadLink, WrongCredentials
from whence.tenancy.passwords import WeakPassword
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
EMAIL = "ada@example.org"
PASSWORD = "a herring in the attic"


@pytest.fixture
def accept(platform: Any) -> Any:
    async def take(secret: str, password: str = PASSWORD, name: str = "Ada") -> Any:
        return await invitations.accept(platform.db, secret, name, password)

    return take


@pytest.fixture
async def link(platform: Any) -> str:
    return await invitations.invite(platform.db, platform.owner, "Ada@Example.org", Role.MEMBER)


async def test_an_invitation_makes_an_account_that_can_sign_in(
    platform: Any, link: str, accept: Any
) -> None:
    offer = await invitations.offer(platform.db, link)
    assert (offer.email, offer.role, offer.organization) == (EMAIL, Role.MEMBER, "My organization")
    who = await accept(link)
    assert (who.org_id, who.role) == (platform.owner.org_id, Role.MEMBER)
    assert await accounts.sign_in(platform.db, EMAIL, PASSWORD, address="192.0.2.1") == who
    members = await accounts.members(platform.db, platform.owner)
    names = [(m.email, m.name) for m in members]
    assert names == [("owner@localhost", "Owner"), (EMAIL, "Ada")]


async def test_an_invitation_works_once(platform: Any, link: str, accept: Any) -> None:
    await accept(link)
    with pytest.raises(BadLink):
        await accept(link)
    with pytest.raises(BadLink):
        await invitations.offer(platform.db, link)


async def test_an_invitation_raced_by_many_works_once(
    link: str, accept: Any, sql: Any, raced: Any
) -> None:
    results = await raced("invitations", [accept(link) for _ in range(4)])
    assert sum(isinstance(item, BadLink) for item in results) == 3
    assert sql("SELECT count(*) FROM whence.users WHERE email = %s", (EMAIL,)) == [(1,)]


async def test_an_invitation_expires_and_can_be_withdrawn(
    platform: Any, link: str, accept: Any, sql: Any
) -> None:
    [listed] = await invitations.listed(platform.db, platform.owner)
    await invitations.withdraw(platform.db, platform.owner, listed.id)
    with pytest.raises(BadLink):
        await accept(link)
    with pytest.raises(NotFound):
        await invitations.withdraw(platform.db, platform.owner, listed.id)
    second = await invitations.invite(platform.db, platform.owner, EMAIL, Role.MEMBER)
    sql("UPDATE whence.invitations SET expires_at = now() - interval '1 second'")
    with pytest.raises(BadLink):
        await accept(second)


async def test_a_new_invitation_of_the_same_person_replaces_the_open_one(
    platform: Any, link: str, accept: Any
) -> None:
    second = await invitations.invite(platform.db, platform.owner, EMAIL, Role.VIEWER)
    with pytest.raises(BadLink):
        await accept(link)
    assert (await accept(second)).role is Role.VIEWER


async def test_an_invitation_is_worth_nothing_once_its_inviter_is_no_owner(
    platform: Any, new_principal: Any, accept: Any, sql: Any
) -> None:
    inviter = new_principal(Role.OWNER, platform.owner.org_id)
    link = await invitations.invite(platform.db, inviter, EMAIL, Role.OWNER)
    await accounts.set_role(platform.db, platform.owner, inviter.user_id, Role.MEMBER)
    with pytest.raises(BadLink):
        await accept(link)


async def test_an_account_that_exists_joins_by_its_own_password_only(
    platform: Any, new_person: Any, accept: Any
) -> None:
    person = await new_person()
    link = await invitations.invite(platform.db, platform.owner, person.email, Role.VIEWER)
    with pytest.raises(WrongCredentials):
        await accept(link, "an invented password")
    who = await accept(link, person.password)
    assert (who.user_id, who.org_id) == (person.who.user_id, platform.owner.org_id)
    assert len(await accounts.organizations(platform.db, who)) == 2


async def test_an_invitation_cannot_give_a_password_to_an_account_that_has_none(
    platform: Any, new_principal: Any, accept: Any, sql: Any
) -> None:
    victim = new_principal()
    email = f"{victim.user_id.hex}@example.org"
    link = await invitations.invite(platform.db, platform.owner, email, Role.VIEWER)
    with pytest.raises(WrongCredentials):
        await accept(link)
    assert sql("SELECT count(*) FROM whence.passwords") == [(0,)]


async def test_only_owners_invite_and_only_who_is_no_member(
    platform: Any, new_principal: Any
) -> None:
    member = new_principal(Role.MEMBER, platform.owner.org_id)
    for act in (
        invitations.invite(platform.db, member, EMAIL, Role.VIEWER),
        invitations.listed(platform.db, member),
        invitations.withdraw(platform.db, member, member.user_id),
    ):
        with pytest.raises(Forbidden):
            await act
    with pytest.raises(Conflict):
        await invitations.invite(platform.db, platform.owner, "OWNER@localhost", Role.VIEWER)
    with pytest.raises(Invalid):
        await invitations.invite(platform.db, platform.owner, "no address", Role.VIEWER)


async def test_another_organization_neither_sees_nor_withdraws_an_invitation(
    platform: Any, link: str, new_principal: Any
) -> None:
    stranger = new_principal()
    [ours] = await invitations.listed(platform.db, platform.owner)
    assert await invitations.listed(platform.db, stranger) == []
    with pytest.raises(NotFound):
        await invitations.withdraw(platform.db, stranger, ours.id)


async def test_a_weak_password_leaves_the_invitation_open(link: str, accept: Any) -> None:
    for weak in ("short", "password123", EMAIL, "My organization"):
        with pytest.raises(WeakPassword):
            await accept(link, weak)
    with pytest.raises(Invalid):
        await accept(link, name="  ")
    await accept(link)


async def test_an_invitation_that_is_tried_in_vain_is_in_the_audit_log_without_its_secrets(
    platform: Any, link: str, accept: Any, new_person: Any, sql: Any
) -> None:
    await accept(link)
    person, org = await new_person(), platform.owner.org_id
    other = await invitations.invite(platform.db, platform.owner, person.email, Role.VIEWER)
    for secret, error in ((link, BadLink), ("whi_invented", BadLink), (other, WrongCredentials)):
        with pytest.raises(error):
            await accept(secret, "an invented password")
    rows = sql(
        "SELECT org_id, user_id, detail->>'email', detail->>'why', detail->>'address'"
        " FROM whence.audit_log WHERE action = 'accept_failed' ORDER BY at, detail->>'email'"
    )
    used, wrong, address = "the link is used or over", "wrong password", "unknown"
    assert rows[0] == (org, platform.owner.user_id, EMAIL, used, address)
    assert set(rows[1:]) == {
        (org, platform.owner.user_id, person.email, wrong, address),
        (person.who.org_id, person.who.user_id, None, wrong, address),
    }
    log = str(sql("SELECT l::text FROM whence.audit_log l"))
    assert not any(secret in log for secret in (link, other, "invented"))


async def test_the_link_of_an_invitation_is_kept_as_its_hash(link: str, sql: Any) -> None:
    rows = str(sql("SELECT i::text FROM whence.invitations i"))
    assert link not in rows
    assert link.encode().hex() not in rows
