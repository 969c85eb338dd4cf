"""Looks up a product by its barcode."""

from __future__ import annotations

from whence.packs.resale.flows.sources import OutsideSources, available
from whence.packs.resale.library.source import Library
from whence.packs.resale.records import GivenGtin
from whence.packs.resale.sources.base import CatalogueEntry, Offer
from whence.sdk.access import Scope
from whence.sdk.errors import WhenceError
from whence.sdk.sources import SourceRequest, count_requests
from whence.sdk.tools import ToolContext, tool
from whence.sdk.values import Wire


class GtinQuery(Wire):
    gtin: GivenGtin


class GtinResults(Wire):
    """The entry of each catalogue, and the catalogues that could not be asked."""

    entries: list[CatalogueEntry]
    problems: list[str]


@tool(Scope.READ)
async def lookup_gtin(arguments: GtinQuery, context: ToolContext) -> GtinResults:
    """Look up a GTIN-14 in imported listings and in every enabled catalogue."""
    outside = context.services.get(OutsideSources).sources
    entries: list[CatalogueEntry] = []
    problems: list[str] = []
    requests: list[SourceRequest] = []
    for source in available([Library(context.unit), *outside]):
        if Offer.LOOKUP not in source.offers:
            continue
        try:
            entries += await source.lookup(arguments.gtin)
            requests.append(SourceRequest(source.id))
        except WhenceError as error:
            problems.append(f"{source.title}: {error.message}")
            requests.append(SourceRequest.failed(source.id, error))
    async with context.unit() as session:
        await count_requests(session, [each for each in requests if each.source != Library.id])
    return GtinResults(entries=entries, problems=problems)
