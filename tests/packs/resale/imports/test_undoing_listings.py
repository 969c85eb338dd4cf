"""Imported listings are listed, deleted, and undone with their import."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from whence.packs.resale.library.search import LibrarySearch
from whence.sdk.imports import ImportContext

pytestmark = pytest.mark.anyio


@pytest.fixture
def context(platform: Any) -> ImportContext:
    return ImportContext(platform.owner, platform.db, platform.settings)


async def imported(platform: Any, context: ImportContext, folder: Path, *lines: str) -> UUID:
    path = folder / "listings.csv"
    path.write_text("\n".join(["id,title,price,status", *lines]) + "\n")
    report = await platform.importer("resale.listings").run(context, path)
    assert report.id is not None
    return report.id


async def prices(context: ImportContext) -> dict[str, float]:
    async with context.db.unit(context.principal.org_id) as session:
        rows = await session.execute(
            text("SELECT source_id, (record ->> 'price')::float FROM resale.listings")
        )
        return {row[0]: row[1] for row in rows}


async def test_an_import_of_listings_is_undone_with_its_place_in_the_index(
    platform: Any, context: ImportContext, tmp_path: Path
) -> None:
    await imported(
        platform, context, tmp_path, "L1,Corvane lamp,50,sold", "L2,Corvane desk,60,sold"
    )
    second = await imported(
        platform, context, tmp_path, "L1,Corvane lamp,55,sold", "L3,Corvane sofa,9,sold"
    )
    undone = await platform.import_undo.undo(platform.owner, second)
    assert (undone.undo_deleted, undone.undo_restored, undone.undo_kept) == (1, 1, 0)
    assert await prices(context) == {"L1": 50.0, "L2": 60.0}
    async with context.db.unit(context.principal.org_id) as session:
        counted = await LibrarySearch(session).counts(["corvane", "sofa"])
    assert counted == (2, {"corvane": 2})


async def test_a_listing_that_a_later_import_changed_stays(
    platform: Any, context: ImportContext, tmp_path: Path
) -> None:
    first = await imported(
        platform, context, tmp_path, "L1,Corvane lamp,50,sold", "L2,Corvane desk,60,sold"
    )
    await imported(platform, context, tmp_path, "L1,Corvane lamp,55,sold")
    undone = await platform.import_undo.undo(platform.owner, first)
    assert (undone.undo_deleted, undone.undo_kept) == (1, 1)
    assert await prices(context) == {"L1": 55.0}
