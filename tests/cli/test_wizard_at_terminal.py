"""`whence wizard` at a terminal: filled in a line a field, back, changed, left and gone on with."""

from __future__ import annotations

import json
from typing import Any

import psycopg

from cli.terminal import CTRL_C, CTRL_D, Terminal
from conftest import SAMPLE_PACKS

WIZARD = ("wizard", "sample_pack.write")
PACKS = {"WHENCE_PACK_DIRS": str(SAMPLE_PACKS)}


def statuses(shell: Any) -> list[str]:
    with psycopg.connect(shell.env["WHENCE_DATABASE_URL"]) as connection:
        query = "SELECT status FROM whence.wizard_runs ORDER BY created_at"
        return [row[0] for row in connection.execute(query)]


def about(terminal: Terminal, title: str, length: str) -> None:
    terminal.until("Title: ")
    terminal.type(title)
    terminal.until("How long will it be?: ")
    terminal.type(length)


def test_a_wizard_is_filled_in_corrected_and_ended(shell: Any) -> None:
    with Terminal(shell, *WIZARD, "--json", **PACKS) as terminal:
        about(terminal, "Tea", "endless")
        terminal.until("! Input should be")  # what is wrong is said, and the step comes again
        about(terminal, "", "1")  # Enter alone keeps the title
        terminal.until("Text: ")
        terminal.type("<")
        terminal.until("Author — so far: Owner")  # known, so it was not asked; it can be looked at
        terminal.until("Author: ")
        terminal.type("<")
        about(terminal, "Green tea", "")
        terminal.until("Text: ")
        terminal.type("It is ready.")
        terminal.until("a number to change: ")
        terminal.type("1")
        about(terminal, "Black tea", "")
        terminal.until("a number to change: ")
        terminal.type("")
        assert terminal.end() == 0
    payload = json.loads(terminal.raw.strip().splitlines()[-1])
    assert payload["progress"]["status"] == "completed"
    assert "Your note is written" in payload["textFallback"]
    with psycopg.connect(shell.env["WHENCE_DATABASE_URL"]) as connection:
        [note] = connection.execute("SELECT title, text FROM sample_pack.notes").fetchall()
    assert note == ("Black tea", "It is ready.")


def test_one_that_was_left_is_gone_on_with_and_one_that_was_cancelled_is_not(shell: Any) -> None:
    with Terminal(shell, *WIZARD, **PACKS) as terminal:
        about(terminal, "Tea", "short")
        terminal.until("Text: ")
        terminal.type("q")
        terminal.until("the same command goes on with it")
        assert terminal.end() == 0
    with Terminal(shell, *WIZARD, **PACKS) as terminal:
        terminal.until("Text: ")
        terminal.press(CTRL_D)
        terminal.until("the same command goes on with it")
        assert terminal.end() == 0
    with Terminal(shell, *WIZARD, **PACKS) as terminal:
        terminal.until("Text: ")
        terminal.press(CTRL_C)
        assert terminal.end() == 130
    assert "Traceback" not in terminal.raw
    with Terminal(shell, *WIZARD, **PACKS) as terminal:
        terminal.until("Text: ")
        terminal.type("x")
        assert terminal.end() == 1
    assert statuses(shell) == ["cancelled"]
    with Terminal(shell, *WIZARD, **PACKS) as terminal:
        terminal.until("Title: ")
        terminal.type("q")
        assert terminal.end() == 0
    assert statuses(shell) == ["cancelled", "open"]


def test_leave_request_asks_for_its_reason_first(shell: Any) -> None:
    with Terminal(shell, "wizard", "leave.request") as terminal:
        shown = terminal.until(": ")
        assert "1" in shown
        terminal.type("q")
        assert terminal.end() == 0
