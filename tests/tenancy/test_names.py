"""People are named within their organization; others, and those who left, are not."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from whence.tenancy import accounts
from whence.tenancy.names import names_of
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio


async def test_members_and_the_system_are_named_and_nobody_else(
    platform: Any, new_principal: Any
) -> None:
    member = new_principal(Role.MEMBER, platform.owner.org_id)
    left = new_principal(Role.MEMBER, platform.owner.org_id)
    stranger = new_principal(Role.OWNER)
    await accounts.remove(platform.db, platform.owner, left.user_id)
    async with platform.unit(platform.owner) as session:
        system = await session.scalar(text("SELECT system_user_id FROM whence.organizations"))
        everybody = [each.user_id for each in (platform.owner, member, left, stranger)]
        names = await names_of(session, [*everybody, system])
        assert await names_of(session, []) == {}
    assert names.keys() == {platform.owner.user_id, member.user_id, system}
    assert names[system] == "System"
