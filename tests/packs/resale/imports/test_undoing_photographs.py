"""Undoing an import of items takes its photographs away, and brings those before it back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from whence.packs.resale.items import ITEMS
from whence.records import attachments, store
from whence.records.imports import reports

pytestmark = pytest.mark.anyio


class Items:
    """Imports items with photographs, and undoes that."""

    def __init__(self, desk: Any, folder: Path) -> None:
        self.desk, self.folder = desk, folder
        self.platform, self.who = desk.platform, desk.platform.owner

    async def imports(self, *lines: str) -> Any:
        path = self.folder / "items.csv"
        path.write_text("\n".join(["id,title,photos", *lines]) + "\n", encoding="utf-8")
        return await self.desk.imported("items", path)

    async def undo(self, report: Any) -> tuple[int, int, int]:
        undone = await self.platform.import_undo.undo(self.who, report.id)
        return undone.undo_deleted, undone.undo_restored, undone.undo_kept

    async def photographs(self) -> list[str]:
        async with self.platform.unit(self.who) as session:
            row = await store.resolve(session, ITEMS, "A")
            return [each["url"] for each in ITEMS.shown(row)["media"]]


@pytest.fixture
async def items(desk: Any, tmp_path: Path) -> Items:
    """Items whose file may name the photographs `one.png`, `two.png` and `three.png`."""
    for name, colour in (("one", "olive"), ("two", "navy"), ("three", "teal")):
        picture = Image.new("RGB", (40, 30), colour)
        await asyncio.to_thread(picture.save, tmp_path / f"{name}.png")
    return Items(desk, tmp_path)


async def test_photographs_that_an_import_added_go_with_its_undo(items: Items) -> None:
    await items.imports("A,Lamp,")
    report = await items.imports("A,Lamp,one.png|two.png")
    assert await items.photographs() == ["one.png", "two.png"]
    assert await items.undo(report) == (0, 1, 0)
    assert await items.photographs() == []


async def test_photographs_that_an_import_replaced_come_back_in_their_order(
    items: Items,
) -> None:
    await items.imports("A,Lamp,two.png|one.png")
    report = await items.imports("A,Desk lamp,three.png|one.png")
    assert await items.undo(report) == (0, 1, 0)
    assert await items.photographs() == ["two.png", "one.png"]


async def test_photographs_that_were_changed_since_stay_and_are_named(items: Items) -> None:
    await items.imports("A,Lamp,")
    report = await items.imports("A,Desk lamp,one.png|two.png")
    async with items.platform.unit(items.who) as session:
        row = await store.resolve(session, ITEMS, "A")
        first = attachments.digests_of(row)[0]
        await attachments.detach(session, items.who, ITEMS, row, first)
    assert await items.undo(report) == (0, 1, 0)
    assert await items.photographs() == ["two.png"]
    async with items.platform.unit(items.who) as session:
        row = await store.resolve(session, ITEMS, "A")
        [change] = await reports.changes(session, report.id, most=10)
    assert row.title == "Lamp"
    assert change.undone is not None
    assert change.undone["fields"] == ["files"]


async def test_the_report_of_an_import_names_the_photographs_it_changed(items: Items) -> None:
    await items.imports("A,Lamp,")
    report = await items.imports("A,Lamp,one.png")
    async with items.platform.unit(items.who) as session:
        [change] = await reports.changes(session, report.id, most=10)
    [field] = change.fields
    assert (field.field, field.before, len(field.after)) == ("files", [], 1)
