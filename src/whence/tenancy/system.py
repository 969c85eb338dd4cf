"""The system principal, one for each organization: acts when no person asked.

It has no account and no membership, so nobody can sign in, hold a token or have a role as it.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.tenancy.principal import SCOPES, Principal, Role, Scope
from whence.tenancy.tables import Membership

SYSTEM_SCOPES = frozenset({Scope.READ, Scope.WRITE})
"""The scopes scheduled work needs; it proposes nothing, as there is no person to ask."""
SYSTEM_NAME = "System"
"""Its name in histories."""
_SYSTEM_USER = text("""
    SELECT org_id, system_user_id FROM whence.organizations WHERE org_id = whence.current_org()
""")


async def system_principal(session: AsyncSession, scopes: Collection[str]) -> Principal:
    """The system principal of the current organization, with the allowed part of `scopes`.

    It is an agent: actions that need a person are forbidden.
    """
    org_id, user_id = (await session.execute(_SYSTEM_USER)).one()
    granted = frozenset(scope for scope in SYSTEM_SCOPES if scope.value in scopes)
    return Principal(org_id, user_id, Role.VIEWER, granted, is_agent=True)


async def current_rights(
    session: AsyncSession, user_id: UUID
) -> tuple[Role, frozenset[Scope]] | None:
    """The current rights of a member or the system principal; None for anybody else."""
    role = await session.scalar(select(Membership.role).where(Membership.user_id == user_id))
    if role is not None:
        return Role(role), SCOPES[Role(role)]
    _, system_user_id = (await session.execute(_SYSTEM_USER)).one()
    return (Role.VIEWER, SYSTEM_SCOPES) if user_id == system_user_id else None
