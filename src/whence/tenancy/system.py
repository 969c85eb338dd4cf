"""The system principal: who acts where no person asked, one for each organization.

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
"""What work on a schedule needs; it proposes nothing, as no person would be asked."""
SYSTEM_NAME = "System"
"""What histories call it."""
_SYSTEM_USER = text("""
    SELECT org_id, system_user_id FROM whence.organizations WHERE org_id = whence.current_org()
""")


async def system_principal(session: AsyncSession, scopes: Collection[str]) -> Principal:
    """The system principal of the organization worked for, with those of `scopes` it may have.

    It is an agent: what needs a person, it may not do.
    """
    org_id, user_id = (await session.execute(_SYSTEM_USER)).one()
    granted = frozenset(scope for scope in SYSTEM_SCOPES if scope.value in scopes)
    return Principal(org_id, user_id, Role.VIEWER, granted, is_agent=True)


async def current_rights(
    session: AsyncSession, user_id: UUID
) -> tuple[Role, frozenset[Scope]] | None:
    """What a member, or the system principal, may do now; None for anybody else."""
    role = await session.scalar(select(Membership.role).where(Membership.user_id == user_id))
    if role is not None:
        return Role(role), SCOPES[Role(role)]
    _, system_user_id = (await session.execute(_SYSTEM_USER)).one()
    return (Role.VIEWER, SYSTEM_SCOPES) if user_id == system_user_id else None
