"""The one registry through which every tool is called: arguments, scope and call log."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, ValidationError
from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import JSONB

from whence.db.storable import storable, storable_text
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, Invalid, NotFound, WhenceError
from whence.kernel.ids import new_id
from whence.tenancy.principal import Principal, Scope
from whence.tools.tool import Tool, ToolContext

Outcome = Literal["ok", "refused", "error"]
_LOG = text("""
    INSERT INTO whence.tool_calls (org_id, id, run_id, user_id, caller, tool, scope, arguments,
                                   outcome, error, latency_ms, at)
    VALUES (whence.current_org(), :id, :run, :user, :caller, :tool, :scope, :arguments, :outcome,
            :error, :latency_ms, :at)
""").bindparams(bindparam("arguments", type_=JSONB))


class ToolRegistry:
    """All tools of all packs, by name."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        for item in tools:
            if item.name in self._tools:
                raise ValueError(f"Two tools are named '{item.name}'; rename one.")
            self._tools[item.name] = item

    def visible(self, who: Principal) -> list[Tool]:
        """The tools that this principal may call, by name."""
        return sorted(
            (item for item in self._tools.values() if item.scope in who.scopes),
            key=lambda item: item.name,
        )

    async def call(
        self, name: str, arguments: Mapping[str, Any], context: ToolContext
    ) -> BaseModel:
        """Validate, check the scope, run and log.

        Raises NotFound, Invalid (naming the argument), Forbidden, or what the tool raises.
        """
        item = self._tools.get(name)
        if item is None:
            raise NotFound(f"There is no tool '{name}'.")
        began = time.perf_counter()
        outcome: Outcome = "error"
        error: str | None = None
        # Reading needs no fence, and many readers of one run may then work side by side.
        given = replace(context, fence=None) if item.scope is Scope.READ else context
        try:
            context.principal.require(item.scope)
            result = await item.function(_parse(item, arguments), given)
            outcome = "ok"
            return result
        except (Forbidden, Invalid) as refusal:
            outcome, error = "refused", refusal.message
            raise
        except WhenceError as failure:
            error = failure.message
            raise
        except Exception as failure:
            error = f"{type(failure).__name__}: {failure}"
            raise
        finally:
            await _log(item, arguments, context, outcome, error, time.perf_counter() - began)


def _parse(item: Tool, arguments: Mapping[str, Any]) -> BaseModel:
    try:
        return item.arguments.model_validate(arguments)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "arguments"
        raise Invalid(f"{item.name}: {where}: {first['msg']}") from error


async def _log(
    item: Tool,
    arguments: Mapping[str, Any],
    context: ToolContext,
    outcome: Outcome,
    error: str | None,
    seconds: float,
) -> None:
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
    }
    async with context.unit() as session:
        await session.execute(_LOG, values)
