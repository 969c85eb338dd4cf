"""What an organization spent on models: by day, by model, and by what it was spent for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.tenancy.principal import Principal, require_owner

_SPENT = text("""
    SELECT CAST(c.at AT TIME ZONE 'UTC' AS date) AS day, coalesce(c.model, '') AS model,
        CASE WHEN c.run_id IS NULL THEN coalesce(c.node, 'other')
             WHEN r.id IS NOT NULL THEN r.kind || '/' || r.flow
             ELSE coalesce(w.type, 'erased') END AS used_for,
        sum(c.calls), sum(c.tokens_in), sum(c.tokens_out), coalesce(sum(c.usd), 0),
        count(*) FILTER (WHERE c.usd IS NULL AND c.calls > 0),
        count(*) FILTER (WHERE c.outcome IN ('fallback', 'error'))
    FROM whence.model_calls c
    LEFT JOIN whence.runs r ON r.org_id = c.org_id AND r.id = c.run_id
    LEFT JOIN whence.work w ON w.org_id = c.org_id AND w.id = c.run_id
    WHERE c.org_id = whence.current_org() AND c.at >= :since
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
""")
_CHAT = text("SELECT tokens, usd FROM whence.chat_spending WHERE scope = :scope")


@dataclass(frozen=True)
class Spent:
    """Model use of one day (UTC), of one model, for one purpose."""

    day: date
    model: str
    used_for: str
    """`items/research` for a flow, `chat`, `test`, or the type of a job."""
    calls: int
    tokens_in: int
    tokens_out: int
    usd: float
    """What is known of it."""
    unpriced: int
    """Uses whose price is not known; they are missing in `usd`."""
    failed: int
    """Uses that rules answered in place of the model."""


async def spent(session: AsyncSession, who: Principal, since: date) -> list[Spent]:
    """Model use from `since` on; raises Forbidden except for owners."""
    require_owner(who)
    start = datetime.combine(since, time.min, UTC)
    return [Spent(*row) for row in await session.execute(_SPENT, {"since": start})]


async def chat_today(session: AsyncSession, who: Principal, day: date) -> tuple[int, float]:
    """Tokens and US dollars that conversations have spent or reserved on `day` (UTC).

    Raises Forbidden except for owners.
    """
    require_owner(who)
    row = (await session.execute(_CHAT, {"scope": f"day {day:%Y-%m-%d}"})).one_or_none()
    return (int(row[0]), float(row[1])) if row else (0, 0.0)
