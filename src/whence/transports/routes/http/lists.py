"""Lists of a kind's records, their counts, and the lists below a record that others refer to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Query
from sqlalchemy import ColumnElement
from sqlalchemy.ext.asyncio import AsyncSession

from whence.records import listing, references, store
from whence.records.kind import Relation, SubjectKind
from whence.records.kinds import nested_name
from whence.records.listing import Counts
from whence.transports.edge.access import Reader
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import PageOf
from whence.transports.routes.http.subjects import Reference, shown_as, typed


def list_routes(kind: SubjectKind) -> APIRouter:
    """The list of a kind's records, and its counts; add it before the routes of one record."""
    router = APIRouter(prefix=f"/api/{kind.kind}", tags=[kind.kind])

    async def listed(platform: CurrentPlatform, who: Reader, query: Any) -> dict[str, Any]:
        async with platform.unit(who) as session:
            return await _page(session, kind, query)

    async def counted(platform: CurrentPlatform, who: Reader, query: Any) -> Counts:
        async with platform.unit(who) as session:
            return await listing.counts(session, kind, query)

    query = Annotated[listing.list_query(kind), Query()]  # pyright: ignore[reportInvalidTypeForm]
    router.add_api_route(
        "",
        typed(listed, query=query),
        response_model=None,
        responses=shown_as(PageOf[kind.view]),
        summary=f"List or search {kind.kind}",
        name=f"list_{kind.kind}",
    )
    count = Annotated[listing.count_query(kind), Query()]  # pyright: ignore[reportInvalidTypeForm]
    router.add_api_route(
        "/counts",
        typed(counted, query=count),
        response_model=Counts,
        summary=f"How many {kind.kind} there are, in all and by value",
        name=f"count_{kind.kind}",
    )
    return router


@cache
def nested_routes(
    parent: SubjectKind, children: tuple[tuple[SubjectKind, Relation], ...]
) -> APIRouter:
    """For each relation that points at a kind: the list of the referring records, and its
    counts.  A process builds them once."""
    router = APIRouter(prefix=f"/api/{parent.kind}/{{id}}", tags=[parent.kind])
    for child, relation in children:
        _nest(router, parent, child, relation)
    return router


def _nest(router: APIRouter, parent: SubjectKind, child: SubjectKind, relation: Relation) -> None:
    async def below(session: AsyncSession, reference: str) -> ColumnElement[bool]:
        row = await store.resolve(session, parent, reference)
        belongs: ColumnElement[bool] = getattr(child.row, relation.field) == row.id
        return belongs

    async def listed(
        platform: CurrentPlatform, who: Reader, reference: Reference, query: Any
    ) -> Mapping[str, Any]:
        async with platform.unit(who) as session:
            return await _page(session, child, query, await below(session, reference))

    async def counted(
        platform: CurrentPlatform, who: Reader, reference: Reference, query: Any
    ) -> Counts:
        async with platform.unit(who) as session:
            return await listing.counts(session, child, query, await below(session, reference))

    name = nested_name(child, relation)
    query = Annotated[listing.list_query(child), Query()]  # pyright: ignore[reportInvalidTypeForm]
    router.add_api_route(
        f"/{name}",
        typed(listed, query=query),
        response_model=None,
        responses=shown_as(PageOf[child.view]),
        summary=f"List or search the {name} of this {parent.title.lower()}",
        name=f"list_{name}_of_{parent.kind}",
    )
    count = Annotated[listing.count_query(child), Query()]  # pyright: ignore[reportInvalidTypeForm]
    router.add_api_route(
        f"/{name}/counts",
        typed(counted, query=count),
        response_model=Counts,
        summary=f"How many {name} this {parent.title.lower()} has, in all and by value",
        name=f"count_{name}_of_{parent.kind}",
    )


async def _page(
    session: AsyncSession, kind: SubjectKind, query: Any, *also: ColumnElement[bool]
) -> dict[str, Any]:
    page = await listing.page(session, kind, query, *also)
    rows = await references.shown(session, kind, page.rows)
    return {"items": rows, "nextCursor": page.next_cursor}
