"""`whence import resale.items|resale.listings`: a file's rows into the database, all or none."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.packs.resale.items import ITEMS
from whence.packs.resale.library.tables import ItemRow
from whence.packs.resale.library.write import BATCH, Written, count_terms, write_listings
from whence.packs.resale.records import Item, Listing, Media
from whence.packs.resale.uploads import read_photograph
from whence.sdk.access import Principal
from whence.sdk.errors import Invalid
from whence.sdk.imports import ImportContext, ImportReport, Refusal
from whence.sdk.records import Files, NamedFile, audit, put_files
from whence.sdk.tabular import Reading, Refused, Row
from whence.sdk.values import new_id, now

from . import read_items, read_listings

R = TypeVar("R", Item, Listing)


async def import_items(context: ImportContext, path: Path) -> ImportReport:
    """Items by their id in the file; importing a file again changes only what differs."""
    reading = await asyncio.to_thread(read_items, path)
    written, refused, warnings = Written(), list[Refusal](), list[str]()
    async with context.db.unit(context.principal.org_id) as session:
        while batch := await asyncio.to_thread(_batch, reading):
            for row in _kept(batch, refused, warnings):
                item, photographs, problems = await _kept_photographs(
                    context.files, session, row.record
                )
                warnings += [f"line {row.line}: {problem}" for problem in problems]
                written += await _write_item(
                    session, context.principal, row.external_id, item, photographs
                )
    return _report(reading, written, refused, warnings)


async def import_listings(context: ImportContext, path: Path) -> ImportReport:
    """Listings by their id in the file, with their search index."""
    reading = await asyncio.to_thread(read_listings, path)
    written, refused, warnings = Written(), list[Refusal](), list[str]()
    async with context.db.unit(context.principal.org_id) as session:
        while batch := await asyncio.to_thread(_batch, reading):
            rows = _kept(batch, refused, warnings)
            written += await write_listings(session, [row.record for row in rows])
        await count_terms(session)
    return _report(reading, written, refused, warnings)


def _batch(reading: Reading[R]) -> list[Row[R] | Refused]:
    rows: Iterator[Row[R] | Refused] = islice(reading, BATCH)
    return list(rows)


def _kept(
    batch: list[Row[R] | Refused], refused: list[Refusal], warnings: list[str]
) -> list[Row[R]]:
    kept: list[Row[R]] = []
    for row in batch:
        if isinstance(row, Refused):
            refused.append(Refusal(row.line, row.field, row.value, row.reason))
        else:
            kept.append(row)
            warnings += [f"line {row.line}: {warning}" for warning in row.warnings]
    return kept


async def _write_item(
    session: AsyncSession,
    who: Principal,
    external_id: str,
    item: Item,
    photographs: Sequence[NamedFile],
) -> Written:
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
        return Written(added=1)
    has_photographs = False
    if item.media or photographs:
        has_photographs = await put_files(session, who, ITEMS, row, photographs)
    else:
        values.pop("media")  # a file without photographs, or with none that can be read here
    changed = {name: value for name, value in values.items() if getattr(row, name) != value}
    if not changed and not has_photographs:
        return Written(unchanged=1)
    before = {name: getattr(row, name) for name in changed}
    await audit(session, who, "import", "items", row.id, {"before": before, "after": changed})
    for name, value in changed.items():
        setattr(row, name, value)
    row.version += 1
    row.updated_at = now()
    return Written(updated=1)


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
            kept = await files.keep_bytes(session, content, media_type)
            photographs.append(NamedFile(source.name, kept))
        except Invalid as problem:
            problems.append(f"Photograph {source.name!r} is left out: {problem.message}")
    return item.model_copy(update={"media": media}), photographs, problems


def _report(
    reading: Reading[R], written: Written, refused: list[Refusal], warnings: list[str]
) -> ImportReport:
    report = reading.report
    return ImportReport(
        added=written.added,
        updated=written.updated,
        unchanged=written.unchanged + report.repeated,
        refused=tuple(refused),
        warnings=(*report.notes, *warnings),
        mapping=dict(report.mapping),
        ignored=report.ignored,
    )
