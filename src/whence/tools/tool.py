"""`@tool`: a typed function that flows, chat, the API and the command line call alike."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol, cast, get_type_hints
from uuid import UUID

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.kernel.services import Services
from whence.tenancy.principal import Principal, Scope


@dataclass(frozen=True)
class ToolContext:
    """Who calls a tool, from where, and what the tool may use."""

    principal: Principal
    caller: str
    """`flow:<node>`, `api`, `cli` or `chat`."""
    db: Database
    services: Services
    run_id: UUID | None = None
    fence: Callable[[], AbstractAsyncContextManager[AsyncSession]] | None = None
    """Opens a transaction for writes of a run, which a stale attempt is refused."""

    def unit(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for the caller's organization, fenced where a run may write."""
        return self.fence() if self.fence else self.db.unit(self.principal.org_id)


class ToolFunction(Protocol):
    """The shape of a tool's function: its typed arguments, then who calls."""

    __name__: str

    def __call__(self, arguments: Any, context: ToolContext, /) -> Awaitable[BaseModel]: ...


@dataclass(frozen=True)
class Tool:
    """A registered function; its name is unique in the program."""

    name: str
    description: str
    scope: Scope
    arguments: type[BaseModel]
    result: type[BaseModel]
    function: ToolFunction


def tool(scope: Scope) -> Callable[[ToolFunction], Tool]:
    """Make a tool of `async def name(arguments: Model, context: ToolContext) -> Model`.

    Its docstring is what a model and the API documentation read.  Raises TypeError when the
    function has no docstring or is not typed with Pydantic models.
    """

    def decorate(function: ToolFunction) -> Tool:
        name = function.__name__
        description = inspect.getdoc(function)
        if not description:
            raise TypeError(f"The tool '{name}' needs a docstring; it is what a model reads.")
        hints = get_type_hints(function)
        first = next(iter(inspect.signature(cast("Callable[..., object]", function)).parameters))
        return Tool(
            name=name,
            description=description,
            scope=scope,
            arguments=_model(name, hints.get(first)),
            result=_model(name, hints.get("return")),
            function=function,
        )

    return decorate


def _model(name: str, hint: object) -> type[BaseModel]:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return hint
    raise TypeError(f"The tool '{name}' must take and return Pydantic models.")
