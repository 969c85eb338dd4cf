"""Finding imported listings by words, GTIN or both, through the inverted index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.retrieval import COMMON
from whence.packs.resale.matching.tokens import terms
from whence.packs.resale.records import Listing, ListingStatus

from . import background

MAX_POSTINGS = 20_000
"""Index entries that one search may read: rare words first, common ones only while they fit."""
POOL = 400
"""Best listings by words, before they are narrowed by status."""
LEAST_LIKENESS = 0.2
"""Share of the nearest listing's likeness under which another shares a common word and no more."""

_COUNTS = text("SELECT term, listings FROM resale.term_counts WHERE term = ANY(:terms)")
_SEARCH = text("""
    WITH found AS (
        SELECT t.listing_id AS id, sum(w.weight) AS weight
        FROM unnest(CAST(:terms AS text[]), CAST(:weights AS float8[])) AS w (term, weight)
        JOIN resale.listing_terms t ON t.term = w.term
        GROUP BY t.listing_id
    ), best AS (
        SELECT l.source_id, f.weight / l.size AS likeness, l.status, l.record
        FROM found f JOIN resale.listings l ON l.id = f.id
        ORDER BY likeness DESC, l.source_id LIMIT :pool
    )
    SELECT record FROM best
    WHERE status = ANY(:statuses) AND likeness >= :least * (SELECT max(likeness) FROM best)
    ORDER BY likeness DESC, source_id LIMIT :limit
""")
_BY_GTIN = text("""
    SELECT record FROM resale.listings WHERE gtin = :gtin AND status = ANY(:statuses)
    ORDER BY imported_at DESC, source_id LIMIT :limit
""")


@dataclass(frozen=True)
class LibrarySearch:
    """Imported listings of the organization whose unit of work this session is."""

    session: AsyncSession

    async def counts(self, words: Sequence[str]) -> tuple[int, dict[str, int]]:
        """How many listings were imported, and in how many of them each of these terms stands."""
        rows = await self.session.execute(_COUNTS, {"terms": ["", *words]})
        counts: dict[str, int] = dict(rows.tuples().all())
        return counts.pop("", 0), counts

    async def by_words(
        self, query: str, statuses: Sequence[ListingStatus], limit: int
    ) -> list[Listing]:
        """The listings most like the query, the nearest first."""
        wanted = terms(query)
        listings, counts = await self.counts(wanted)
        catalogue = background.catalogue(listings, counts, wanted)
        followed = _followed(wanted, counts, catalogue)
        if not followed:
            return []
        rows = await self.session.execute(
            _SEARCH,
            {
                "terms": followed,
                "weights": [catalogue.rarity(term) ** 2 for term in followed],
                "pool": max(POOL, limit),
                "least": LEAST_LIKENESS,
                "statuses": [status.value for status in statuses],
                "limit": limit,
            },
        )
        return [Listing.model_validate(record) for (record,) in rows]

    async def by_gtin(
        self, gtin: str, statuses: Sequence[ListingStatus], limit: int
    ) -> list[Listing]:
        """Listings that carry this GTIN-14, newest import first."""
        values = {"gtin": gtin, "statuses": [s.value for s in statuses], "limit": limit}
        rows = await self.session.execute(_BY_GTIN, values)
        return [Listing.model_validate(record) for (record,) in rows]


def _followed(wanted: Sequence[str], counts: Mapping[str, int], catalogue: Catalogue) -> list[str]:
    """The terms worth following, the rarest first, within `MAX_POSTINGS`; at least one."""
    known = sorted((term for term in wanted if counts.get(term)), key=lambda term: counts[term])
    followed: list[str] = []
    budget = MAX_POSTINGS
    for term in known:
        telling = catalogue.rarity(term) > COMMON or not followed
        if not telling or (counts[term] > budget and followed):
            break
        followed.append(term)
        budget -= counts[term]
    return followed
