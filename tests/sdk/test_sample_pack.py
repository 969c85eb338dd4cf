"""A pack in a folder of its own is discovered, migrated, imported, researched and evaluated."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from whence.app import build, discovery
from whence.kernel.errors import Misconfigured
from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.records import store
from whence.sdk.imports import ImportContext
from whence.sdk.testing import run_flow
from whence.work import status
from whence.work.tables import WorkItem

pytestmark = pytest.mark.anyio

COMMAND = (sys.executable, "-c", "from whence.cli.app import main; main()")


def test_a_pack_is_discovered_where_the_setting_points(settings: Settings) -> None:
    result = {pack.id for pack in discovery.discover(settings.pack_dirs)}
    assert {"resale", "sample_pack"} <= result


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=r"WHENCE_PACK_DIRS names '.*nowhere'"):
        discovery.discover([tmp_path / "nowhere"])


async def test_its_tools_flows_and_kinds_stand_beside_the_others(platform: Any) -> None:
    assert platform.kind("notes").title == "Note"
    assert platform.flow("notes", None).id == "research"
    assert "count_words" in {item.name for item in platform.tools.visible(platform.owner)}
    assert platform.pack_of("notes").id == "sample_pack"


async def test_its_records_are_imported(platform: Any, settings: Settings) -> None:
    pack = platform.pack_of("notes")
    context = ImportContext(platform.owner, platform.db, settings)
    file = pack.folder / "sample" / "notes.jsonl"
    report = await platform.importer("sample_pack.notes").run(context, file)
    assert report.added == 1
    async with platform.unit(platform.owner) as session:
        row = await store.resolve(session, platform.kind("notes"), "n1")
    assert row.external_id == "n1"


async def test_its_job_counts_and_is_read_over_the_status(platform: Any) -> None:
    kind, owner = platform.kind("notes"), platform.owner
    job = platform.jobs.get("sample_pack.recount").job
    async with platform.unit(owner) as session:
        for words in ("four words stand here", "two more"):
            await store.create(session, owner, kind, kind.record(title="A note", text=words))
        submission = await platform.jobs.enqueue(session, owner, job, job.payload())
    async with build.worker(platform), asyncio.timeout(60):
        while (item := await _job(platform, submission.id)).status != "success":
            await asyncio.sleep(0.05)
    assert item.result == {"notes": 2, "words": 6}
    assert item.queue == "sample_pack"


async def _job(platform: Any, job_id: UUID) -> WorkItem:
    async with platform.unit(platform.owner) as session:
        return await status.get(session, job_id)


@pytest.fixture
def environment(postgres: str, settings: Settings) -> Any:
    """The environment of a command on an empty database: nothing is there but the settings."""
    name = f"cli_{new_id().hex}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield {
            **os.environ,
            "WHENCE_HOME": str(settings.home),
            "WHENCE_DATABASE_URL": make_conninfo(postgres, dbname=name),
            "WHENCE_PACK_DIRS": ":".join(map(str, settings.pack_dirs)),
        }
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


async def _whence(environment: Any, *arguments: str) -> subprocess.CompletedProcess[str]:
    return await asyncio.to_thread(
        subprocess.run,
        [*COMMAND, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )


@pytest.mark.long
async def test_the_command_line_serves_it_with_no_change_to_the_core(
    environment: Any, platform: Any
) -> None:
    folder = platform.pack_of("notes").folder / "sample"
    imported = await _whence(
        environment, "import", "sample_pack.notes", str(folder / "notes.jsonl")
    )
    assert imported.returncode == 0, imported.stderr
    researched = await _whence(environment, "research", "notes/n1", "--json")
    assert researched.returncode == 0, researched.stderr
    assert '"words": 4' in researched.stdout or '"words":4' in researched.stdout
    evaluated = await _whence(
        environment, "eval", "sample_pack.words", "--data", str(folder), "--json"
    )
    assert json.loads(evaluated.stdout.splitlines()[-1]) == {"right": 2, "n": 2}
    unknown = await _whence(environment, "research", "notes/nothing")
    assert (unknown.returncode, unknown.stdout) == (2, "")


async def test_its_schedules_start_its_jobs_once_an_organization_switches_them_on(
    platform: Any, worker: object
) -> None:
    who, schedules = platform.owner, platform.schedules
    async with asyncio.timeout(60):
        while True:  # a worker writes them down when it starts
            async with platform.unit(who) as session:
                page, _ = await schedules.listed(session, limit=10)
            if len(page) == 2:
                break
            await asyncio.sleep(0.05)
    by_name = {each.row.declared_as: each.row for each in page}
    nightly = by_name["sample_pack.nightly_recount"]
    assert (nightly.paused, nightly.timing.description) == (
        True,
        "At 02:30 every day (Europe/Berlin)",
    )
    assert by_name["sample_pack.research_again"].timing.description == "Every 7 days"
    async with platform.unit(who) as session:
        started = await schedules.start_now(session, who, nightly.id)
    async with asyncio.timeout(60):
        while True:
            async with platform.unit(who) as session:
                job = await status.get(session, started.row.last_job_id)
            if job.status == "success":
                break
            await asyncio.sleep(0.05)
    assert job.result == {"notes": 0, "words": 0}


async def test_its_types_of_run_are_tried_in_memory(platform: Any) -> None:
    pack = platform.pack_of("notes")
    flow = next(each for each in pack.flows if each.id == "glance")
    record = platform.kind("notes").record.model_validate({"title": "A", "text": "one three"})
    whole = await run_flow(pack, flow, record)
    assert whole.dossier.body["longest"] == "three"
    part = await run_flow(pack, flow, record, run_type="refresh", parameters={"title": "B"})
    assert part.dossier.body == {"words": 2, "longest": None, "title": "B"}
