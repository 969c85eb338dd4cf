"""A member is erased: conversations, sign-ins, name and e-mail, wherever they stand."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from erasure.traces import MARKER, tables_with, talked, texts_of
from whence.kernel.errors import Conflict, Forbidden
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
EMAIL = f"{MARKER}@example.org"
NAME = f'Ms "O\'{MARKER}"'


@pytest.fixture
def person(platform: Any, new_principal: Any, database_url: str) -> Any:
    """A member with the marker in name and e-mail, of whom the audit log tells."""
    owner = platform.owner
    member = new_principal(Role.MEMBER, owner.org_id)
    with psycopg.connect(database_url) as admin:
        admin.execute(
            "UPDATE whence.users SET email = %s, name = %s WHERE id = %s",
            (EMAIL, NAME, member.user_id),
        )
        admin.execute(
            "INSERT INTO whence.audit_log"
            " (org_id, id, user_id, action, kind, subject_id, detail, at)"
            " VALUES (%s, gen_random_uuid(), %s, 'invite', 'account', NULL,"
            " jsonb_build_object('email', upper(%s), 'to', jsonb_build_array(%s::text, 7)), now())",
            (owner.org_id, owner.user_id, EMAIL, NAME),
        )
    return member


async def test_a_person_is_erased_by_name_and_email(
    platform: Any, person: Any, database_url: str
) -> None:
    await talked(platform, person, f"I am {MARKER}", "Good day.")
    about = await talked(platform, platform.owner, f"Who is {EMAIL}?", "A member.")
    erasure = await platform.eraser.erase(platform.owner, "person", EMAIL, "left")
    assert erasure.removed["whence.users"] == erasure.removed["whence.memberships"] == 1
    assert await texts_of(platform, about) == ["[erased]", "[erased]"]
    assert tables_with(database_url) == []
    with psycopg.connect(database_url) as admin:
        line = admin.execute(
            "SELECT detail FROM whence.audit_log WHERE action = 'invite'"
        ).fetchone()
    assert line == ({"email": "[erased]", "to": ["[erased]", 7]},)
    again = await platform.eraser.erase(platform.owner, "person", str(person.user_id), "again")
    assert again.id == erasure.id


async def test_an_account_of_another_organization_stays_there(
    platform: Any, person: Any, new_principal: Any, database_url: str
) -> None:
    elsewhere = new_principal()
    with psycopg.connect(database_url) as admin:
        admin.execute(
            "INSERT INTO whence.memberships (org_id, user_id, role) VALUES (%s, %s, 'member')",
            (elsewhere.org_id, person.user_id),
        )
    erasure = await platform.eraser.erase(platform.owner, "person", EMAIL, "left")
    assert erasure.kept == {"whence.users": 1}
    assert tables_with(database_url) == ["whence.users"]


async def test_only_an_owner_erases_and_never_themselves(platform: Any, new_principal: Any) -> None:
    owner = platform.owner
    for role in (Role.MEMBER, Role.VIEWER):
        who = new_principal(role, owner.org_id)
        with pytest.raises(Forbidden):
            await platform.eraser.erase(who, "person", str(owner.user_id), "no")
    with pytest.raises(Conflict):
        await platform.eraser.erase(owner, "person", str(owner.user_id), "me")
