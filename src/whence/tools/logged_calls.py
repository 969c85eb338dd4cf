"""Read the log of a unit of work's tool calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.kernel.paging import RowCursor

_PAGE = """
    SELECT id, tool, caller, scope, arguments, outcome, error, latency_ms, at, result
    FROM whence.tool_calls
    WHERE run_id = %(work)s AND (%(caller)s::text IS NULL OR caller = %(caller)s)
        AND (%(at)s::timestamptz IS NULL OR (at, id) > (%(at)s, %(id)s))
    ORDER BY at, id LIMIT %(limit)s
"""


@dataclass(frozen=True)
class LoggedToolCall:
    """One call of a tool."""

    id: UUID
    tool: str
    caller: str
    """`flow:<node>` for a run."""
    scope: str
    arguments: dict[str, Any]
    outcome: str
    """`ok`, `refused` or `error`."""
    error: str | None
    latency_ms: float
    at: datetime
    result: dict[str, Any] | None
    """Kept for calls that change something; a call that only reads can be made again."""


async def page(
    session: AsyncSession, work_id: UUID, *, node: str | None, limit: int, after: RowCursor | None
) -> Sequence[LoggedToolCall]:
    """The calls in order of their end, of all nodes or of one, at most `limit`."""
    place = {"at": after and after.at, "id": after and after.id}
    caller = f"flow:{node}" if node else None
    values = {"work": work_id, "caller": caller, "limit": limit, **place}
    return [LoggedToolCall(*row) for row in await statements.rows(session, _PAGE, values)]
