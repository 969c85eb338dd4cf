"""Read the log of a unit of work's model calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.kernel.paging import RowCursor

_PAGE = """
    SELECT id, node, skill, model, prompt_version, outcome, reason, detail, calls, is_exact,
        tokens_in, tokens_out, usd, latency_ms, at
    FROM whence.model_calls
    WHERE run_id = %(work)s AND (%(node)s::text IS NULL OR node = %(node)s)
        AND (%(at)s::timestamptz IS NULL OR (at, id) > (%(at)s, %(id)s))
    ORDER BY at, id LIMIT %(limit)s
"""


@dataclass(frozen=True)
class LoggedModelCall:
    """One use of a model; it may cover several requests, such as a repair."""

    id: UUID
    node: str | None
    skill: str
    model: str | None
    prompt_version: str | None
    outcome: str
    """`ok`, `repaired`, `fallback` (the rules answered instead) or `error`."""
    reason: str | None
    detail: str | None
    calls: int
    is_exact: bool
    tokens_in: int
    tokens_out: int
    usd: float | None
    latency_ms: float
    at: datetime


async def page(
    session: AsyncSession, work_id: UUID, *, node: str | None, limit: int, after: RowCursor | None
) -> Sequence[LoggedModelCall]:
    """The calls in order of their end, of all nodes or of one, at most `limit`."""
    place = {"at": after and after.at, "id": after and after.id}
    values = {"work": work_id, "node": node, "limit": limit, **place}
    return [LoggedModelCall(*row) for row in await statements.rows(session, _PAGE, values)]
