"""An import changes what its file says, and leaves everything else to the person who owns it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from whence.packs.resale.imports.importing import ITEM_IMPORT, LISTING_IMPORT
from whence.packs.resale.items import ITEMS
from whence.records import store
from whence.sdk.imports import ImportContext

pytestmark = pytest.mark.anyio

FULL = (
    "id,title,brand,mpn,gtin,condition,description,status,price,quantity,currency,Colour,Weight",
    "A,Lamp,Corvane,L3-B,4006381333931,good,With its box,listed,40,3,EUR,black,2 kg",
)
OWNED = {
    "brand": "Corvane",
    "mpn": "L3-B",
    "gtin": "04006381333931",
    "condition": "good",
    "description": "With its box",
    "lifecycleStatus": "listed",
    "defaultPrice": 40.0,
    "quantity": 3,
    "currency": "EUR",
    "attributes": {"Colour": "black", "Weight": "2 kg"},
}


@pytest.fixture
def context(platform: Any) -> ImportContext:
    return ImportContext(platform.owner, platform.db, platform.settings)


@pytest.fixture
async def folder(context: ImportContext, tmp_path: Path) -> Path:
    """Where files lie; the full one is imported already."""
    await ITEM_IMPORT.run(context, file(tmp_path, *FULL))
    return tmp_path


def file(folder: Path, *lines: str) -> Path:
    path = folder / "items.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


async def owned(context: ImportContext) -> dict[str, Any]:
    async with context.db.unit(context.principal.org_id) as session:
        shown = ITEMS.shown(await store.resolve(session, ITEMS, "A"))
    return {name: shown[name] for name in OWNED}


async def test_columns_that_a_file_lacks_leave_the_fields_alone(
    context: ImportContext, folder: Path
) -> None:
    report = await ITEM_IMPORT.run(context, file(folder, "id,title,price", "A,Lamp,45"))
    assert report.updated == 1
    assert await owned(context) == {**OWNED, "defaultPrice": 45.0}


async def test_an_empty_cell_leaves_the_field_alone_too(
    context: ImportContext, folder: Path
) -> None:
    header, row = "id,title,brand,condition,status,quantity,Colour", "A,Lamp,,,,,"
    report = await ITEM_IMPORT.run(context, file(folder, header, row))
    assert report.unchanged == 1
    assert await owned(context) == OWNED


async def test_a_cell_that_cannot_be_read_leaves_the_field_alone(
    context: ImportContext, folder: Path
) -> None:
    report = await ITEM_IMPORT.run(context, file(folder, "id,title,gtin", "A,Lamp,12345"))
    assert report.warnings
    assert await owned(context) == OWNED


async def test_an_empty_cell_clears_the_field_where_the_person_says_so(
    context: ImportContext, folder: Path
) -> None:
    header, row = "id,title,brand,status,quantity,Colour", "A,Lamp,,,,"
    cleared = replace(context, clear_empty=True)
    await ITEM_IMPORT.run(cleared, file(folder, header, row))
    changed = {"brand": None, "lifecycleStatus": "draft", "quantity": 1}
    assert await owned(context) == {**OWNED, **changed, "attributes": {"Weight": "2 kg"}}


async def test_an_attribute_in_the_file_changes_only_itself(
    context: ImportContext, folder: Path
) -> None:
    await ITEM_IMPORT.run(context, file(folder, "id,title,Colour,Width", "A,Lamp,white,20 cm"))
    attributes = {"Colour": "white", "Weight": "2 kg", "Width": "20 cm"}
    assert await owned(context) == {**OWNED, "attributes": attributes}


async def test_an_item_with_photographs_in_the_file_keeps_its_fields(
    context: ImportContext, folder: Path
) -> None:
    from PIL import Image

    Image.new("RGB", (40, 30)).save(folder / "one.jpg")
    await ITEM_IMPORT.run(context, file(folder, "id,title,photos", "A,Lamp,one.jpg"))
    assert await owned(context) == OWNED


async def test_a_listing_keeps_what_a_second_file_does_not_say(
    context: ImportContext, tmp_path: Path
) -> None:
    path = tmp_path / "listings.csv"
    path.write_text(
        "id,title,price,shipping,status,sold at,brand,condition\n"
        "L1,Corvane Lumen L3,50,5,sold,2026-01-05,Corvane,good\n"
    )
    await LISTING_IMPORT.run(context, path)
    path.write_text("id,title,price\nL1,Corvane Lumen L3,55\n")
    report = await LISTING_IMPORT.run(context, path)
    assert (report.updated, report.unchanged) == (1, 0)
    async with context.db.unit(context.principal.org_id) as session:
        [(record,)] = await session.execute(text("SELECT record FROM resale.listings"))
    fields = ("price", "shipping", "status", "brand", "condition")
    assert [record[name] for name in fields] == [55.0, 5.0, "sold", "Corvane", "good"]
    assert record["sold_at"].startswith("2026-01-05")
