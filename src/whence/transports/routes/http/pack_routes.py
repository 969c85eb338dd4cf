"""Routes declared by packs, under the same rules and in the same document as all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import cache
from inspect import Parameter, Signature
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Body, Path, Query
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError, create_model
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.kernel.errors import Misconfigured
from whence.sdk.pack import Pack
from whence.sdk.routes import Access, Route, RouteContext
from whence.tenancy.principal import Principal
from whence.transports.edge.access import Owner, Reader, SignedIn, Writer
from whence.transports.edge.identity import CurrentPlatform

RULES: Mapping[Access, Any] = {
    Access.READ: Reader,
    Access.WRITE: Writer,
    Access.SIGNED_IN: SignedIn,
    Access.OWNER: Owner,
}
_IN_QUERY = frozenset({"GET", "DELETE"})
_PREFIX = "path_"
"""Prefix of a path parameter's name, so that it cannot clash with the endpoint's own."""


class TakenAddress(Misconfigured):
    """Two routes have the same address; change the path of one of them."""


def check_addresses(packs: Sequence[Pack], kinds: Collection[str], core: Collection[str]) -> None:
    """Raise TakenAddress if a pack, a kind or the engine would answer at the same address.

    `core` holds the first path segments of the engine's own addresses below `/api`.
    """
    for kind in kinds:
        if kind in core:
            raise TakenAddress(f"The kind '{kind}' would stand at /api/{kind}, which is whence's.")
    for pack in packs:
        if not pack.routes:
            continue
        if pack.id in core:
            raise TakenAddress(
                f"The routes of the pack '{pack.id}' would stand at /api/{pack.id}, which is "
                "whence's; give the pack another id."
            )
        if pack.id in kinds:
            raise TakenAddress(
                f"The routes of the pack '{pack.id}' would stand at /api/{pack.id}, where the "
                f"records of the kind '{pack.id}' are; rename the pack or the kind."
            )
        for count in (Counter(each.shape for each in pack.routes), Counter(_names(pack))):
            if twice := [key for key, number in count.items() if number > 1]:
                words = " ".join(twice[0])
                raise TakenAddress(f"Two routes of the pack '{pack.id}' are '{words}'.")


def _names(pack: Pack) -> list[tuple[str]]:
    return [(each.name,) for each in pack.routes]


@cache
def pack_routes(pack_id: str, routes: tuple[Route, ...]) -> APIRouter:
    """The routes of a pack, built once by a process; a fixed path segment is matched before a
    parameter in its place."""
    router = APIRouter(prefix=f"/api/{pack_id}", tags=[pack_id])
    for each in sorted(routes, key=lambda each: each.path.replace("{", "\x7f")):
        router.add_api_route(
            each.wire_path,
            _endpoint(each),
            methods=[each.method],
            status_code=each.status,
            response_model=each.answer,
            summary=each.summary.splitlines()[0],
            description=each.summary,
            name=f"{pack_id}_{each.name}",
        )
    return router


def _endpoint(route: Route) -> Callable[..., Awaitable[BaseModel | None]]:
    rest = _rest(route)

    async def endpoint(platform: Platform, who: Principal, **arguments: Any) -> BaseModel | None:
        path = {name: arguments[_PREFIX + name] for name in route.parameters}
        request = _request(route, arguments.get("rest"), path)
        return await route.handler(request, _context(platform, who))

    parameters = [_keyword("platform", CurrentPlatform), _keyword("who", RULES[route.access])]
    for name in route.parameters:
        wanted: Any = route.request.model_fields[name].annotation
        metadata = tuple(route.request.model_fields[name].metadata)
        place = Path(alias=route.wire_name(name))
        parameters.append(_keyword(_PREFIX + name, Annotated[(wanted, *metadata, place)]))
    if rest:
        place = Query() if route.method in _IN_QUERY else Body()
        parameters.append(_keyword("rest", Annotated[rest, place]))
    endpoint.__signature__ = Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]
    return endpoint


def _keyword(name: str, annotation: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation)


def _rest(route: Route) -> type[BaseModel] | None:
    """The request without its path parameters; None if nothing is left."""
    model = route.request
    if not route.parameters:
        return model if model.model_fields else None
    fields: dict[str, Any] = {
        name: (info.annotation, info)
        for name, info in model.model_fields.items()
        if name not in route.parameters
    }
    name = f"{model.__name__}Rest"
    return create_model(name, __config__=model.model_config, **fields) if fields else None


def _request(route: Route, rest: BaseModel | None, path: Mapping[str, Any]) -> BaseModel:
    if rest is not None and not path:
        return rest
    values = {name: getattr(rest, name) for name in rest.model_fields_set} if rest else {}
    try:
        return route.request.model_validate({**values, **path}, by_name=True)
    except ValidationError as error:
        errors = [{**item, "loc": ("request", *item["loc"])} for item in error.errors()]
        raise RequestValidationError(errors) from error


def _context(platform: Platform, who: Principal) -> RouteContext:
    async def start_research(session: AsyncSession, kind: str, record_id: UUID) -> UUID:
        return (await platform.ask(session, who, platform.kind(kind), record_id)).id

    async def call(tool: str, arguments: Mapping[str, Any]) -> BaseModel:
        return await platform.tools.call(tool, arguments, platform.tool_context(who, "api"))

    return RouteContext(who, platform.db, platform.services, start_research, call)
