"""Undo an import of listings: each listing by itself, unless a later import changed it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import text

from whence.packs.resale.records import Listing
from whence.sdk.imports import UndoBatch, WrittenRecord

from .delete import delete_listings
from .write import hold_listings, write_listings

_STORED = text("SELECT id, record FROM resale.listings WHERE id = ANY(:ids)")
_LATER = text("""
    SELECT record_id FROM whence.import_rows
    WHERE record_id = ANY(:ids) AND import_id > :import AND outcome = 'updated'
        AND undone ->> 'result' IS DISTINCT FROM 'restored'
""")
CHANGED_SINCE = "A later import changed it."


async def undo_listings(batch: UndoBatch) -> None:
    """Delete the listings that the import added, and set back the fields that it changed."""
    session = batch.session
    await hold_listings(session)
    ids = [each.record_id for each in batch.records]
    stored = {row.id: row.record for row in await session.execute(_STORED, {"ids": ids})}
    later = set(await session.scalars(_LATER, {"ids": ids, "import": batch.import_id}))
    doomed: list[UUID] = []
    for record in batch.records:
        if record.record_id not in stored:
            batch.undone(record, "kept", reason="It was deleted after the import.")
        elif not record.is_added:
            await _restore(batch, record, stored[record.record_id])
        elif record.record_id in later:
            batch.undone(record, "kept", reason=CHANGED_SINCE)
        else:
            doomed.append(record.record_id)
            batch.undone(record, "deleted")
    await delete_listings(session, doomed)


async def _restore(batch: UndoBatch, record: WrittenRecord, stored: Mapping[str, Any]) -> None:
    back = {
        name: value
        for name, value in record.before.items()
        if stored.get(name) == record.after.get(name)
    }
    kept = [name for name in record.before if name not in back]
    if back:
        await write_listings(batch.session, [Listing.model_validate({**stored, **back})])
    batch.undone(record, "restored" if back else "kept", kept, CHANGED_SINCE if kept else None)
