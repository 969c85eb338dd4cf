"""`whence imports`: queued imports are listed, shown, watched and cancelled."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from conftest import SAMPLE_PACKS
from whence.app import build
from whence.cli.app import app
from whence.kernel.errors import Invalid, NotFound
from whence.kernel.settings import Settings
from whence.records.imports.importer import ImportContext

NAME = "sample_pack.notes"
FILE = b"id,title,text\na,A,x\nb,,x\n"


@pytest.fixture
def whence(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command in this process, on the test's database; its exit code and output."""
    assert settings.database_url
    monkeypatch.setenv("WHENCE_DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("WHENCE_HOME", str(settings.home))
    monkeypatch.setenv("WHENCE_PACK_DIRS", str(SAMPLE_PACKS))

    def run(*arguments: str, code: int = 0) -> str:
        result = CliRunner().invoke(app, ["imports", *arguments], catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result.stdout

    return run


@pytest.fixture
def waiting(settings: Settings) -> str:
    """The id of an import that no worker has taken."""

    async def submit() -> str:
        async with (
            build.platform(settings) as platform,
            platform.unit(platform.owner) as session,
        ):
            file = await platform.files.keep_bytes(session, FILE, "text/csv")
            submitted = await platform.imports.submit(
                session, platform.owner, NAME, "n[1].csv", file
            )
            return str(submitted.id)

    return asyncio.run(submit())


def carry_out(settings: Settings, import_id: str) -> None:
    async def work() -> None:
        async with build.platform(settings) as platform:
            await platform.imports.attempt(str(platform.owner.org_id), import_id)

    asyncio.run(work())


def test_an_import_that_waits_is_listed_shown_and_cancelled(whence: Any, waiting: str) -> None:
    [listed] = json.loads(whence("list", "--json"))["imports"]
    assert (listed["id"], listed["name"], listed["status"]) == (waiting, NAME, "waiting")
    table = whence("list")
    assert waiting in table
    assert "n[1].csv" in table
    shown = whence("show", waiting)
    assert "State: waiting, 0 rows, 0 %" in shown
    assert "State: cancelled" in whence("cancel", waiting)
    assert json.loads(whence("show", waiting, "--json"))["status"] == "cancelled"
    assert "State: cancelled" in whence("watch", waiting, code=3)


def test_an_import_is_watched_to_its_end_with_its_refused_rows(
    whence: Any, waiting: str, settings: Settings
) -> None:
    carry_out(settings, waiting)
    lines = whence("watch", waiting).splitlines()
    assert lines[1] == "State: done, 2 rows"
    assert lines[2] == "1 added, 0 updated, 0 unchanged, 1 refused"
    assert lines[3] == "line 3 title: The title is empty."
    assert json.loads(whence("watch", waiting, "--json").splitlines()[-1])["refused"] == 1


def test_an_import_shows_what_it_changed_and_is_undone(
    whence: Any, settings: Settings, tmp_path: Path
) -> None:
    async def imported(title: str) -> str:
        path = tmp_path / "notes.csv"
        path.write_text(f"id,title,text\nn1,{title},words\n")
        async with build.platform(settings) as platform:
            context = ImportContext(platform.owner, platform.db, platform.settings)
            return str((await platform.importer(NAME).run(context, path)).id)

    asyncio.run(imported("One"))
    second = asyncio.run(imported("Two"))
    assert "title: One → Two" in whence("show", second)
    assert whence("undo", second) == "0 deleted, 1 set back, 0 kept\n"
    shown = whence("show", second)
    assert "Undone on" in shown
    assert "n1: updated restored" in shown


def test_what_is_no_import_is_named(whence: Any) -> None:
    assert "No imports yet" in whence("list")
    with pytest.raises(Invalid, match="'abc' is no id of an import; `whence imports list`"):
        whence("show", "abc")
    with pytest.raises(NotFound):
        whence("show", "00000000-0000-0000-0000-000000000000")
