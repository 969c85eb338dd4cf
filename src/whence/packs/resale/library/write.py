"""Write listings and their index in the caller's transaction."""

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
from whence.sdk.search import Collection, index
from whence.sdk.text import digest
from whence.sdk.values import new_id

from .search import LISTINGS

BATCH = 2_000
"""Listings written by one statement: large enough to be quick, small enough for memory."""

_ALONE = text("""
    SELECT pg_advisory_xact_lock(hashtextextended('resale.listings ' || whence.current_org(), 0))
""")
_UPSERT = text("""
    INSERT INTO resale.listings AS old (org_id, id, source_id, digest, status, gtin, record)
    SELECT whence.current_org(), r.* FROM jsonb_to_recordset(:rows) AS r (
        id uuid, source_id text, digest text, status text, gtin text, record jsonb)
    ON CONFLICT (org_id, source_id) DO UPDATE SET digest = excluded.digest,
        status = excluded.status, gtin = excluded.gtin, record = excluded.record,
        imported_at = now()
    WHERE old.digest <> excluded.digest
    RETURNING id, source_id, (xmax = 0) AS is_new
""").bindparams(bindparam("rows", type_=JSONB))
_AFTER = text("""
    SELECT id, record FROM resale.listings WHERE id > :after ORDER BY id LIMIT :limit
""")
TERMS_VERSION = 2
"""Increase it when `terms` or `text_of` changes: all listings are then indexed again."""


@dataclass(frozen=True)
class Written:
    """The numbers of new, changed and unchanged listings."""

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

    Call `count_terms` once after the last batch.  Imports of one organization run one after the
    other: in parallel they could deadlock, and neither would count the other's listings.
    """
    await session.execute(_ALONE)
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
                "record": record,
            }
        )
    changed = (await session.execute(_UPSERT, {"rows": rows})).all()
    old = [row.id for row in changed if not row.is_new]
    await index.remove(session, LISTINGS, old)
    by_source_id = {listing.source_id: listing for listing in listings}
    documents = {row.id: _terms(by_source_id[row.source_id]) for row in changed}
    await index.put(session, LISTINGS, documents, are_new=True)
    added = len(changed) - len(old)
    ids = {row.source_id: (row.id, bool(row.is_new)) for row in changed}
    return Written(added, len(old), len(listings) - len(changed), ids)


async def count_terms(session: AsyncSession) -> None:
    """Bring the term counts up to date with the index."""
    await index.count_terms(session, LISTINGS)


async def _index_after(session: AsyncSession, after: UUID, limit: int) -> Sequence[UUID]:
    await session.execute(_ALONE)
    rows = (await session.execute(_AFTER, {"after": after, "limit": limit})).all()
    listings = {row.id: Listing.model_validate(row.record) for row in rows}
    await index.put(session, LISTINGS, {key: _terms(one) for key, one in listings.items()})
    if len(rows) < limit:
        await count_terms(session)
    return list(listings)


LISTING_COLLECTION = Collection(LISTINGS, f"terms {TERMS_VERSION}", _index_after)


def _terms(listing: Listing) -> Mapping[str, int]:
    """A listing's terms, each counted once: repetition in a title means nothing."""
    return dict.fromkeys(terms(text_of(listing)), 1)
