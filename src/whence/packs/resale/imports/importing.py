"""`whence import resale.items|resale.listings`: a file's rows into the database, batch by batch."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from uuid import UUID

from sqlalchemy import select

from whence.packs.resale.items import ITEMS
from whence.packs.resale.library.tables import ItemRow
from whence.packs.resale.library.undo import undo_listings
from whence.packs.resale.library.write import count_terms, write_listings
from whence.packs.resale.records import Item, Listing, Media
from whence.packs.resale.uploads import (
    PhotographOnDisk,
    Unkept,
    photograph_on_disk,
    read_photograph,
)
from whence.sdk.errors import Invalid
from whence.sdk.imports import FILES, Batch, Importer, Upserted, undo_records, upsert_all
from whence.sdk.records import (
    NamedFile,
    audit,
    audit_each,
    digests_of,
    put_files,
    reindex,
)
from whence.sdk.tabular import Row, line_of_text
from whence.sdk.values import new_id, now

from . import read_items, read_listings

ITEM_BATCH = 1_000
"""Fewer than of other records: items may bring photographs, each of which is read."""
_STATE = "ai_review_state"
"""What research says of an item; an import never changes it."""


async def write_items(batch: Batch[Item]) -> None:
    """Items by their id in the file; importing a file again changes only what differs."""
    batch = replace(batch, rows=await _with_attributes(batch))
    carrying = await _with_photographs(batch)
    bare: list[Row[Item]] = []
    linked: list[Row[Item]] = []
    for row in batch.rows:
        local = any(_is_local(photo.url) for photo in row.record.media)
        if local or (row.record.media and row.external_id in carrying):
            item, photographs, problems = await _kept_photographs(batch, row.record)
            for problem in problems:
                batch.warn(row, problem)
            await _write_item(batch, row, item, photographs)
        else:
            (linked if row.record.media else bare).append(row)
    await _write_all(batch, bare, keep=("media", _STATE))
    await _write_all(batch, linked, keep=(_STATE,))


async def _write_all(batch: Batch[Item], rows: Sequence[Row[Item]], keep: Sequence[str]) -> None:
    """Write rows that bring no file at once, with a line each in the audit log."""
    await upsert_all(replace(batch, rows=rows), ITEMS, keep=keep)
    lines: dict[UUID, Mapping[str, Any]] = {}
    for row in rows:
        saved = batch.outcomes[row.external_id]
        if saved.record_id is None:
            continue
        if saved.before is None:
            lines[saved.record_id] = row.record.model_dump(mode="json", exclude={_STATE})
        else:
            lines[saved.record_id] = {"before": saved.before, "after": saved.after}
    await audit_each(batch.session, batch.principal, "import", "items", lines)


async def _with_attributes(batch: Batch[Item]) -> list[Row[Item]]:
    """The rows, each with the attributes that its item has and the row does not name."""
    ids = [row.external_id for row in batch.rows]
    query = select(ItemRow.external_id, ItemRow.attributes)
    known = query.where(ItemRow.external_id.in_(ids), ItemRow.deleted_at.is_(None))
    stored = {each[0]: each[1] for each in await batch.session.execute(known.with_for_update())}
    return [
        replace(
            row,
            record=_merged(row, stored[row.external_id], clear_empty=batch.clear_empty),
            absent=row.absent - {"attributes"},
        )
        if row.external_id in stored
        else row
        for row in batch.rows
    ]


def _merged(row: Row[Item], stored: Mapping[str, str], *, clear_empty: bool) -> Item:
    named = {name.removeprefix("attr:") for name in row.blank if name.startswith("attr:")}
    cleared = {line_of_text(name) for name in named} if clear_empty else set[str]()
    attributes = {name: value for name, value in stored.items() if name not in cleared}
    return row.record.model_copy(update={"attributes": {**attributes, **row.record.attributes}})


async def _with_photographs(batch: Batch[Item]) -> set[str]:
    """The ids in the file of items that carry photographs already."""
    ids = [row.external_id for row in batch.rows if row.record.media]
    if not ids:
        return set()
    query = select(ItemRow.external_id).where(
        ItemRow.external_id.in_(ids), ItemRow.deleted_at.is_(None), ItemRow.attached.any()
    )
    return {each for each in await batch.session.scalars(query) if each}


async def write_library(batch: Batch[Listing]) -> None:
    """Listings by their id in the file, with their search index."""
    kept = {row.external_id: batch.kept(row) for row in batch.rows}
    written = await write_listings(batch.session, [row.record for row in batch.rows], kept)
    for row in batch.rows:
        change = written.changed.get(row.external_id)
        if change is None:
            batch.saved(row, Upserted.UNCHANGED)
        elif change.before is None:
            batch.saved(row, Upserted.ADDED, change.id)
        else:
            batch.saved(row, Upserted.UPDATED, change.id, change.before, change.after)


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
        return batch.saved(imported, Upserted.ADDED, row.id, version=row.version)
    has_photographs, had = False, digests_of(row)
    if item.media or photographs:
        has_photographs = await put_files(session, who, ITEMS, row, photographs)
    else:
        values.pop("media")  # a file without photographs, or with none that can be read here
    kept = batch.kept(imported)
    changed = {
        name: value
        for name, value in values.items()
        if name not in kept and getattr(row, name) != value
    }
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
    files = ({FILES: had}, {FILES: digests_of(row)}) if has_photographs else ({}, {})
    return batch.saved(
        imported, Upserted.UPDATED, row.id, {**before, **files[0]}, {**changed, **files[1]}
    )


async def _photographs(rows: Sequence[Row[Item]]) -> dict[str, PhotographOnDisk | Invalid]:
    """What each local photograph of the rows is, by its address, or why it cannot be kept."""
    urls = {photo.url for row in rows for photo in row.record.media}
    results: dict[str, PhotographOnDisk | Invalid] = {}
    for url in sorted(filter(_is_local, urls)):
        try:
            results[url] = await asyncio.to_thread(photograph_on_disk, _path_of(url))
        except Invalid as problem:
            results[url] = problem
    return results


async def _kept_photographs(
    batch: Batch[Item], item: Item
) -> tuple[Item, list[NamedFile], list[str]]:
    """Keep local photographs; the item with the others, and what could not be read and why.

    Only the reader of an imported file makes `file:` addresses, of pictures in the file's folder.
    """
    media: list[Media] = []
    photographs: list[NamedFile] = []
    problems: list[str] = []
    for photo in item.media:
        if not _is_local(photo.url):
            media.append(photo)
            continue
        source = _path_of(photo.url)
        try:
            photographs.append(await _kept(batch, source, batch.prepared[photo.url]))
        except Invalid as problem:
            problems.append(f"Photograph {source.name!r} is left out: {problem.message}")
    return item.model_copy(update={"media": media}), photographs, problems


async def _kept(batch: Batch[Item], source: Path, known: PhotographOnDisk | Invalid) -> NamedFile:
    if isinstance(known, Invalid):
        raise known
    content = await asyncio.to_thread(read_photograph, source)
    if sha256(content).digest() != known.digest:
        raise Unkept("it changed while it was imported.")
    stored = await batch.files.keep_bytes(batch.session, content, known.media_type)
    return NamedFile(source.name, stored)


def _is_local(url: str) -> bool:
    return urlsplit(url).scheme == "file"


def _path_of(url: str) -> Path:
    return Path(unquote(urlsplit(url).path))


ITEM_IMPORT = Importer(
    "items",
    "Items to sell: CSV, JSON or a workbook",
    read_items,
    write_items,
    prepare=_photographs,
    undo=undo_records(ITEMS),
    kind=ITEMS,
    batch_rows=ITEM_BATCH,
)
LISTING_IMPORT = Importer(
    "listings",
    "Listings seen on marketplaces: CSV, JSON or a workbook",
    read_listings,
    write_library,
    finish=count_terms,
    undo=undo_listings,
)
