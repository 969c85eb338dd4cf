"""`whence import resale.items|resale.listings`: a file's rows into the database, batch by batch."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.packs.resale.items import ITEMS
from whence.packs.resale.library.tables import ItemRow
from whence.packs.resale.library.write import count_terms, write_listings
from whence.packs.resale.records import Item, Listing, Media
from whence.packs.resale.uploads import read_photograph
from whence.sdk.errors import Invalid
from whence.sdk.imports import Batch, Importer, Upserted
from whence.sdk.records import Files, NamedFile, audit, put_files, reindex
from whence.sdk.tabular import Row
from whence.sdk.values import new_id, now

from . import read_items, read_listings

ITEM_BATCH = 200
"""Items are written one by one, with a line each in the audit log, and may bring photographs."""


async def write_items(batch: Batch[Item]) -> None:
    """Items by their id in the file; importing a file again changes only what differs."""
    for row in batch.rows:
        item, photographs, problems = await _kept_photographs(
            batch.files, batch.session, row.record
        )
        for problem in problems:
            batch.warn(row, problem)
        await _write_item(batch, row, item, photographs)


async def write_library(batch: Batch[Listing]) -> None:
    """Listings by their id in the file, with their search index."""
    written = await write_listings(batch.session, [row.record for row in batch.rows])
    for row in batch.rows:
        if row.external_id in written.changed:
            listing_id, is_new = written.changed[row.external_id]
            batch.saved(row, Upserted.ADDED if is_new else Upserted.UPDATED, listing_id)
        else:
            batch.saved(row, Upserted.UNCHANGED)


async def _write_item(
    batch: Batch[Item], imported: Row[Item], item: Item, photographs: Sequence[NamedFile]
) -> None:
    session, who, external_id = batch.session, batch.principal, imported.external_id
    query = select(ItemRow).where(ItemRow.external_id == external_id, ItemRow.deleted_at.is_(None))
    row = (await session.scalars(query.with_for_update())).one_or_none()
    values = item.model_dump(mode="json", exclude={"ai_review_state"})
    if row is None:
        row = ItemRow(
            id=new_id(),
            external_id=external_id,
            ai_review_state=item.ai_review_state.value,
            **values,
        )
        session.add(row)
        await session.flush()
        await put_files(session, who, ITEMS, row, photographs)
        await audit(session, who, "import", "items", row.id, values)
        await reindex(session, ITEMS, [row.id])
        return batch.saved(imported, Upserted.ADDED, row.id)
    has_photographs = False
    if item.media or photographs:
        has_photographs = await put_files(session, who, ITEMS, row, photographs)
    else:
        values.pop("media")  # a file without photographs, or with none that can be read here
    changed = {name: value for name, value in values.items() if getattr(row, name) != value}
    if not changed and not has_photographs:
        return batch.saved(imported, Upserted.UNCHANGED, row.id)
    before = {name: getattr(row, name) for name in changed}
    await audit(session, who, "import", "items", row.id, {"before": before, "after": changed})
    for name, value in changed.items():
        setattr(row, name, value)
    row.version += 1
    row.updated_at = now()
    await session.flush()
    await reindex(session, ITEMS, [row.id])
    return batch.saved(imported, Upserted.UPDATED, row.id, before)


async def _kept_photographs(
    files: Files, session: AsyncSession, item: Item
) -> tuple[Item, list[NamedFile], list[str]]:
    """Keep local photographs; the item with the others, and what could not be read and why.

    Only the reader of an imported file makes `file:` addresses, of pictures in the file's folder.
    """
    media: list[Media] = []
    photographs: list[NamedFile] = []
    problems: list[str] = []
    for photo in item.media:
        parts = urlsplit(photo.url)
        if parts.scheme != "file":
            media.append(photo)
            continue
        source = Path(unquote(parts.path))
        try:
            content, media_type = await asyncio.to_thread(read_photograph, source)
            stored = await files.keep_bytes(session, content, media_type)
            photographs.append(NamedFile(source.name, stored))
        except Invalid as problem:
            problems.append(f"Photograph {source.name!r} is left out: {problem.message}")
    return item.model_copy(update={"media": media}), photographs, problems


ITEM_IMPORT = Importer(
    "items",
    "Items to sell: CSV, JSON or a workbook",
    read_items,
    write_items,
    batch_rows=ITEM_BATCH,
)
LISTING_IMPORT = Importer(
    "listings",
    "Listings seen on marketplaces: CSV, JSON or a workbook",
    read_listings,
    write_library,
    finish=count_terms,
)
