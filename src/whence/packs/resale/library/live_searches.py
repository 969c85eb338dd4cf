"""How often conversations may ask live sources: so many searches a day for each organization."""

from __future__ import annotations

from datetime import UTC

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.sdk.values import now

_RESERVE = text("""
    INSERT INTO resale.live_searches AS l (day, searches) SELECT :day, 1 WHERE :most > 0
    ON CONFLICT (org_id, day) DO UPDATE SET searches = l.searches + 1 WHERE l.searches < :most
    RETURNING searches
""")


_USED = text("SELECT searches FROM resale.live_searches WHERE day = :day")


async def used_today(session: AsyncSession) -> int:
    """The searches of today (UTC) so far."""
    day = now().astimezone(UTC).date()
    return int(await session.scalar(_USED, {"day": day}) or 0)


async def reserve(session: AsyncSession, most: int) -> bool:
    """Count one more search of today (UTC); whether it is within `most`."""
    day = now().astimezone(UTC).date()
    return await session.scalar(_RESERVE, {"day": day, "most": most}) is not None
