"""What an import keeps of its rows goes a while after it ended; its counts stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
import pytest

from pruning import prune
from row_security import owned_by_no_superuser
from whence.records.imports import ledger, reports
from whence.records.imports.importer import ImportContext, ImportReport
from whence.records.imports.running import import_file

pytestmark = pytest.mark.anyio
KEPT = ("import_rows", "import_problems")


@pytest.fixture
def database(database_url: str) -> Any:
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


async def imported(platform: Any, folder: Path, *rows: str) -> ImportReport:
    path = folder / "notes.csv"
    path.write_text("\n".join(["id,title,text", *rows]) + "\n")
    context = ImportContext(platform.owner, platform.db, platform.settings)
    return await import_file(context, platform.importer("sample_pack.notes"), path)


def rows_left(database: Any) -> list[int]:
    counts = (database.execute(f"SELECT count(*) FROM whence.{each}").fetchone() for each in KEPT)
    return [row[0] for row in counts]


def age(database: Any, days: float) -> None:
    ended = "UPDATE whence.imports SET ended_at = now() - %s * interval '1 day'"
    database.execute(ended, (days,))


async def test_rows_and_refusals_go_after_their_days_and_the_counts_stay(
    platform: Any, database: Any, tmp_path: Path
) -> None:
    report = await imported(platform, tmp_path, "a,A,x", "b,B,x", "bad,,x")
    assert report.id is not None
    age(database, 89.9)
    assert (await prune(platform, batch=1))["import_rows"] == 0
    assert rows_left(database) == [2, 1]
    age(database, 90.1)
    assert (await prune(platform, batch=1))["import_rows"] == 3
    assert rows_left(database) == [0, 0]
    async with platform.unit(platform.owner) as session:
        stored = await reports.report_of(session, report.id)
    assert (stored.added, stored.refused_count, stored.refused) == (2, 1, ())


async def test_an_import_that_has_not_ended_keeps_its_rows(
    platform: Any, database: Any, tmp_path: Path
) -> None:
    """By them it tells repeated ids apart when it goes on."""
    await imported(platform, tmp_path, "a,A,x")
    database.execute("UPDATE whence.imports SET status = 'running', ended_at = NULL")
    everything = "SELECT whence.prune_import_rows(now() + interval '1 day', 100)"
    assert await platform.db.call(everything, {}) == 0
    assert rows_left(database) == [1, 0]


async def test_ids_of_records_that_did_not_change_go_when_the_file_is_read(
    platform: Any, database: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "PAGE_ROWS", 2)
    await imported(platform, tmp_path, *(f"n{at},Note,x" for at in range(5)))
    await imported(platform, tmp_path, *(f"n{at},Note,{at % 2 or 'x'}" for at in range(6)))
    rows = database.execute(
        "SELECT external_id, outcome FROM whence.import_rows"
        " WHERE import_id = (SELECT max(id::text)::uuid FROM whence.imports) ORDER BY external_id"
    )
    assert rows.fetchall() == [("n1", "updated"), ("n3", "updated"), ("n5", "added")]


async def test_an_owner_that_row_security_binds_removes_them_too(
    platform: Any, database: Any, tmp_path: Path
) -> None:
    """The installer of an external database is no superuser."""
    await imported(platform, tmp_path, "a,A,x", "bad,,x")
    age(database, 100)
    with owned_by_no_superuser(database, KEPT, ["prune_import_rows"], reads=["imports"]):
        assert (await prune(platform))["import_rows"] == 2
    assert rows_left(database) == [0, 0]
