"""The one registry through which every tool is called: arguments, scope and call log."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ValidationError

from whence.kernel.errors import Forbidden, Invalid, NotFound, WhenceError
from whence.kernel.field_errors import faults_of
from whence.tenancy.principal import Principal, Scope
from whence.tools import call_log
from whence.tools.tool import Tool, ToolContext, Transaction


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

        A tool's changes and its line in the log are one transaction.  Repeating a call with the
        same `context.key` changes nothing and returns the same result.

        Raises NotFound, Invalid (naming the argument), Forbidden, or what the tool raises.
        """
        item = self._tools.get(name)
        if item is None:
            raise NotFound(f"There is no tool '{name}'.")
        began = time.perf_counter()

        async def failed(outcome: call_log.Outcome, error: str) -> None:
            seconds = time.perf_counter() - began
            async with context.unit() as session:
                await call_log.add(
                    session, item, arguments, context, seconds=seconds, outcome=outcome, error=error
                )

        try:
            context.principal.require(item.scope)
            parsed = _parse(item, arguments)
            if item.scope is not Scope.READ:
                return await _change(item, parsed, arguments, context)
            # Reading needs no fence, and many readers of one run may then work side by side.
            result = await item.function(parsed, replace(context, fence=None))
        except (Forbidden, Invalid) as refusal:
            await failed("refused", refusal.message)
            raise
        except WhenceError as failure:
            await failed("error", failure.message)
            raise
        except Exception as failure:  # a tool may raise anything; the call log records it
            await failed("error", f"{type(failure).__name__}: {failure}")
            raise
        async with context.unit() as session:
            seconds = time.perf_counter() - began
            await call_log.add(session, item, arguments, context, seconds=seconds)
        return result


async def _change(
    item: Tool, parsed: BaseModel, arguments: Mapping[str, Any], context: ToolContext
) -> BaseModel:
    """Run a tool that changes something, and log it in the same transaction."""
    began = time.perf_counter()
    if context.key is not None:
        async with context.unit() as session:
            if (result := await call_log.result_of(session, item, context)) is not None:
                return result
    async with AsyncExitStack() as until_committed:
        transaction = Transaction(until_committed, context.unit)
        result = await item.function(parsed, replace(context, transaction=transaction))
        async with transaction.part() as session:
            seconds = time.perf_counter() - began
            await call_log.add(session, item, arguments, context, seconds=seconds, result=result)
    return result


def _parse(item: Tool, arguments: Mapping[str, Any]) -> BaseModel:
    try:
        return item.arguments.model_validate(arguments)
    except ValidationError as error:
        first = faults_of(error, item.arguments, whole="arguments")[0]
        raise Invalid(f"{item.name}: {first}") from error
