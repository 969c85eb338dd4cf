"""`@tool`: a typed function that flows, chat, the API and the command line call alike."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, cast, get_type_hints
from uuid import UUID

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database, part_of
from whence.kernel.services import Services
from whence.tenancy.principal import Principal, Scope

UnitOpener: TypeAlias = Callable[[], AbstractAsyncContextManager[AsyncSession]]


class Transaction:
    """One transaction for everything that a tool writes; it begins with the tool's first write."""

    def __init__(self, until_committed: AsyncExitStack, begin: UnitOpener) -> None:
        self._until_committed = until_committed
        self._begin = begin
        self._session: AsyncSession | None = None

    @asynccontextmanager
    async def part(self) -> AsyncGenerator[AsyncSession]:
        """A part that is rolled back alone if it raises, and otherwise commits with the rest.

        Parts run one after the other.  Raises as `Database.unit`.
        """
        if self._session is None:
            self._session = await self._until_committed.enter_async_context(self._begin())
        async with part_of(self._session):
            yield self._session


@dataclass(frozen=True)
class ToolContext:
    """Who calls a tool, from where, and what the tool may use."""

    principal: Principal
    caller: str
    """`flow:<node>`, `api`, `cli` or `chat`."""
    db: Database
    services: Services
    run_id: UUID | None = None
    fence: UnitOpener | None = None
    """Opens a transaction for writes of a run; refused for a stale attempt."""
    transaction: Transaction | None = None
    """For a tool that changes something: its writes and its line in the log commit together."""
    key: str | None = None
    """Identifies one call of a run; repeating it returns the first call's result."""

    def unit(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction in the caller's organization, fenced if a run may write.

        A tool that changes something commits once, when it is done: anything it sent to other
        systems before that cannot be taken back if the commit fails.
        """
        if self.transaction is not None:
            return self.transaction.part()
        return self.fence() if self.fence else self.db.unit(self.principal.org_id)


class ToolFunction(Protocol):
    """The signature of a tool's function: its typed arguments, then the caller's context."""

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
