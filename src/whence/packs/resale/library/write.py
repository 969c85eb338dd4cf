"""Writing listings and their index, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from whence.packs.resale.matching.scorer import text_of
from whence.packs.resale.matching.tokens import terms
from whence.packs.resale.records import Listing
from whence.sdk.text import digest
from whence.sdk.values import new_id

BATCH = 2_000
"""Listings written by one statement: large enough to be quick, small enough for memory."""

_ALONE = text("""
    SELECT pg_advisory_xact_lock(hashtextextended('resale.listings ' || whence.current_org(), 0))
""")
_UPSERT = text("""
    INSERT INTO resale.listings AS old (org_id, id, source_id, digest, status, gtin, size, record)
    SELECT whence.current_org(), r.* FROM jsonb_to_recordset(:rows) AS r (
        id uuid, source_id text, digest text, status text, gtin text, size real, record jsonb)
    ON CONFLICT (org_id, source_id) DO UPDATE SET digest = excluded.digest,
        status = excluded.status, gtin = excluded.gtin, size = excluded.size,
        record = excluded.record, imported_at = now()
    WHERE old.digest <> excluded.digest
    RETURNING id, source_id, (xmax = 0) AS is_new
""").bindparams(bindparam("rows", type_=JSONB))
_FORGET = text("DELETE FROM resale.listing_terms WHERE listing_id = ANY(:ids)")
_INDEX = text("""
    INSERT INTO resale.listing_terms (org_id, term, listing_id)
    SELECT whence.current_org(), t.term, t.id
    FROM unnest(CAST(:terms AS text[]), CAST(:ids AS uuid[])) AS t (term, id)
""")
_COUNT = text("""
    WITH counted AS (
        SELECT term, count(*)::int AS listings FROM resale.listing_terms GROUP BY term
        UNION ALL SELECT '', count(*)::int FROM resale.listings
    ), gone AS (
        DELETE FROM resale.term_counts WHERE term NOT IN (SELECT term FROM counted)
    )
    INSERT INTO resale.term_counts (org_id, term, listings)
    SELECT whence.current_org(), term, listings FROM counted
    ON CONFLICT (org_id, term) DO UPDATE SET listings = excluded.listings
    WHERE term_counts.listings <> excluded.listings
""")


@dataclass(frozen=True)
class Written:
    """How many listings were new, how many changed, and how many were there already."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    changed: Mapping[str, tuple[UUID, bool]] = field(default_factory=dict)
    """By source id: whence's id of each listing that was written, and whether it is new."""

    def __add__(self, other: Written) -> Written:
        return Written(
            self.added + other.added,
            self.updated + other.updated,
            self.unchanged + other.unchanged,
            {**self.changed, **other.changed},
        )


async def write_listings(session: AsyncSession, listings: Sequence[Listing]) -> Written:
    """Store up to `BATCH` listings by source id and index the new and changed ones.

    Call `count_terms` once after the last batch.  Imports of one organization wait for each other:
    side by side they would lock each other out, and neither would count the other's listings.
    """
    await session.execute(_ALONE)
    vocabulary = {listing.source_id: terms(text_of(listing)) for listing in listings}
    rows: list[dict[str, Any]] = []
    for listing in listings:
        record = listing.model_dump(mode="json")
        rows.append(
            {
                "id": str(new_id()),
                "source_id": listing.source_id,
                "digest": digest(record),
                "status": listing.status.value,
                "gtin": listing.gtin,
                "size": max(len(vocabulary[listing.source_id]), 1) ** 0.5,
                "record": record,
            }
        )
    changed = (await session.execute(_UPSERT, {"rows": rows})).all()
    old = [row.id for row in changed if not row.is_new]
    if old:
        await session.execute(_FORGET, {"ids": old})
    pairs = [(term, row.id) for row in changed for term in vocabulary[row.source_id]]
    if pairs:
        values = {"terms": [term for term, _ in pairs], "ids": [key for _, key in pairs]}
        await session.execute(_INDEX, values)
    added = len(changed) - len(old)
    ids = {row.source_id: (row.id, bool(row.is_new)) for row in changed}
    return Written(added, len(old), len(listings) - len(changed), ids)


async def count_terms(session: AsyncSession) -> None:
    """Bring the term counts up to date with the index."""
    await session.execute(_COUNT)
