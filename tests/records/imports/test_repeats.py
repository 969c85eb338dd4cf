"""Equal rows of a file: without an id each is a record, with an id they are read once, and said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from whence.records.imports.importer import Batch, ImportContext, ImportReport
from whence.records.imports.running import Importer, import_file

pytestmark = pytest.mark.anyio
SALE = "Grey lamp,20.00,sold"
SALES = ("title,price,status", SALE, "Vase,5,sold", SALE, SALE)


@pytest.fixture
def context(platform: Any) -> ImportContext:
    return ImportContext(platform.owner, platform.db, platform.settings)


@pytest.fixture
def listings(platform: Any) -> Importer[Any]:
    return replace(platform.importer("resale.listings"), batch_rows=1)


@pytest.fixture
def notes(platform: Any) -> Importer[Any]:
    return replace(platform.importer("sample_pack.notes"), batch_rows=1)


def written(folder: Path, *lines: str) -> Path:
    path = folder / "file.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


async def sales(context: ImportContext) -> list[str]:
    query = "SELECT source_id FROM resale.listings WHERE record->>'title' = 'Grey lamp'"
    async with context.db.unit(context.principal.org_id) as session:
        return sorted(await session.scalars(text(query)))


def counts(report: ImportReport) -> tuple[int, int, int, int]:
    return report.added, report.updated, report.unchanged, report.repeated


async def test_three_equal_sales_are_three_sales_and_the_same_file_again_changes_nothing(
    context: ImportContext, listings: Importer[Any], tmp_path: Path
) -> None:
    path = written(tmp_path, *SALES)
    first = await import_file(context, listings, path)
    assert counts(first) == (4, 0, 0, 0)
    [note] = [each for each in first.warnings if "without an id" in each]
    assert "lines 4, 5" in note
    once = await sales(context)
    assert [each.removeprefix(once[0]) for each in once] == ["", "-2", "-3"]
    assert counts(await import_file(context, listings, path)) == (0, 0, 4, 0)
    assert await sales(context) == once


async def test_a_sale_imported_by_an_older_version_is_the_first_of_its_equals(
    context: ImportContext, listings: Importer[Any], tmp_path: Path
) -> None:
    await import_file(context, listings, written(tmp_path, SALES[0], SALE))
    [before] = await sales(context)
    report = await import_file(context, listings, written(tmp_path, *SALES))
    assert (report.added, report.unchanged) == (3, 1)
    assert (await sales(context))[0] == before


async def test_an_import_that_continues_counts_equal_rows_from_the_beginning(
    context: ImportContext, listings: Importer[Any], tmp_path: Path
) -> None:
    class KilledProcess(BaseException):
        pass

    async def killed(batch: Batch[Any]) -> None:
        await listings.write(batch)
        if batch.rows[0].line == 4:
            raise KilledProcess

    path = written(tmp_path, *SALES)
    with pytest.raises(KilledProcess):
        await import_file(context, replace(listings, write=killed), path)
    assert len(await sales(context)) == 1
    report = await import_file(context, listings, path)
    assert counts(report) == (4, 0, 0, 0)
    assert len(await sales(context)) == 3
    assert any("lines 4, 5" in each for each in report.warnings)


async def test_a_row_whose_id_cannot_be_read_does_not_stop_an_import_that_continues(
    context: ImportContext, listings: Importer[Any], tmp_path: Path
) -> None:
    path = tmp_path / "listings.jsonl"
    path.write_text('{"id": ["a"], "title": "A"}\n{"title": "B"}\n', encoding="utf-8")
    reading = listings.read(path)
    reading.skip(1)
    [row] = reading
    assert row.line == 2


@pytest.mark.parametrize("remembered", [0, 50_000])
async def test_rows_that_repeat_an_id_are_counted_and_named(
    context: ImportContext,
    notes: Importer[Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    remembered: int,
) -> None:
    monkeypatch.setattr("whence.records.tabular.reading.REMEMBERED_IDS", remembered)
    path = written(tmp_path, "id,title,text", "a,A,x", "b,B,x", "a,A,x", "b,B,x")
    report = await import_file(context, notes, path)
    assert counts(report) == (2, 0, 0, 2)
    assert report.warnings == (
        "line 4: It repeats line 2 exactly and is read once.",
        "line 5: It repeats line 3 exactly and is read once.",
    )
    async with context.db.unit(context.principal.org_id) as session:
        query = text("SELECT repeated, warnings FROM whence.imports")
        assert (await session.execute(query)).one() == (2, 2)
