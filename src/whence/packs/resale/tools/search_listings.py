"""Searches the imported listings, and the live sources where that is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import zip_longest
from typing import Annotated

from pydantic import Field

from whence.packs.resale.flows.sources import OutsideSources, available
from whence.packs.resale.library.live_searches import reserve
from whence.packs.resale.library.source import STATUSES, Library
from whence.packs.resale.records import GivenGtin, Listing
from whence.packs.resale.settings import ResaleSettings
from whence.packs.resale.sources.base import CompQuery, Offer, Source
from whence.sdk.access import Scope
from whence.sdk.errors import WhenceError
from whence.sdk.sources import SourceRequest, count_requests
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
    live: bool = False
    """Ask the configured live sources, too; only if the person wants what is on offer now."""


class ListingResults(Wire):
    listings: list[Listing]
    problems: list[str] = Field(default_factory=list[str])
    """The live sources that could not be asked, each with the reason."""


@tool(Scope.READ)
async def search_listings(arguments: ListingQuery, context: ToolContext) -> ListingResults:
    """Search imported marketplace listings by words or GTIN, sold and active by turns; with `live`
    the live sources as well.
    """
    query = CompQuery(text=arguments.text, gtin=arguments.gtin)
    offers = [arguments.offer] if arguments.offer else list(STATUSES)
    library = Library(context.unit)
    results = [(await library.search(query, each, arguments.limit)).listings for each in offers]
    problems: list[str] = []
    if arguments.live:
        live, problems = await _live(query, offers, arguments.limit, context)
        results += live
    mixed = [listing for row in zip_longest(*results) for listing in row if listing is not None]
    return ListingResults(listings=mixed[: arguments.limit], problems=problems)


async def _live(
    query: CompQuery, offers: Sequence[Offer], limit: int, context: ToolContext
) -> tuple[list[Sequence[Listing]], list[str]]:
    """What the live sources have, within the day's searches, and which could not be asked."""
    outside = available(context.services.get(OutsideSources).sources)
    searches = [(each, offer) for each in outside for offer in offers if offer in each.offers]
    if not searches:
        return [], ["No live source is configured that can search listings."]
    most = context.services.get(ResaleSettings).live_searches_per_day
    async with context.unit() as session:
        if not await reserve(session, most):
            return [], [f"The {most} live searches of today are used up; research asks them still."]
    answers = await asyncio.gather(
        *(_ask(source, query, offer, limit) for source, offer in searches)
    )
    async with context.unit() as session:
        await count_requests(session, [request for _, request in answers])
    titles = {source.id: source.title for source in outside}
    problems = dict.fromkeys(
        f"{titles[request.source]}: {request.error}" for _, request in answers if request.error
    )
    return [listings for listings, _ in answers], list(problems)


async def _ask(
    source: Source, query: CompQuery, offer: Offer, limit: int
) -> tuple[Sequence[Listing], SourceRequest]:
    try:
        result = await source.search(query, offer, limit)
    except WhenceError as error:
        return (), SourceRequest.failed(source.id, error)
    return result.listings, SourceRequest(source.id)
