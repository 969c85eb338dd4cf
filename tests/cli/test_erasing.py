"""`whence erase`: counted first, confirmed by a person, and only with a reason."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from cli.terminal import Terminal
from conftest import SAMPLE_PACKS
from erasure.traces import MARKER, note, tables_with

pytestmark = pytest.mark.anyio
NAMED = ("erase", "record", f"notes/{MARKER}-1")


@pytest.fixture
async def noted(platform: Any, shell: Any) -> Any:
    """A shell on a database with a note."""
    await note(platform, MARKER, MARKER, f"{MARKER}-1")
    shell.env["WHENCE_PACK_DIRS"] = str(SAMPLE_PACKS)
    return shell


async def test_a_record_is_counted_and_erased(noted: Any, database_url: str) -> None:
    before = tables_with(database_url)
    counted = noted.run(*NAMED, "--dry-run", "--name", MARKER)
    assert counted.returncode == 0, counted.stderr
    assert "1  sample_pack.notes  would be erased" in counted.stdout
    assert tables_with(database_url) == before
    unexplained = noted.run(*NAMED, "--yes")
    assert (unexplained.returncode, "--reason" in unexplained.stderr) == (2, True)
    assert tables_with(database_url) == before
    erased = noted.run(*NAMED, "--yes", "--name", MARKER, "--reason", "asked for")
    assert erased.returncode == 0, erased.stderr
    assert erased.stdout == counted.stdout.replace("would be erased", "erased")
    assert tables_with(database_url) == []


async def test_a_person_at_the_terminal_confirms(noted: Any, database_url: str) -> None:
    words = (*NAMED, "--reason", "asked for")
    with Terminal(noted, *words) as terminal:
        terminal.expect("would be erased")
        terminal.type("Erase all of this for good? [y/N]", "n")
        assert terminal.ended() == 1
    assert tables_with(database_url) != []
    with Terminal(noted, *words) as terminal:
        terminal.type("Erase all of this for good? [y/N]", "y")
        assert terminal.ended() == 0
    with psycopg.connect(database_url) as admin:
        [row] = admin.execute("SELECT kind, reason FROM whence.erasures").fetchall()
    assert row == ("notes", "asked for")
    assert tables_with(database_url) == []


async def test_what_cannot_be_erased_is_told_on_one_line(noted: Any, platform: Any) -> None:
    for words in (("record", "notes"), ("record", "notes/none"), ("person", "a@b.example")):
        refused = noted.run("erase", *words, "--reason", "x", "--yes")
        assert refused.returncode != 0
        [line] = refused.stderr.splitlines()
        assert line.startswith("whence: ")
