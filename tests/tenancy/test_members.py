"""Members: roles act at once, and an organization always has an owner."""

from __future__ import annotations

from typing import Any

import pytest

from whence.kernel.errors import Forbidden, NotFound
from whence.tenancy import accounts, operator, sessions, tokens
from whence.tenancy.accounts import LastOwner
from whence.tenancy.principal import Role, Scope, principal
from whence.tenancy.tokens import BadToken

pytestmark = pytest.mark.anyio


@pytest.fixture
def member(platform: Any, new_principal: Any) -> Any:
    return new_principal(Role.MEMBER, platform.owner.org_id)


async def test_another_role_acts_at_once_on_sessions_and_tokens(platform: Any, member: Any) -> None:
    db = platform.db
    started = await sessions.start(db, member, label="x", settings=platform.settings)
    secret = await tokens.issue(db, member, "script")
    await accounts.set_role(db, platform.owner, member.user_id, Role.VIEWER)
    by_token = await tokens.authenticate(db, secret, ("api",))
    by_session = await sessions.authenticate(db, started.access)
    for who in (by_token, by_session):
        assert (who.role, who.scopes) == (Role.VIEWER, {Scope.READ})
    assert by_session.credential == started.who.credential
    assert by_token.credential == (await tokens.listed(db, member))[0].id


async def test_a_removed_member_is_out_at_once(platform: Any, member: Any) -> None:
    db = platform.db
    started = await sessions.start(db, member, label="x", settings=platform.settings)
    secret = await tokens.issue(db, member, "script")
    await accounts.remove(db, platform.owner, member.user_id)
    for entry in (
        sessions.authenticate(db, started.access),
        sessions.refresh(db, started.refresh, settings=platform.settings),
        tokens.authenticate(db, secret, ("api",)),
    ):
        with pytest.raises(BadToken):
            await entry
    with pytest.raises(NotFound):
        await accounts.remove(db, platform.owner, member.user_id)


async def test_the_last_owner_can_be_neither_removed_nor_demoted(
    platform: Any, member: Any, database_url: str
) -> None:
    db, owner = platform.db, platform.owner
    for act in (
        accounts.remove(db, owner, owner.user_id),
        accounts.set_role(db, owner, owner.user_id, Role.MEMBER),
    ):
        with pytest.raises(LastOwner):
            await act
    with pytest.raises(LastOwner):
        operator.remove(database_url, "owner@localhost")
    with pytest.raises(LastOwner):
        operator.set_role(database_url, "owner@localhost", Role.VIEWER)
    await accounts.set_role(db, owner, member.user_id, Role.OWNER)
    await accounts.remove(db, owner, owner.user_id)
    promoted = principal(member.org_id, member.user_id, Role.OWNER)
    assert [m.role for m in await accounts.members(db, promoted)] == [Role.OWNER]


async def test_two_owners_who_demote_each_other_at_once_leave_one(
    platform: Any, new_principal: Any, sql: Any, raced: Any
) -> None:
    one, other = platform.owner, new_principal(Role.OWNER, platform.owner.org_id)
    results = await raced(
        "memberships",
        [
            accounts.set_role(platform.db, one, other.user_id, Role.MEMBER),
            accounts.set_role(platform.db, other, one.user_id, Role.MEMBER),
        ],
    )
    assert sum(isinstance(item, Forbidden) for item in results) == 1
    assert len(sql("SELECT 1 FROM whence.memberships WHERE role = 'owner'")) == 1


async def test_two_owners_who_leave_at_once_leave_one(
    platform: Any, new_principal: Any, sql: Any, raced: Any
) -> None:
    one, other = platform.owner, new_principal(Role.OWNER, platform.owner.org_id)
    results = await raced(
        "memberships",
        [accounts.remove(platform.db, who, who.user_id) for who in (one, other)],
    )
    assert sum(isinstance(item, LastOwner) for item in results) == 1
    assert len(sql("SELECT 1 FROM whence.memberships WHERE role = 'owner'")) == 1


