"""The pack's own API: imported listings are listed and deleted."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field
from sqlalchemy import text

from whence.sdk.errors import Invalid, NotFound
from whence.sdk.records import audit
from whence.sdk.routes import (
    Access,
    PageOf,
    PageQuery,
    RouteContext,
    read_cursor,
    route,
    write_cursor,
)
from whence.sdk.values import Wire

from .library.delete import delete_listings
from .library.write import count_terms, hold_listings
from .records import Listing, ListingStatus

AUDITED = "listings"
"""The subject kind of imported listings in the audit log."""
_LIST = text("""
    SELECT l.id, l.record, l.imported_at FROM resale.listings l
    WHERE (CAST(:before AS uuid) IS NULL OR l.id < CAST(:before AS uuid))
        AND (CAST(:status AS text) IS NULL OR l.status = CAST(:status AS text))
        AND (CAST(:words AS text) IS NULL OR position(lower(CAST(:words AS text)) IN
             lower(l.record ->> 'title')) > 0)
        AND (CAST(:import AS uuid) IS NULL OR EXISTS (SELECT FROM whence.import_rows r
             WHERE r.import_id = CAST(:import AS uuid) AND r.record_id = l.id))
    ORDER BY l.id DESC LIMIT :most
""")


class Listings(PageQuery):
    """Which listings: all, or those that fit."""

    search: Annotated[str | None, Field(max_length=200, description="Part of the title")] = None
    status: ListingStatus | None = None
    import_id: Annotated[UUID | None, Field(description="Written by this import")] = None


class ImportedListing(Listing):
    """An imported listing with whence's id of it."""

    id: UUID
    imported_at: datetime


class OneListing(Wire):
    listing_id: UUID


@route("GET", "/listings", Access.READ)
async def listings(request: Listings, context: RouteContext) -> PageOf[ImportedListing]:
    """Imported listings, newest first."""
    values: dict[str, Any] = {
        "before": _id_in(request.cursor) if request.cursor else None,
        "status": request.status.value if request.status else None,
        "words": request.search or None,
        "import": request.import_id,
        "most": request.limit + 1,
    }
    async with context.unit() as session:
        rows = list(await session.execute(_LIST, values))
    items = [
        ImportedListing.model_validate({**row.record, "id": row.id, "imported_at": row.imported_at})
        for row in rows[: request.limit]
    ]
    more = len(rows) > request.limit
    return PageOf(items=items, next_cursor=write_cursor(items[-1].id) if more else None)


@route("DELETE", "/listings/{listing_id}", Access.WRITE)
async def delete_listing(request: OneListing, context: RouteContext) -> None:
    """Delete an imported listing; research that has seen it keeps its evidence."""
    async with context.unit() as session:
        await hold_listings(session)
        if not await delete_listings(session, [request.listing_id]):
            raise NotFound("There is no such listing.")
        await count_terms(session)
        await audit(session, context.principal, "delete", AUDITED, request.listing_id, {})


def _id_in(cursor: str) -> UUID:
    try:
        return UUID(read_cursor(cursor, 1)[0])
    except ValueError as error:
        raise Invalid("This cursor is not one of ours; start again without it.") from error


ROUTES = [listings, delete_listing]
