"""`whence runs`: found by part of an id, as text and as JSON, with exit codes for scripts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner, Result

from whence.cli.app import app
from whence.kernel.errors import Conflict, Invalid, NotFound
from whence.kernel.settings import Settings


class Terminal:
    """Commands in this process: starting a new one takes longer than what they do."""

    def __init__(self, settings: Settings) -> None:
        assert settings.database_url is not None
        self.env = {
            "WHENCE_DATABASE_URL": settings.database_url.get_secret_value(),
            "WHENCE_HOME": str(settings.home),
            "WHENCE_PACK_DIRS": ":".join(map(str, settings.pack_dirs)),
        }

    def run(self, *words: str) -> Result:
        return CliRunner().invoke(app, list(words), env=self.env)

    def json(self, *words: str) -> Any:
        process = self.run(*words, "--json")
        assert process.exit_code == 0, (process.output, process.exception)
        return json.loads(process.stdout)


@pytest.fixture
def terminal(settings: Settings) -> Iterator[Terminal]:
    import logging

    import structlog

    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield Terminal(settings)
    structlog.reset_defaults()
    root.handlers[:], root.level = handlers, level


@pytest.fixture
def researched(terminal: Terminal, tmp_path: Path) -> str:
    """The id of a run that succeeded."""
    notes = tmp_path / "items.csv"
    notes.write_text("id,title\nA,Brass desk lamp\n", encoding="utf-8")
    assert terminal.run("import", "resale.items", str(notes)).exit_code == 0
    assert terminal.run("research", "items/A").exit_code == 0
    [run] = terminal.json("runs", "list")["runs"]
    return run["id"]


def set_status(terminal: Terminal, run: str, status: str) -> None:
    with psycopg.connect(terminal.env["WHENCE_DATABASE_URL"]) as connection:
        connection.execute("UPDATE whence.work SET status = %s WHERE id = %s", (status, run))


def test_an_empty_list_says_what_to_do(terminal: Terminal) -> None:
    assert "whence research KIND/ID" in terminal.run("runs", "list").stdout
    assert "No such runs" in terminal.run("runs", "list", "--status", "error").stdout
    assert terminal.json("runs", "list") == {"runs": []}


def test_what_cannot_be_found_is_said(terminal: Terminal) -> None:
    assert isinstance(terminal.run("runs", "show", "0190").exception, NotFound)
    assert isinstance(terminal.run("runs", "show", "%_").exception, Invalid)
    assert isinstance(terminal.run("runs", "list", "--kind", "nothing").exception, NotFound)
    assert terminal.run("runs", "list", "--status", "sleeping").exit_code == 2


def test_a_run_is_listed_shown_tailed_cancelled_and_resumed(
    terminal: Terminal, researched: str
) -> None:
    text = terminal.run("runs", "list", "--kind", "items", "--status", "success").stdout
    assert researched in text
    assert "items/A" in text
    assert "manual_request" in text
    assert terminal.json("runs", "list", "--status", "paused") == {"runs": []}

    shown = terminal.json("runs", "show", researched[:20])
    assert (shown["id"], shown["record"], shown["status"]) == (researched, "items/A", "success")
    nodes = [step["node"] for step in shown["stepHistory"]]
    assert nodes[-1] in terminal.run("runs", "show", researched.upper()).stdout

    lines = [
        json.loads(line)
        for line in terminal.run("runs", "tail", researched, "--json").stdout.splitlines()
    ]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert lines[-1]["type"] == "job_complete"
    later = terminal.run("runs", "tail", researched, "--json", "--after", str(lines[-2]["seq"]))
    assert [json.loads(line)["seq"] for line in later.stdout.splitlines()] == [lines[-1]["seq"]]
    nothing = terminal.run("runs", "tail", researched, "--json", "--after", str(lines[-1]["seq"]))
    assert (nothing.stdout, nothing.exit_code) == ("", 0)
    assert "The run is over: success." in terminal.run("runs", "tail", researched).stdout

    assert terminal.json("runs", "cancel", researched)["status"] == "success"
    assert isinstance(terminal.run("runs", "resume", researched).exception, Conflict)
    set_status(terminal, researched, "paused")
    assert terminal.json("runs", "resume", researched)["status"] == "pending"
    assert terminal.json("runs", "cancel", researched)["status"] == "cancelled"
    ended = terminal.run("runs", "tail", researched)
    assert ended.exit_code == 3
    assert "The run is over: cancelled." in ended.stdout


def test_a_beginning_that_several_ids_share_is_refused(terminal: Terminal, researched: str) -> None:
    other = researched[:-12] + "000000000000"
    work = "org_id, type, queue, handler, status, priority, requested_by, created_at"
    run = "org_id, kind, flow, flow_version, lane, options"
    with psycopg.connect(terminal.env["WHENCE_DATABASE_URL"]) as connection:
        connection.execute(
            f"WITH w AS (INSERT INTO whence.work (id, {work}) SELECT %s, {work} FROM whence.work) "
            f"INSERT INTO whence.runs (id, subject_id, {run}) "
            f"SELECT %s, gen_random_uuid(), {run} FROM whence.runs",
            (other, other),
        )
    process = terminal.run("runs", "show", researched[:-12])
    assert isinstance(process.exception, Invalid)
    assert "Several runs" in process.exception.message
    assert terminal.json("runs", "show", researched)["id"] == researched
