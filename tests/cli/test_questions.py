"""A question of a run on the terminal: shown, answered in a line, left where nobody is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.terminal import Terminal
from whence.cli.questions import parse_answer
from whence.research.questions import Question

VAGUE = "id,title\nV-1,old desk lamp\n"
ASK = ("research", "items/V-1", "--interactive", "--json")


@pytest.fixture
def vague(shell: Any, tmp_path: Path) -> Any:
    """A shell with an item of which nothing tells what it is."""
    path = tmp_path / "items.csv"
    path.write_text(VAGUE, encoding="utf-8")
    assert shell.run("import", "resale.items", path).returncode == 0
    return shell


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where the dossier goes while a person sits at the terminal."""
    file = tmp_path / "out.json"
    file.touch()
    return file


def test_a_person_answers_at_the_terminal_and_the_run_goes_on(vague: Any, out: Path) -> None:
    with Terminal(vague, *ASK, out=out) as terminal:
        shown = terminal.expect("Press Enter if you do not know.")
        assert "What brand and exact model is it" in shown
        terminal.send("Corvane L3\n")
        assert terminal.ended() == 0
    named = json.loads(out.read_text())["body"]["identification"]
    assert (named["brand"], named["model"]) == ("Corvane", "L3")


def test_without_a_terminal_the_run_waits_and_says_how_to_answer(vague: Any, out: Path) -> None:
    process = vague.run(*ASK)
    assert (process.returncode, process.stdout) == (4, "")
    assert "What brand and exact model is it" in process.stderr
    assert "is waiting for an answer" in process.stderr
    with Terminal(vague, *ASK, out=out) as terminal:
        terminal.expect("Press Enter")
        terminal.send("\n")
        assert terminal.ended() == 0
    assert json.loads(out.read_text())["body"]["identification"]["brand"] is None


def test_a_run_is_answered_by_its_id(vague: Any) -> None:
    assert vague.run(*ASK).returncode == 4
    listed = json.loads(vague.run("runs", "list", "--json").stdout)
    [run] = listed["runs"]
    shown = vague.run("runs", "show", run["id"]).stdout
    assert "What brand and exact model is it" in shown
    answered = vague.run("runs", "answer", run["id"], "Corvane L3", "--json")
    assert (answered.returncode, json.loads(answered.stdout)["status"]) == (0, "pending")
    assert vague.run("runs", "answer", run["id"], "Corvane L4").returncode == 1
    process = vague.run("research", "items/V-1", "--json")
    assert json.loads(process.stdout)["body"]["identification"]["model"] == "L3"


@pytest.mark.parametrize(
    ("kind", "line", "answer"),
    [
        ("text", "  black \n", "black"),
        ("text", "\n", None),
        ("choice", "2\n", "no"),
        ("choice", "no\n", "no"),
        ("choice", "3\n", "3"),
        ("number", "12.5\n", 12.5),
        ("number", "many\n", "many"),
    ],
)
def test_a_line_is_taken_as_people_mean_it(kind: Any, line: str, answer: object) -> None:
    choices = ("yes", "no") if kind == "choice" else ()
    assert parse_answer(Question(key="x", text="What?", kind=kind, choices=choices), line) == answer
