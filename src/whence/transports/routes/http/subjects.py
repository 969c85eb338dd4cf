"""Reads and changes one record; the routes follow from the declaration of its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Body, Header, Path, Response
from pydantic import AfterValidator, BaseModel

from whence.kernel.errors import Invalid
from whence.records import references, store
from whence.records.kind import SubjectKind
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.bodies import unslashed
from whence.transports.edge.identity import CurrentPlatform

Reference = Annotated[
    str,
    Path(
        alias="id",
        max_length=500,
        description="Our id, or the id that its import brought, percent-encoded (`/` as `%2F`)",
    ),
    AfterValidator(unslashed),
]
IfMatch = Annotated[str | None, Header(description='The `ETag` that was read, such as `"3"`')]
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


class BadVersion(Invalid):
    """`If-Match` takes one ETag of this record, such as `"3"`, or `*`."""


def typed(endpoint: Endpoint, **types: Any) -> Endpoint:
    """Give parameters types that exist only at run time: FastAPI reads annotations."""
    endpoint.__annotations__.update(types)
    return endpoint


def shown_as(model: type[BaseModel], status: int = 200) -> dict[int | str, dict[str, Any]]:
    """`responses` of a route that returns stored records, which are described but not validated
    again.

    Records stored under older rules are returned as they are, with their errors listed.
    """
    return {status: {"model": model, "description": "Successful Response"}}


def subject_routes(kind: SubjectKind) -> APIRouter:
    """The routes of a kind's records."""
    router = APIRouter(prefix=f"/api/{kind.kind}", tags=[kind.kind])
    _reading(router, kind)
    _writing(router, kind)
    return router


def _reading(router: APIRouter, kind: SubjectKind) -> None:
    async def read(
        platform: CurrentPlatform, who: Reader, reference: Reference, response: Response
    ) -> Mapping[str, Any]:
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            [shown] = await references.shown(session, kind, [row])
        response.headers["ETag"] = etag(row.version)
        return shown

    router.add_api_route(
        "/{id}",
        read,
        response_model=None,
        responses=shown_as(kind.view),
        summary=f"Read one of {kind.kind}",
        name=f"read_{kind.kind}",
    )


def _writing(router: APIRouter, kind: SubjectKind) -> None:
    async def create(
        platform: CurrentPlatform, who: Writer, body: Any, response: Response
    ) -> Mapping[str, Any]:
        async with platform.unit(who) as session:
            row = await store.create(session, who, kind, body)
            if await platform.intake.begin(session, who, kind, [row.id]):
                await session.refresh(row)
            [shown] = await references.shown(session, kind, [row])
        response.headers["ETag"] = etag(row.version)
        response.headers["Location"] = f"/api/{kind.kind}/{row.id}"
        return shown

    async def patch(
        platform: CurrentPlatform,
        who: Writer,
        reference: Reference,
        body: Any,
        response: Response,
        if_match: IfMatch = None,
    ) -> Mapping[str, Any]:
        changes = body.model_dump(mode="json", exclude_unset=True)
        version = expected_version(if_match)
        async with platform.unit(who) as session:
            current = await store.resolve(session, kind, reference)
            before = current.version
            row = await store.patch(session, who, kind, current.id, changes, version)
            if row.version != before:
                await platform.follow_ups(session, who, kind, row.id, changes)
            [shown] = await references.shown(session, kind, [row])
        response.headers["ETag"] = etag(row.version)
        return shown

    async def delete(platform: CurrentPlatform, who: Writer, reference: Reference) -> None:
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            await platform.delete(session, who, kind, row.id)

    record = Annotated[kind.record, Body()]  # pyright: ignore[reportInvalidTypeForm]
    changes = Annotated[kind.patch, Body()]  # pyright: ignore[reportInvalidTypeForm]
    router.add_api_route(
        "",
        typed(create, body=record),
        methods=["POST"],
        status_code=201,
        response_model=kind.view,
        summary=f"Add one of {kind.kind}",
        name=f"create_{kind.kind}",
    )
    router.add_api_route(
        "/{id}",
        typed(patch, body=changes),
        methods=["PATCH"],
        response_model=kind.view,
        summary="Change fields; fields that are absent stay as they are",
        name=f"patch_{kind.kind}",
    )
    router.add_api_route(
        "/{id}",
        delete,
        methods=["DELETE"],
        status_code=204,
        summary="Take it out of every list; its research stays on record",
        name=f"delete_{kind.kind}",
    )


def etag(version: int) -> str:
    """A record's version as its entity tag."""
    return f'"{version}"'


def expected_version(if_match: str | None) -> int | None:
    """The version named by `If-Match`; None without one and for `*`.  Raises BadVersion."""
    if if_match is None or if_match.strip() == "*":
        return None
    digits = if_match.strip().removeprefix("W/").strip('"')
    if not (digits.isascii() and digits.isdigit() and len(digits) < 19):
        raise BadVersion
    return int(digits)
