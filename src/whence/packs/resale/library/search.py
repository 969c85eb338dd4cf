"""Search imported listings by words, GTIN or both, through the search index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, Select, column, func, select, table, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.retrieval import COMMON
from whence.packs.resale.matching.tokens import terms
from whence.packs.resale.records import Listing, ListingStatus
from whence.sdk.search import counts, nearest

from . import background

MAX_POSTINGS = 20_000
"""Most index entries read per search: rare words first, common ones if there is room."""
POOL = 400
"""Number of best listings by words that are then filtered by status."""
LEAST_LIKENESS = 0.2
"""Listings below this share of the nearest one's similarity are dropped: they share only a common
word."""

LISTINGS = "resale.listings"
"""The collection in the search index; each term of a listing counts once."""
_LISTINGS = table(
    "listings",
    *map(column, ("id", "source_id", "status")),
    column("record", JSONB),
    schema="resale",
)
_BY_GTIN = text("""
    SELECT record, count(*) OVER () FROM resale.listings
    WHERE gtin = :gtin AND status = ANY(:statuses)
    ORDER BY imported_at DESC, source_id LIMIT :limit
""")


@dataclass(frozen=True)
class Matches:
    """Listings that match, and how many match in all (of `POOL` at most)."""

    listings: Sequence[Listing] = ()
    total: int = 0

    @classmethod
    def of(cls, rows: Sequence[Row[Any, Any]]) -> Matches:
        """Rows of a record and the count of all."""
        listings = [Listing.model_validate(row[0]) for row in rows]
        return cls(listings, rows[0][1] if rows else 0)


@dataclass(frozen=True)
class LibrarySearch:
    """The imported listings of the session's organization."""

    session: AsyncSession

    async def counts(self, words: Sequence[str]) -> tuple[int, dict[str, int]]:
        """The number of imported listings, and of listings with each of these terms."""
        return await counts(self.session, LISTINGS, words)

    async def by_words(self, query: str, statuses: Sequence[ListingStatus], limit: int) -> Matches:
        """The listings most similar to the query, nearest first."""
        wanted = terms(query)
        listings, occurrences = await self.counts(wanted)
        catalogue = background.catalogue(listings, occurrences, wanted)
        followed = _followed(wanted, occurrences, catalogue)
        if not followed:
            return Matches()
        weights = {term: catalogue.rarity(term) ** 2 for term in followed}
        rows = await self.session.execute(_best(weights, statuses, limit))
        return Matches.of(rows.all())

    async def by_gtin(self, gtin: str, statuses: Sequence[ListingStatus], limit: int) -> Matches:
        """Listings with this GTIN-14, newest import first."""
        values = {"gtin": gtin, "statuses": [s.value for s in statuses], "limit": limit}
        rows = await self.session.execute(_BY_GTIN, values)
        return Matches.of(rows.all())


def _best(
    weights: Mapping[str, float], statuses: Sequence[ListingStatus], limit: int
) -> Select[Any, int]:
    """The nearest listings with one of these statuses, nearest first, with the count of all."""
    near, listing = nearest(LISTINGS, weights).subquery(), _LISTINGS.c
    likeness = near.c.likeness
    pool = (
        select(listing.source_id, listing.status, listing.record, likeness)
        .join_from(near, _LISTINGS, listing.id == near.c.document_id)
        .order_by(likeness.desc(), listing.source_id)
        .limit(max(POOL, limit))
        .cte("pool")
    )
    least = LEAST_LIKENESS * select(func.max(pool.c.likeness)).scalar_subquery()
    return (
        select(pool.c.record, func.count().over())
        .where(pool.c.status.in_([each.value for each in statuses]), pool.c.likeness >= least)
        .order_by(pool.c.likeness.desc(), pool.c.source_id)
        .limit(limit)
    )


def _followed(wanted: Sequence[str], counts: Mapping[str, int], catalogue: Catalogue) -> list[str]:
    """The terms to look up, rarest first, within `MAX_POSTINGS`; at least one."""
    occurring = sorted((term for term in wanted if counts.get(term)), key=lambda term: counts[term])
    followed: list[str] = []
    budget = MAX_POSTINGS
    for term in occurring:
        telling = catalogue.rarity(term) > COMMON or not followed
        if not telling or (counts[term] > budget and followed):
            break
        followed.append(term)
        budget -= counts[term]
    return followed
