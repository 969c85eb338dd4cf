"""Routes of a pack below `/api/{pack}`: typed functions, written without a web framework."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, Protocol, TypeVar, cast, get_type_hints
from uuid import UUID

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.kernel.errors import Misconfigured
from whence.kernel.paging import PageOf, PageQuery, read_cursor, write_cursor
from whence.kernel.services import Services
from whence.tenancy.principal import Principal

__all__ = [
    "Access",
    "Method",
    "PageOf",
    "PageQuery",
    "Route",
    "RouteContext",
    "read_cursor",
    "route",
    "write_cursor",
]
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
S = TypeVar("S")
_PARAMETER = re.compile(r"\{([^{}]*)\}")
_PATH = re.compile(r"(?:/(?:[a-z0-9]+(?:-[a-z0-9]+)*|\{[a-z][a-z0-9_]*\}))+")


class Access(StrEnum):
    """Who may call a route; the words are those of `x-access` in the OpenAPI document."""

    READ = "read"
    WRITE = "write"
    SIGNED_IN = "signed-in"
    """A person in their own session; no API token."""
    OWNER = "owner"
    """An owner of the organization in their own session; no API token."""


class NotARoute(Misconfigured):
    """A route of a pack needs a path, a docstring, and a function from a model to a model."""


@dataclass(frozen=True)
class RouteContext:
    """The caller of a route, and what it may use."""

    principal: Principal
    db: Database
    services: Services
    start_research: Callable[[AsyncSession, str, UUID], Awaitable[UUID]]
    """`(session, kind, record id)` → the job, requested in the given transaction."""
    call: Callable[[str, Mapping[str, Any]], Awaitable[BaseModel]]
    """Calls a tool of the registry for the caller of the route."""

    def unit(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for the caller's organization."""
        return self.db.unit(self.principal.org_id)

    def service(self, wanted: type[S]) -> S:
        """The pack's process-wide object of this type."""
        return self.services.get(wanted)


class Handler(Protocol):
    """The signature of a route's function: its typed request, then the caller's context."""

    __name__: str

    def __call__(
        self, request: Any, context: RouteContext, /
    ) -> Awaitable[BaseModel] | Awaitable[None]: ...


@dataclass(frozen=True)
class Route:
    """One call of a pack's API.

    Fields of `request` that `path` names in braces come from the address; the others from the query
    for GET and DELETE, and from the JSON body otherwise.  Without an `answer` it returns 204.
    """

    name: str
    method: Method
    path: str
    access: Access
    request: type[BaseModel]
    answer: type[BaseModel] | None
    handler: Handler
    summary: str
    status: int

    @property
    def parameters(self) -> tuple[str, ...]:
        """The fields of `request` that are in the path, in order."""
        return tuple(_PARAMETER.findall(self.path))

    @property
    def wire_path(self) -> str:
        """The path in the spelling of clients: `/lengths/{noteId}`."""
        return _PARAMETER.sub(lambda hole: f"{{{self.wire_name(hole.group(1))}}}", self.path)

    def wire_name(self, name: str) -> str:
        """A field of the request in the spelling of clients."""
        return self.request.model_fields[name].serialization_alias or name

    @property
    def shape(self) -> tuple[str, str]:
        """What two routes must not have in common: the method, and the path without parameter
        names."""
        return self.method, _PARAMETER.sub("{}", self.path)


def route(
    method: Method, path: str, access: Access, *, status: int | None = None
) -> Callable[[Handler], Route]:
    """Make a route of `async def name(request: Model, context: RouteContext) -> Model`.

    `path` is relative to `/api/{pack}`.  The API documentation shows the docstring.  Raises
    NotARoute.
    """

    def decorate(handler: Handler) -> Route:
        name = handler.__name__
        summary = inspect.getdoc(handler)
        if not summary:
            raise NotARoute(
                f"The route '{name}' needs a docstring; the API documentation shows it."
            )
        hints = get_type_hints(handler)
        first = next(iter(inspect.signature(cast("Callable[..., object]", handler)).parameters))
        answer = hints.get("return", _Untyped)
        none = answer is type(None)
        declared = Route(
            name=name,
            method=method,
            path=path,
            access=access,
            request=_model(name, hints.get(first)),
            answer=None if none else _model(name, answer),
            handler=handler,
            summary=summary,
            status=status or (204 if none else 200),
        )
        _check(declared)
        return declared

    return decorate


class _Untyped:
    """Stands for a missing annotation."""


def _model(name: str, hint: object) -> type[BaseModel]:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return hint
    raise NotARoute(f"The route '{name}' must take a Pydantic model and return one, or None.")


def _check(route: Route) -> None:
    where = f"The route '{route.name}' ({route.method} {route.path})"
    if not _PATH.fullmatch(route.path):
        raise NotARoute(
            f"{where} has no valid path: write '/words/{{note_id}}', with lower-case words "
            "joined by '-', and parameters in braces named as the request's fields."
        )
    fields = route.request.model_fields
    if len(set(route.parameters)) < len(route.parameters):
        raise NotARoute(f"{where} names a parameter twice.")
    for name in route.parameters:
        if name not in fields:
            raise NotARoute(
                f"{where} has the parameter '{name}', which is no field of "
                f"{route.request.__name__}; add it there, with its type."
            )
        if not fields[name].is_required():
            raise NotARoute(f"{where}: '{name}' stands in the path, so it cannot have a default.")
    if route.method == "GET" and route.access is Access.WRITE:
        raise NotARoute(
            f"{where} needs Access.WRITE, but a GET must not change anything; use POST, PUT, "
            "PATCH or DELETE."
        )
