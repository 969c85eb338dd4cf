"""A principal in words, for the page that shows who is signed in."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import Unauthorized
from whence.tenancy.organization import Locale
from whence.tenancy.principal import Principal

_PROFILE = text("""
    SELECT u.name, u.email, o.name, coalesce(p.locale, '')
    FROM whence.users u, whence.organizations o
    LEFT JOIN whence.organization_profiles p ON p.org_id = o.org_id
    WHERE u.id = :user AND o.org_id = whence.current_org()
""")


@dataclass(frozen=True)
class Profile:
    """The names behind a principal's ids."""

    name: str
    email: str
    organization: str
    locale: Locale
    """How the organization writes dates and money; empty: as the person's browser does."""


async def profile(session: AsyncSession, who: Principal) -> Profile:
    """The principal's profile; raises Unauthorized if the user no longer exists."""
    row = (await session.execute(_PROFILE, {"user": who.user_id})).one_or_none()
    if row is None:
        raise Unauthorized
    return Profile(*row)
