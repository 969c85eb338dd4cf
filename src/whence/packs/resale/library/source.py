"""The imported listings as a source, which needs no key and no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager

from sqlalchemy.ext.asyncio import AsyncSession

from whence.packs.resale.matching.tokens import terms
from whence.packs.resale.records import Listing, ListingStatus
from whence.packs.resale.sources.base import (
    Availability,
    CatalogueEntry,
    CompQuery,
    NotOffered,
    Offer,
    SearchResult,
)

from .search import LibrarySearch

STATUSES = {
    Offer.SOLD: (ListingStatus.SOLD, ListingStatus.ENDED),
    Offer.ACTIVE: (ListingStatus.ACTIVE, ListingStatus.UNKNOWN),
}
"""The statuses of each offer; a listing of unknown status counts as an asking price."""
LOOKUP_LIMIT = 20


class Library:
    """Imported listings of one organization; `unit` opens its unit of work."""

    id = "library"
    title = "Imported listings"
    offers = frozenset(Offer)

    def __init__(self, unit: Callable[[], AbstractAsyncContextManager[AsyncSession]]) -> None:
        self._unit = unit

    def availability(self) -> Availability:
        """Always available."""
        return Availability(available=True, note="`whence import resale.listings FILE` fills it")

    async def search(self, query: CompQuery, offer: Offer, limit: int) -> SearchResult:
        """Listings by GTIN first, then by words; raises NotOffered for a lookup."""
        if offer not in STATUSES:
            raise NotOffered("Use `lookup` to look a GTIN up.")
        listings: dict[str, Listing] = {}
        total = 0
        async with self._unit() as session:
            search = LibrarySearch(session)
            if query.gtin:
                matches = await search.by_gtin(query.gtin, STATUSES[offer], limit)
                listings = {listing.source_id: listing for listing in matches.listings}
                total = matches.total
            if query.text.strip() and terms(query.text) and len(listings) < limit:
                matches = await search.by_words(query.text, STATUSES[offer], limit)
                for listing in matches.listings:
                    listings.setdefault(listing.source_id, listing)
                total = max(total, matches.total, len(listings))
        return SearchResult(listings=tuple(listings.values())[:limit], total=total)

    async def counts(self, words: Sequence[str]) -> tuple[int, Mapping[str, int]]:
        """The number of listings, and of listings with each of these terms."""
        async with self._unit() as session:
            return await LibrarySearch(session).counts(words)

    async def lookup(self, gtin: str) -> Sequence[CatalogueEntry]:
        """Catalogue entries made from imported listings with this GTIN."""
        async with self._unit() as session:
            matches = await LibrarySearch(session).by_gtin(gtin, tuple(ListingStatus), LOOKUP_LIMIT)
        return [entry_of(listing) for listing in matches.listings]


def entry_of(listing: Listing) -> CatalogueEntry:
    """A catalogue entry made from an imported listing."""
    return CatalogueEntry(
        source=Library.id,
        source_id=listing.source_id,
        title=listing.title,
        brand=listing.brand,
        model=listing.model,
        mpn=listing.mpn,
        category=listing.category,
        gtin=listing.gtin,
        url=listing.url,
    )
