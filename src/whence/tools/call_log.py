"""The log of tool calls: who called what, from where, with which outcome.

A call with a key stores its result, so that repeating the call returns it instead of making the
change twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel
from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.statements import storable, storable_text
from whence.kernel.clock import now
from whence.kernel.ids import new_id
from whence.tools.tool import Tool, ToolContext

Outcome = Literal["ok", "refused", "error"]
_INSERT = text("""
    INSERT INTO whence.tool_calls (org_id, id, run_id, user_id, caller, tool, scope, arguments,
                                   outcome, error, latency_ms, at, call_key, result)
    VALUES (whence.current_org(), :id, :run, :user, :caller, :tool, :scope, :arguments, :outcome,
            :error, :latency_ms, :at, :key, :result)
""").bindparams(
    bindparam("arguments", type_=JSONB), bindparam("result", type_=JSONB(none_as_null=True))
)
_RESULT = text("""
    SELECT result FROM whence.tool_calls
    WHERE org_id = whence.current_org() AND run_id = :run AND call_key = :key
""")


async def result_of(session: AsyncSession, item: Tool, context: ToolContext) -> BaseModel | None:
    """The result of this call if it was made before, otherwise None."""
    if context.key is None:
        return None
    result = await session.scalar(_RESULT, {"run": context.run_id, "key": context.key})
    return None if result is None else item.result.model_validate(result)


async def add(
    session: AsyncSession,
    item: Tool,
    arguments: Mapping[str, Any],
    context: ToolContext,
    *,
    seconds: float,
    outcome: Outcome = "ok",
    error: str | None = None,
    result: BaseModel | None = None,
) -> None:
    """Log one call, with its `result` if repeating the call must return it."""
    stored = result.model_dump(mode="json", by_alias=True) if result is not None else None
    values: dict[str, Any] = {
        "id": new_id(),
        "run": context.run_id,
        "user": context.principal.user_id,
        "caller": context.caller,
        "tool": item.name,
        "scope": item.scope.value,
        "arguments": storable(dict(arguments)),
        "outcome": outcome,
        "error": error and storable_text(error),
        "latency_ms": seconds * 1000,
        "at": now(),
        "key": context.key if stored is not None else None,
        "result": stored and storable(stored),
    }
    await session.execute(_INSERT, values)
