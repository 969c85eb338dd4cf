"""Writing many records at once: what a row refers to, and what the search finds afterwards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import event, text

from whence.kernel.clock import now
from whence.records import listing, store
from whence.records.bulk import upsert_all
from whence.records.imports.importer import Batch, ImportContext
from whence.records.imports.running import Importer, import_file
from whence.records.tabular.cells import Cells
from whence.records.tabular.columns import Field, match
from whence.records.tabular.reading import Reading
from whence.records.tabular.table import open_table

pytestmark = pytest.mark.anyio
FIELDS = tuple(Field(name, (name.replace("_", ""),)) for name in ("id", "text", "note_id"))


@pytest.fixture
def context(platform: Any) -> ImportContext:
    return ImportContext(platform.owner, platform.db, platform.settings)


@pytest.fixture
def remarks(platform: Any) -> Importer[Any]:
    kind = platform.kind("remarks")

    def remark(cells: Cells, _external_id: str, _context: object) -> Any:
        text, note = cells.required_line("text", 100), cells.required_line("note_id", 100)
        return kind.record(text=text, note_id=note)

    def read(path: Path) -> Reading[Any]:
        table = open_table(path)
        return Reading(table, match(table.headers, FIELDS), now(), remark)

    async def write(batch: Batch[Any]) -> None:
        await upsert_all(batch, kind)

    return Importer("sample_pack.remarks", "Remarks", read, write)


async def _note(platform: Any, external_id: str) -> UUID:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        record = kind.record(title=external_id, text="")
        row = await store.create(session, platform.owner, kind, record, external_id)
        return row.id


def _file(folder: Path, *rows: str) -> Path:
    path = folder / "remarks.csv"
    path.write_text("\n".join(["id,text,note id", *rows]) + "\n", encoding="utf-8")
    return path


async def test_a_row_that_refers_to_nothing_is_refused_and_the_others_are_kept(
    platform: Any, context: ImportContext, remarks: Importer[Any], tmp_path: Path
) -> None:
    first, second = await _note(platform, "n-1"), await _note(platform, "n-2")
    path = _file(tmp_path, "a,A,n-1", "b,B,n-9", f"c,C,{str(second).upper()}")
    report = await import_file(context, remarks, path)
    assert (report.added, report.refused_count) == (2, 1)
    [refused] = report.refused
    assert (refused.line, refused.field, refused.value) == (3, "note_id", "n-9")
    assert refused.reason == "There is no note 'n-9'."
    async with platform.unit(platform.owner) as session:
        rows: list[Any] = [
            await store.resolve(session, platform.kind("remarks"), each) for each in ("a", "c")
        ]
    assert [row.note_id for row in rows] == [first, second]


async def test_a_batch_needs_as_many_statements_as_a_row(
    platform: Any, context: ImportContext, remarks: Importer[Any], tmp_path: Path
) -> None:
    counts: list[int] = []
    for number in range(50):
        await _note(platform, f"n-{number}")

    def count(*_: object) -> None:
        counts[-1] += 1

    engine = platform.db._engine.sync_engine
    event.listen(engine, "before_cursor_execute", count)
    try:
        for many in (1, 50):
            counts.append(0)
            rows = (f"{many}-{at},Remark {at},n-{at}" for at in range(many))
            await import_file(context, replace(remarks, batch_rows=50), _file(tmp_path, *rows))
    finally:
        event.remove(engine, "before_cursor_execute", count)
    assert counts[0] == counts[1]


async def test_what_an_import_adds_and_changes_is_found_by_its_words(
    platform: Any, context: ImportContext, remarks: Importer[Any], tmp_path: Path
) -> None:
    await _note(platform, "n-1")
    await import_file(context, remarks, _file(tmp_path, "a,Heron,n-1", "b,Stork,n-1"))
    await import_file(context, remarks, _file(tmp_path, "a,Egret,n-1", "b,Stork,n-1"))
    kind = platform.kind("remarks")
    texts: dict[str, list[str]] = {}
    async with platform.unit(platform.owner) as session:
        for word in ("heron", "egret", "stork"):
            page = await listing.page(session, kind, listing.list_query(kind)(search=word))
            rows: list[Any] = list(page.rows)
            texts[word] = [row.text for row in rows]
    assert texts == {"heron": [], "egret": ["Egret"], "stork": ["Stork"]}


async def test_the_planner_knows_what_an_import_wrote(
    platform: Any, context: ImportContext, remarks: Importer[Any], tmp_path: Path
) -> None:
    """Else a search joins thousands of rows by nested loops, until autovacuum comes by."""
    await _note(platform, "n-1")
    rows = [f"r{at},Remark number {at},n-1" for at in range(500)]
    await import_file(context, remarks, _file(tmp_path, *rows))
    known = text("""
        SELECT relname, reltuples FROM pg_class WHERE relname IN ('remarks', 'search_postings')
    """)
    async with platform.unit(platform.owner) as session:
        counts = {name: int(count) for name, count in await session.execute(known)}
    assert counts["remarks"] == 500
    assert counts["search_postings"] >= 3 * 500
