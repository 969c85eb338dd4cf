"""The pack's own API: imported listings are listed and deleted, fees are read."""

from __future__ import annotations

from datetime import date, datetime
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
from .pricing.fee_table import CategoryFee, Rate, SmallSale, read_fees
from .records import Listing, ListingStatus
from .settings import ResaleSettings, variable

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


class CategoryFees(Wire):
    """Fees that differ for some categories."""

    name: str
    words: list[str]
    """Words of a category that the fees apply to."""
    rates: list[Rate] | None
    whole: bool
    least: float | None
    fixed: float | None


class MarketplaceFees(Wire):
    """Fees of one marketplace, in its currency."""

    id: str
    name: str
    currency: str
    effective: date
    source: str
    page: str | None
    """The page that the figures are on."""
    read: date | None
    """The day on which they were read from it; null: not confirmed."""
    rates: list[Rate]
    whole: bool
    least: float
    fixed: float
    fixed_small: SmallSale | None
    flat_small: SmallSale | None
    on_shipping: bool
    label: float | None
    suits: list[str]
    categories: list[CategoryFees]


class FeeTable(Wire):
    """The fees that net proceeds are computed with."""

    marketplaces: list[MarketplaceFees]
    is_own: bool
    """Whether a file of the operator replaces some of the shipped figures."""
    variable: str
    """The environment variable that names such a file."""


class Nothing(Wire):
    """A request without parameters."""


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


@route("GET", "/fees", Access.READ)
async def fees(request: Nothing, context: RouteContext) -> FeeTable:
    """The fees of marketplaces, with the page and the day that each was read from."""
    own = context.service(ResaleSettings).fee_table
    table = read_fees(own)
    marketplaces = [
        MarketplaceFees.model_validate(
            place.model_dump(exclude={"category", "enabled"})
            | {"id": key, "categories": [_fees_of(*pair) for pair in place.category.items()]}
        )
        for key, place in table.items()
    ]
    return FeeTable(
        marketplaces=marketplaces, is_own=own is not None, variable=variable("fee_table")
    )


def _fees_of(name: str, fee: CategoryFee) -> CategoryFees:
    return CategoryFees.model_validate(fee.model_dump(exclude={"unless"}) | {"name": name})


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


ROUTES = [listings, delete_listing, fees]
