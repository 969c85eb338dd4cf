"""Importing one's own CSV export changes nothing."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from whence.cli.export import _as_csv, shown_records  # pyright: ignore[reportPrivateUsage]
from whence.packs.resale import pack

pytestmark = pytest.mark.anyio
PHOTO = pack.FOLDER / "sample" / "photos" / "back.jpg"
ROWS = """id,title,description,condition,price,cost,brand,attr:Colour,attr:Weight,photo
A-1,"Lamp, brass","Two lines
of text",used,12.50,3,Corvane,brass,13 kg,
A-2,=SUM(1) mug,,,,,,,,
A-3,-20 degrees jacket,warm,new,99,,,,,
A-4,Plain rug,,,,,@home,red,,
"""


async def exported(desk: Any, path: Path) -> Path:
    kind = desk.platform.kind("items")
    records = shown_records(desk.platform, kind, [])
    with path.open("x", encoding="utf-8", newline="") as file:
        await _as_csv(file, kind, await anext(records, None), records)
    return path


async def test_an_export_that_is_imported_again_changes_nothing(desk: Any, tmp_path: Path) -> None:
    photographs = tmp_path / "photos"
    photographs.mkdir()
    (photographs / "back.jpg").write_bytes(PHOTO.read_bytes())
    rows = tmp_path / "rows.csv"
    with_photo = ROWS.replace("13 kg,", "13 kg,photos/back.jpg")
    rows.write_text(with_photo, encoding="utf-8")
    first = await desk.imported("items", rows)
    assert (first.added, first.refused) == (4, ())
    before = [await desk.shown(f"A-{n}") for n in (1, 2, 3, 4)]
    folder = tmp_path / "elsewhere"
    folder.mkdir()

    again = await desk.imported("items", await exported(desk, folder / "items.csv"))

    assert (again.added, again.updated, again.unchanged) == (0, 0, 4), again
    assert (again.refused_count, again.warnings) == (0, ())
    assert [await desk.shown(f"A-{n}") for n in (1, 2, 3, 4)] == before


async def test_a_changed_cell_of_an_export_changes_that_field_only(
    desk: Any, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text(ROWS, encoding="utf-8")
    await desk.imported("items", rows)
    before = await desk.shown("A-1")
    path = await exported(desk, tmp_path / "items.csv")
    with path.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    for row in table:
        row["defaultPrice"] = "14" if row["externalId"] == "A-1" else row["defaultPrice"]
    edited = tmp_path / "edited.csv"
    with edited.open("x", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, table[0])
        out.writeheader()
        out.writerows(table)

    report = await desk.imported("items", edited)

    assert (report.added, report.updated, report.unchanged) == (0, 1, 3)
    after = await desk.shown("A-1")
    assert {name for name in after if after[name] != before[name]} == {
        "defaultPrice", "version", "updatedAt",
    }  # fmt: skip


async def test_an_item_that_was_never_imported_is_refused_and_not_doubled(
    desk: Any, tmp_path: Path
) -> None:
    await desk.item(title="Made by hand")
    report = await desk.imported("items", await exported(desk, tmp_path / "items.csv"))
    assert (report.added, report.updated, report.refused_count) == (0, 0, 1)
    assert "change it in whence" in report.refused[0].reason