async def test_the_last_owner_who_can_sign_in_stays_beside_owners_without_a_password(
    platform: Any, new_person: Any, database_url: str
) -> None:
    db, org = platform.db, platform.owner.org_id  # owner@localhost has no password
    person = await new_person(Role.OWNER, org)
    user = person.who.user_id
    await new_person(Role.OWNER)  # one of another organization counts for nothing here
    for act in (
        accounts.set_role(db, platform.owner, user, Role.MEMBER),
        accounts.remove(db, platform.owner, user),
        accounts.remove(db, person.who, user),
    ):
        with pytest.raises(LastOwner, match="sign in"):
            await act
    with pytest.raises(LastOwner, match="sign in"):
        operator.set_role(database_url, person.email, Role.MEMBER, "My organization")
    with pytest.raises(LastOwner, match="sign in"):
        operator.remove(database_url, person.email, "My organization")
    await new_person(Role.OWNER, org)
    await accounts.set_role(db, platform.owner, user, Role.MEMBER)


async def test_an_owner_without_a_password_may_go_where_one_with_a_password_stays(
    platform: Any, new_person: Any
) -> None:
    person = await new_person(Role.OWNER, platform.owner.org_id)
    await accounts.remove(platform.db, person.who, platform.owner.user_id)
    with pytest.raises(LastOwner):
        await accounts.remove(platform.db, person.who, person.who.user_id)


async def test_two_owners_with_passwords_who_leave_at_once_leave_one(
    platform: Any, new_person: Any, raced: Any
) -> None:
    org = platform.owner.org_id
    people = [(await new_person(Role.OWNER, org)).who for _ in range(2)]
    leaving = [accounts.remove(platform.db, who, who.user_id) for who in people]
    results = await raced("memberships", leaving)
    assert sum(isinstance(item, LastOwner) for item in results) == 1
    assert len(await accounts.members(platform.db, platform.owner)) == 2


async def test_only_owners_change_roles_and_only_in_their_organization(
    platform: Any, member: Any, new_principal: Any
) -> None:
    viewer, stranger = new_principal(Role.VIEWER, member.org_id), new_principal()
    for who in (member, viewer):
        with pytest.raises(Forbidden):
            await accounts.set_role(platform.db, who, who.user_id, Role.OWNER)
        with pytest.raises(Forbidden):
            await accounts.remove(platform.db, who, platform.owner.user_id)
    with pytest.raises(NotFound):
        await accounts.set_role(platform.db, stranger, member.user_id, Role.VIEWER)
    with pytest.raises(NotFound):
        await accounts.remove(platform.db, stranger, member.user_id)
    await accounts.remove(platform.db, member, member.user_id)  # anybody may leave


@pytest.mark.parametrize("role", [Role.MEMBER, Role.VIEWER])
async def test_only_owners_see_who_belongs_to_the_organization(
    platform: Any, new_principal: Any, role: Role
) -> None:
    with pytest.raises(Forbidden):
        await accounts.members(platform.db, new_principal(role, platform.owner.org_id))


async def test_an_owners_token_that_only_reads_administers_nothing(platform: Any) -> None:
    secret = await tokens.issue(platform.db, platform.owner, "reader", scopes={Scope.READ})
    reader = await tokens.authenticate(platform.db, secret, ("api",))
    with pytest.raises(Forbidden):
        await accounts.set_role(platform.db, reader, reader.user_id, Role.OWNER)


async def test_an_owner_who_was_demoted_meanwhile_administers_nothing(
    platform: Any, new_principal: Any, member: Any, sql: Any
) -> None:
    was = new_principal(Role.OWNER, member.org_id)
    await accounts.set_role(platform.db, platform.owner, was.user_id, Role.MEMBER)
    for act in (
        accounts.set_role(platform.db, was, was.user_id, Role.OWNER),
        accounts.remove(platform.db, was, member.user_id),
    ):
        with pytest.raises(Forbidden):
            await act


async def test_roles_and_removals_are_in_the_audit_log(
    platform: Any, member: Any, sql: Any
) -> None:
    await accounts.set_role(platform.db, platform.owner, member.user_id, Role.VIEWER)
    await accounts.remove(platform.db, platform.owner, member.user_id)
    assert sql("SELECT action, user_id, subject_id, detail FROM whence.audit_log ORDER BY at") == [
        (
            "set_role",
            platform.owner.user_id,
            member.user_id,
            {"before": "member", "after": "viewer"},
        ),
        ("remove_member", platform.owner.user_id, member.user_id, {}),
    ]
