"""Traces that hang on a record by nothing but a job about it, or its id in a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from erasure.traces import MARKER, tables_with
from whence.kernel.ids import new_id
from whence.records import store
from whence.records.imports import reports
from whence.records.imports.importer import Batch, ImportContext
from whence.records.imports.running import import_file

pytestmark = pytest.mark.anyio
EXTERNAL = f"{MARKER}-1"


async def test_what_a_model_was_asked_for_a_job_goes_with_the_job(
    platform: Any, database_url: str
) -> None:
    kind, who = platform.kind("notes"), platform.owner
    recount = platform.jobs.get("sample_pack.recount").job
    async with platform.unit(who) as session:
        row = await store.create(session, who, kind, kind.record(title="A note"))
        payload = recount.payload(title="A note")
        job = await platform.jobs.enqueue(session, who, recount, payload, key=f"note/{row.id}")
    with psycopg.connect(database_url) as admin:
        admin.execute(
            "INSERT INTO whence.model_calls (org_id, id, run_id, detail, node, skill, model,"
            " prompt_version, outcome, calls, is_exact, tokens_in, tokens_out, latency_ms, at)"
            " VALUES (%s, %s, %s, %s, 'recount', 'count', 'a:b', '1', 'error', 1, true, 1, 1, 1,"
            " now())",
            (who.org_id, new_id(), job.id, f"not a number: {MARKER}"),
        )
    erasure = await platform.eraser.erase(who, "notes", str(row.id), "asked for")
    assert erasure.removed["whence.model_calls"] == 1
    assert tables_with(database_url) == []


async def test_a_warning_about_a_row_that_changed_nothing_is_found_by_its_id(
    platform: Any, database_url: str, tmp_path: Path
) -> None:
    notes = platform.importer("sample_pack.notes")
    context = ImportContext(platform.owner, platform.db, platform.settings)
    file = tmp_path / "notes.csv"
    file.write_text(f"id,title,text\n{EXTERNAL},One\nother,Two\n", encoding="utf-8")
    for _ in range(2):
        report = await import_file(context, notes, file)
    assert (report.unchanged, len(report.warnings)) == (2, 3)
    await platform.eraser.erase(platform.owner, "notes", EXTERNAL, "asked for")
    async with platform.unit(platform.owner) as session:
        warnings = await reports.problems(session, report.id, refused=False, most=9)
    assert [each.reason == "[erased]" for each in warnings] == [True, False]
    assert tables_with(database_url) == []


class KilledProcess(BaseException):
    """Ends an import as a kill would: nothing of it gets to write anything more."""


async def test_an_import_that_was_cut_off_forgets_the_ids_of_rows_that_it_left_alone(
    platform: Any, database_url: str, tmp_path: Path
) -> None:
    notes = replace(platform.importer("sample_pack.notes"), batch_rows=1)
    context = ImportContext(platform.owner, platform.db, platform.settings)
    file = tmp_path / "notes.csv"
    file.write_text(f"id,title,text\n{EXTERNAL},One,x\nother,Two,x\n", encoding="utf-8")
    await import_file(context, notes, file)

    async def write(batch: Batch[Any]) -> None:
        await notes.write(batch)
        if batch.rows[0].external_id == "other":
            raise KilledProcess

    with pytest.raises(KilledProcess):
        await import_file(context, replace(notes, write=write), file)
    await platform.eraser.erase(platform.owner, "notes", EXTERNAL, "asked for")
    assert tables_with(database_url) == []
