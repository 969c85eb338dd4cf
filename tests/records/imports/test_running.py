"""Imports: batches that are committed stay, nothing is done twice, and everything is reported."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import psycopg
import pytest
from sqlalchemy import text

from whence.kernel.errors import Forbidden, StaleAttempt
from whence.records.imports import ledger, reports
from whence.records.imports.importer import Batch, ImportContext
from whence.records.imports.running import Importer, import_file
from whence.tenancy.principal import Role, Scope

pytestmark = pytest.mark.anyio
ROWS = 10
BATCH_ROWS = 2


@pytest.fixture
def context(platform: Any) -> ImportContext:
    return ImportContext(platform.owner, platform.db, platform.settings)


@pytest.fixture
def notes(platform: Any) -> Importer[Any]:
    return replace(platform.importer("sample_pack.notes"), batch_rows=BATCH_ROWS)


def written(folder: Path, *rows: str, name: str = "notes.csv") -> Path:
    path = folder / name
    path.write_text("\n".join(["id,title,text", *rows]) + "\n", encoding="utf-8")
    return path


def ten(folder: Path) -> Path:
    return written(folder, *(f"n{at},Note {at},text {at}" for at in range(ROWS)))


async def query(context: ImportContext, statement: str) -> list[Any]:
    async with context.db.unit(context.principal.org_id) as session:
        return [tuple(row) for row in await session.execute(text(statement))]


class KilledProcess(BaseException):
    """Ends an import as a kill would: nothing of it gets to write anything more."""


def killed_in_batch(importer: Importer[Any], number: int) -> Importer[Any]:
    batches = 0

    async def write(batch: Batch[Any]) -> None:
        nonlocal batches
        batches += 1
        await importer.write(batch)
        if batches == number:
            raise KilledProcess

    return replace(importer, write=write)


async def test_an_import_that_was_cut_off_goes_on_after_its_last_batch(
    context: ImportContext, notes: Importer[Any], tmp_path: Path
) -> None:
    path = ten(tmp_path)
    with pytest.raises(KilledProcess):
        await import_file(context, killed_in_batch(notes, 3), path)
    assert await query(context, "SELECT status, position, added FROM whence.imports") == [
        ("running", 4, 4)
    ]
    batches: list[list[str]] = []

    async def write(batch: Batch[Any]) -> None:
        batches.append([row.external_id for row in batch.rows])
        await notes.write(batch)

    report = await import_file(context, replace(notes, write=write), path)
    assert batches == [[f"n{at}", f"n{at + 1}"] for at in range(4, ROWS, BATCH_ROWS)]
    assert (report.added, report.updated, report.unchanged) == (ROWS, 0, 0)
    assert await query(context, "SELECT count(*), max(version) FROM sample_pack.notes") == [
        (ROWS, 1)
    ]
    assert await query(context, "SELECT status, position FROM whence.imports") == [("done", ROWS)]


async def test_a_process_whose_import_was_taken_over_writes_nothing_more(
    context: ImportContext, notes: Importer[Any], tmp_path: Path
) -> None:
    async def take_over() -> None:
        async with context.db.unit(context.principal.org_id) as session:
            [(rows,)] = await session.execute(text("SELECT id FROM whence.imports"))
            source = ledger.Source("sample_pack.notes", "notes.csv", "", 0)
            await ledger.enter(session, context.principal, source, rows)

    with pytest.raises(StaleAttempt):
        await import_file(context, _before_second_batch(context, notes, take_over), ten(tmp_path))
    assert await query(context, "SELECT count(*) FROM sample_pack.notes") == [(BATCH_ROWS,)]
    assert await query(context, "SELECT status FROM whence.imports") == [("running",)]


def _before_second_batch(
    context: ImportContext, importer: Importer[Any], then: Callable[[], Coroutine[Any, Any, None]]
) -> Importer[Any]:
    """Do something after the first batch is committed and while the second one is read."""
    loop = asyncio.get_running_loop()

    async def then_once_committed() -> None:
        while await query(context, "SELECT position FROM whence.imports") != [(BATCH_ROWS,)]:
            await asyncio.sleep(0.01)
        await then()

    def read(path: Path) -> Any:
        reading = importer.read(path)
        build = reading.build

        def slow(*arguments: Any) -> Any:
            if reading.position == BATCH_ROWS + 1:
                asyncio.run_coroutine_threadsafe(then_once_committed(), loop).result(timeout=30)
            return build(*arguments)

        reading.build = slow
        return reading

    return replace(importer, read=read)


async def test_a_cancelled_import_stops_before_its_next_batch(
    platform: Any, context: ImportContext, notes: Importer[Any], tmp_path: Path
) -> None:
    finish = AsyncMock()
    notes = replace(notes, finish=finish)
    imports = replace(platform.imports, importer=lambda _: notes)

    async def cancel() -> None:
        async with context.db.unit(context.principal.org_id) as session:
            [(rows,)] = await session.execute(text("SELECT id FROM whence.imports"))
            await imports.cancel(session, context.principal, rows)

    with pytest.raises(ledger.ImportCancelled):
        await import_file(context, _before_second_batch(context, notes, cancel), ten(tmp_path))
    assert await query(context, "SELECT status, added FROM whence.imports") == [
        ("cancelled", BATCH_ROWS)
    ]
    assert await query(context, "SELECT count(*) FROM sample_pack.notes") == [(BATCH_ROWS,)]
    audited = "SELECT detail->>'status' FROM whence.audit_log WHERE kind = 'imports'"
    assert await query(context, audited) == [("cancelled",)]
    assert finish.await_count == 1


async def test_cancelling_does_not_wait_for_a_batch_that_takes_long(
    platform: Any, context: ImportContext, notes: Importer[Any], tmp_path: Path
) -> None:
    began, may_end = asyncio.Event(), asyncio.Event()

    async def write(batch: Batch[Any]) -> None:
        await notes.write(batch)
        began.set()
        await may_end.wait()

    importing = asyncio.create_task(
        import_file(context, replace(notes, write=write), ten(tmp_path))
    )
    await began.wait()
    async with context.db.unit(context.principal.org_id) as session:
        await session.execute(text("SET LOCAL lock_timeout = '1s'"))
        [(rows,)] = await session.execute(text("SELECT id FROM whence.imports"))
        assert (await platform.imports.cancel(session, context.principal, rows)).status == "running"
    may_end.set()
    with pytest.raises(ledger.ImportCancelled):
        await importing
    assert await query(context, "SELECT status, added FROM whence.imports") == [
        ("cancelled", BATCH_ROWS)
    ]
    audited = "SELECT detail->>'status' FROM whence.audit_log WHERE kind = 'imports'"
    assert await query(context, audited) == [("cancelled",)]


async def test_no_transaction_waits_for_the_file(
    context: ImportContext, notes: Importer[Any], tmp_path: Path
) -> None:
    """One that was, on a quiet stretch, was ended by the database and told as an outage."""
    statement = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND state LIKE 'idle in transaction%'"
    )

    def read(path: Path) -> Any:
        reading = notes.read(path)
        build = reading.build

        def watched(*arguments: Any) -> Any:
            until = time.monotonic() + 10
            with psycopg.connect(context.db.conninfo, autocommit=True) as connection:
                while connection.execute(statement).fetchall() != [(0,)]:
                    assert time.monotonic() < until, "a transaction waits for the next row"
                    time.sleep(0.01)
            return build(*arguments)

        reading.build = watched
        return reading

    report = await import_file(context, replace(notes, read=read), ten(tmp_path))
    assert report.added == ROWS


async def test_the_same_file_again_changes_nothing_and_says_so(
    context: ImportContext, notes: Importer[Any], tmp_path: Path
) -> None:
    path = ten(tmp_path)
    await import_file(context, notes, path)
    report = await import_file(context, notes, path)
    assert (report.added, report.updated, report.unchanged) == (0, 0, ROWS)
    assert any("nothing has changed" in warning for warning in report.warnings)
    assert await query(context, "SELECT max(version) FROM sample_pack.notes") == [(1,)]


async def test_an_id_that_comes_again_in_a_later_batch_is_told_apart(
    context: ImportContext, notes: Importer[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whence.records.tabular.reading.REMEMBERED_IDS", 0)
    path = written(tmp_path, "a,A,x", "b,B,x", "c,C,x", "a,A,x", "d,D,x", "b,other,x", "d,D,x")
    report = await import_file(context, notes, path)
    assert (report.added, report.unchanged, report.repeated) == (4, 0, 2)
    [refused] = report.refused
    assert (refused.line, refused.field, refused.value) == (7, "id", "b")
    assert refused.reason == "Line 3 has this id with other content."


async def test_what_a_record_was_before_is_kept_with_the_import(
    context: ImportContext, notes: Importer[Any], tmp_path: Path
) -> None:
    await import_file(context, notes, written(tmp_path, "a,A,old", "b,B,same"))
    await import_file(context, notes, written(tmp_path, "a,A,new", "b,B,same", "c,C,x"))
    rows = await query(
        context,
        "SELECT r.external_id, r.outcome, r.before, r.record_id = n.id FROM whence.import_rows r"
        " LEFT JOIN sample_pack.notes n ON n.id = r.record_id"
        " WHERE r.import_id = (SELECT max(id::text)::uuid FROM whence.imports)"
        " ORDER BY r.external_id",
    )
    assert rows == [
        ("a", "updated", {"text": "old"}, True),
        ("c", "added", None, True),
    ]
    assert await query(
        context, "SELECT external_id, text, version FROM sample_pack.notes ORDER BY external_id"
    ) == [("a", "new", 2), ("b", "same", 1), ("c", "x", 1)]


async def test_every_refused_row_is_kept_and_the_audit_log_has_one_line(
    context: ImportContext, notes: Importer[Any], tmp_path: Path
) -> None:
    path = written(tmp_path, "a,A,x", "b,,x", "c,C,x", "d,,x", "e,,x")
    report = await import_file(context, notes, path)
    assert report.id is not None
    assert report.mapping == {"id": "id", "title": "title", "text": "text"}
    async with context.db.unit(context.principal.org_id) as session:
        first = await reports.problems(session, report.id, refused=True, most=2)
        rest = await reports.problems(
            session, report.id, refused=True, most=2, after=first[-1].ordinal
        )
    assert [row.line for row in first + rest] == [3, 5, 6]
    [(action, detail)] = await query(
        context, "SELECT action, detail FROM whence.audit_log WHERE kind = 'imports'"
    )
    assert action == "import"
    assert (detail["added"], detail["refused"], detail["status"]) == (2, 3, "done")


async def test_another_organization_sees_none_of_it(
    context: ImportContext, notes: Importer[Any], tmp_path: Path, new_principal: Any
) -> None:
    report = await import_file(context, notes, ten(tmp_path))
    stranger = new_principal()
    assert report.id is not None
    async with context.db.unit(stranger.org_id) as session:
        assert await reports.list_imports(session, most=10) == []
        assert await reports.problems(session, report.id, refused=True, most=10) == []


async def test_whoever_may_only_read_imports_nothing(
    context: ImportContext, notes: Importer[Any], tmp_path: Path
) -> None:
    viewer = replace(context.principal, role=Role.VIEWER, scopes=frozenset({Scope.READ}))
    with pytest.raises(Forbidden):
        await import_file(replace(context, principal=viewer), notes, ten(tmp_path))
    assert await query(context, "SELECT count(*) FROM whence.imports") == [(0,)]
