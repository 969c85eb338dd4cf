"""Searches the imported listings."""

from __future__ import annotations

from itertools import zip_longest
from typing import Annotated

from pydantic import Field

from whence.packs.resale.library.source import STATUSES, Library
from whence.packs.resale.records import GivenGtin, Listing
from whence.packs.resale.sources.base import CompQuery, Offer
from whence.sdk.access import Scope
from whence.sdk.tools import ToolContext, tool
from whence.sdk.values import Wire

MAX_RESULTS = 50


class ListingQuery(Wire):
    """Words, a GTIN-14, or both; sold (and ended) or active listings."""

    text: Annotated[str, Field(max_length=300)] = ""
    gtin: GivenGtin | None = None
    offer: Offer | None = None
    """`sold` or `active`; empty for both."""
    limit: Annotated[int, Field(ge=1, le=MAX_RESULTS)] = 20


class ListingResults(Wire):
    listings: list[Listing]


@tool(Scope.READ)
async def search_listings(arguments: ListingQuery, context: ToolContext) -> ListingResults:
    """Search imported marketplace listings by words or GTIN, sold and active by turns."""
    library = Library(context.unit)
    query = CompQuery(text=arguments.text, gtin=arguments.gtin)
    offers = [arguments.offer] if arguments.offer else list(STATUSES)
    results = [(await library.search(query, offer, arguments.limit)).listings for offer in offers]
    mixed = [listing for row in zip_longest(*results) for listing in row if listing is not None]
    return ListingResults(listings=mixed[: arguments.limit])
