"""Write listings and their index in the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    RETURNING id, source_id
""").bindparams(bindparam("rows", type_=JSONB))
_AFTER = text("""
    SELECT id, record FROM resale.listings WHERE id > :after ORDER BY id LIMIT :limit
""")
TERMS_VERSION = 2
"""Increase it when `terms` or `text_of` changes: all listings are then indexed again."""


_STORED = text("""
    SELECT source_id, record FROM resale.listings WHERE source_id = ANY(:ids)
""")


@dataclass(frozen=True)
class Change:
    """A listing that was written and, unless it is new, the fields that changed."""

    id: UUID
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Written:
    """The numbers of new, changed and unchanged listings."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    changed: Mapping[str, Change] = field(default_factory=dict[str, "Change"])
    """The listings that were written, by source id."""

    def __add__(self, other: Written) -> Written:
        return Written(
            self.added + other.added,
            self.updated + other.updated,
            self.unchanged + other.unchanged,
            {**self.changed, **other.changed},
        )


async def write_listings(
    session: AsyncSession,
    listings: Sequence[Listing],
    kept: Mapping[str, Iterable[str]] | None = None,
) -> Written:
    """Store up to `BATCH` listings by source id and index the new and changed ones.

    `kept` names, by source id, the fields that a listing which is there already keeps.

    Call `count_terms` once after the last batch.  Imports of one organization run one after the
    other: in parallel they could deadlock, and neither would count the other's listings.
    """
    await hold_listings(session)
    ids = [listing.source_id for listing in listings]
    stored = {each.source_id: each.record for each in await session.execute(_STORED, {"ids": ids})}
    listings = [_merged(each, stored.get(each.source_id), kept or {}) for each in listings]
    rows: list[dict[str, Any]] = []
    for listing in listings:
        record = _stored_form(listing)
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
    old = [row.id for row in changed if row.source_id in stored]
    await index.remove(session, LISTINGS, old)
    by_source_id = {listing.source_id: listing for listing in listings}
    documents = {row.id: _terms(by_source_id[row.source_id]) for row in changed}
    await index.put(session, LISTINGS, documents, are_new=True)
    records = {row["source_id"]: row["record"] for row in rows}
    changes = {
        row.source_id: _change(row.id, stored.get(row.source_id), records[row.source_id])
        for row in changed
    }
    return Written(len(changed) - len(old), len(old), len(listings) - len(changed), changes)


def _stored_form(listing: Listing) -> dict[str, Any]:
    """The record as stored; without a picture as it always was, so that it counts as unchanged."""
    record = listing.model_dump(mode="json")
    return record if listing.image_url else {k: v for k, v in record.items() if k != "image_url"}


def _merged(
    listing: Listing, stored: Mapping[str, Any] | None, kept: Mapping[str, Iterable[str]]
) -> Listing:
    """The listing with the stored values of the fields that it keeps."""
    names = set(kept.get(listing.source_id, ())).intersection(Listing.model_fields)
    if stored is None or not names:
        return listing
    before = Listing.model_validate(stored)
    return listing.model_copy(update={name: getattr(before, name) for name in names})


def _change(key: UUID, before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> Change:
    if before is None:
        return Change(key)
    names = [name for name, value in after.items() if before.get(name) != value]
    return Change(
        key, {name: before.get(name) for name in names}, {name: after[name] for name in names}
    )


async def hold_listings(session: AsyncSession) -> None:
    """Let no one else write listings of the organization until the transaction ends."""
    await session.execute(_ALONE)


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
