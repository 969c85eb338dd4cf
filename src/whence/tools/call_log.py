"""The log of tool calls: who called what, from where, with which outcome.

A call made under a key keeps its result, so that the same call again finds it instead of making
its change twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel
from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.storable import storable, storable_text
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
    """What this very call gave when it was made before; None where it was not."""
    if context.key is None:
        return None
    kept = await session.scalar(_RESULT, {"run": context.run_id, "key": context.key})
    return None if kept is None else item.result.model_validate(kept)


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
    """Write one call down; with its `result` where the same call again must find it."""
    kept = result.model_dump(mode="json", by_alias=True) if result is not None else None
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
        "key": context.key if kept is not None else None,
        "result": kept and storable(kept),
    }
    await session.execute(_INSERT, values)
