"""What the people of an organization, and its system principal, are called."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.tenancy.system import SYSTEM_NAME

_NAMES = text("""
    SELECT id, name FROM whence.users WHERE id = ANY(:ids)
    UNION ALL
    SELECT system_user_id, :system FROM whence.organizations WHERE system_user_id = ANY(:ids)
""")


async def names_of(session: AsyncSession, ids: Collection[UUID]) -> Mapping[UUID, str]:
    """Names by user id; without those who have left the organization."""
    if not ids:
        return {}
    rows = await session.execute(_NAMES, {"ids": list(set(ids)), "system": SYSTEM_NAME})
    return dict(rows.tuples().all())
