"""Indexing what was written before there was an index, or while a kind searched other columns.

Every start of the program asks, in one call, which organizations have a kind that is not indexed
as it is declared now.  Where there is none, that is all it costs.
"""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.kernel.log import get
from whence.kernel.text import digest
from whence.records.kind import Kinds, SubjectKind
from whence.records.search import index

WORDS_VERSION = 1
"""Raised when `words` reads texts in another way: everything is indexed anew then."""
_log = get("records.search")
_ALONE = text("SELECT pg_advisory_xact_lock(hashtextextended('search ' || :org || :kind, 0))")
_IS_DONE = text("""
    SELECT EXISTS (SELECT FROM whence.search_definitions
        WHERE collection = :kind AND definition = :definition)
""")
_DONE = text("""
    INSERT INTO whence.search_definitions (org_id, collection, definition)
    VALUES (whence.current_org(), :kind, :definition)
    ON CONFLICT (org_id, collection) DO UPDATE SET definition = excluded.definition
""")


def definition(kind: SubjectKind) -> str:
    """What a kind's index is made of: another one needs another index."""
    return digest({"words": WORDS_VERSION, "columns": list(kind.search)})


async def rebuild(db: Database, kinds: Kinds) -> int:
    """Index every record that is not indexed as its kind declares; how many they were."""
    wanted = {name: definition(kind) for name, kind in kinds.items() if kind.search}
    due = await db.rows("SELECT * FROM whence.unindexed(%(wanted)s)", {"wanted": wanted})
    indexed = 0
    for org_id, name in due:
        indexed += await _rebuild(db, org_id, kinds[name])
    if indexed:
        _log.info("records indexed for search", records=indexed)
    return indexed


async def _rebuild(db: Database, org_id: UUID, kind: SubjectKind) -> int:
    values = {"org": str(org_id), "kind": kind.kind, "definition": definition(kind)}
    indexed, after = 0, UUID(int=0)
    while True:
        async with db.unit(org_id) as session:
            await session.execute(_ALONE, values)
            if await session.scalar(_IS_DONE, values):
                return indexed  # another process was quicker
            batch = await _batch(session, kind, after)
            await index.reindex(session, kind, batch)
            if len(batch) < index.BATCH:
                await session.execute(_DONE, values)
                return indexed + len(batch)
        indexed, after = indexed + len(batch), batch[-1]


async def _batch(session: AsyncSession, kind: SubjectKind, after: UUID) -> list[UUID]:
    row = kind.row
    query = select(row.id).where(row.id > after, row.deleted_at.is_(None)).order_by(row.id)
    return list(await session.scalars(query.limit(index.BATCH)))
