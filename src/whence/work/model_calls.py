"""Read the log of a unit of work's model calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.kernel.errors import NotFound
from whence.kernel.paging import RowCursor
from whence.work.budget import Exchange, SentMessage

_PAGE = """
    SELECT id, node, skill, model, prompt_version, outcome, reason, detail, calls, is_exact,
        tokens_in, tokens_out, usd, latency_ms, at,
        EXISTS (SELECT FROM whence.model_exchanges e
            WHERE e.org_id = c.org_id AND e.call_id = c.id) AS is_kept
    FROM whence.model_calls c
    WHERE run_id = %(work)s AND (%(node)s::text IS NULL OR node = %(node)s)
        AND (%(at)s::timestamptz IS NULL OR (at, id) > (%(at)s, %(id)s))
    ORDER BY at, id LIMIT %(limit)s
"""


_EXCHANGE = """
    SELECT messages, answer, is_shortened FROM whence.model_exchanges
    WHERE run_id = %(work)s AND call_id = %(call)s
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
    is_kept: bool
    """Whether what was sent and answered is still kept."""


async def exchange(session: AsyncSession, work_id: UUID, call_id: UUID) -> Exchange:
    """What was sent to the model and what it answered; raises NotFound if that is not kept."""
    row = await statements.row(session, _EXCHANGE, {"work": work_id, "call": call_id})
    if row is None:
        raise NotFound("What was sent in this call and answered is not kept.")
    messages, answer, is_shortened = row
    return Exchange(tuple(SentMessage(**each) for each in messages), answer, is_shortened)


async def page(
    session: AsyncSession, work_id: UUID, *, node: str | None, limit: int, after: RowCursor | None
) -> Sequence[LoggedModelCall]:
    """The calls in order of their end, of all nodes or of one, at most `limit`."""
    place = {"at": after and after.at, "id": after and after.id}
    values = {"work": work_id, "node": node, "limit": limit, **place}
    return [LoggedModelCall(*row) for row in await statements.rows(session, _PAGE, values)]
