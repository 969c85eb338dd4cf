"""Indexing what was written before there was an index, or while its terms were made otherwise.

Every start of the program asks, in one call, which organizations have a collection that is not
indexed as it is defined now.  Where there is none, that is all it costs.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy import text

from whence.db.database import Database
from whence.kernel.log import get
from whence.search import index
from whence.search.collection import Collection

_log = get("search")
_ALONE = text("SELECT pg_advisory_xact_lock(hashtextextended('search ' || :org || :name, 0))")
_IS_DONE = text("""
    SELECT EXISTS (SELECT FROM whence.search_definitions
        WHERE collection = :name AND definition = :definition)
""")
_DONE = text("""
    INSERT INTO whence.search_definitions (org_id, collection, definition)
    VALUES (whence.current_org(), :name, :definition)
    ON CONFLICT (org_id, collection) DO UPDATE SET definition = excluded.definition
""")


async def rebuild(db: Database, collections: Iterable[Collection]) -> int:
    """Index every document that is not indexed as its collection is defined; how many they were."""
    by_name = {each.name: each for each in collections}
    wanted = {name: each.definition for name, each in by_name.items()}
    due = await db.rows("SELECT * FROM whence.unindexed(%(wanted)s)", {"wanted": wanted})
    indexed = 0
    for org_id, name in due:
        indexed += await _rebuild(db, org_id, by_name[name])
    if indexed:
        _log.info("documents indexed for search", documents=indexed)
    return indexed


async def _rebuild(db: Database, org_id: UUID, collection: Collection) -> int:
    values = {"org": str(org_id), "name": collection.name, "definition": collection.definition}
    indexed, after = 0, UUID(int=0)
    while True:
        async with db.unit(org_id) as session:
            await session.execute(_ALONE, values)
            if await session.scalar(_IS_DONE, values):
                return indexed  # another process was quicker
            batch = await collection.index_after(session, after, index.BATCH)
            if len(batch) < index.BATCH:
                await session.execute(_DONE, values)
                return indexed + len(batch)
        indexed, after = indexed + len(batch), batch[-1]
