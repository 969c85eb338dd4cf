"""`whence chat` at a terminal and without one: asked, changed, stopped, left, piped into."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from cli.conftest import WHENCE
from cli.terminal import CTRL_C, CTRL_D, Terminal
from cli.test_signals import slow_source
from clients.counting_model import counting_model
from conftest import SAMPLE_PACKS

NOTES = [
    {"id": "n1", "title": "A note", "text": "four words stand here"},
    {"id": "n2", "title": "Another", "text": "two words"},
]
PROMPT = "\n> "


@pytest.fixture
def notes(shell: Any, tmp_path: Path) -> Any:
    """A shell with two notes."""
    shell.env["WHENCE_PACK_DIRS"] = str(SAMPLE_PACKS)
    path = tmp_path / "notes.jsonl"
    path.write_text("\n".join(map(json.dumps, NOTES)), encoding="utf-8")
    process = shell.run("import", "sample_pack.notes", path)
    assert process.returncode == 0, process.stderr
    return shell


def one(shell: Any, query: str) -> Any:
    with psycopg.connect(shell.env["WHENCE_DATABASE_URL"]) as connection:
        row = connection.execute(query).fetchone()
        return row[0] if row else None


def title(shell: Any) -> str:
    return one(shell, "SELECT title FROM sample_pack.notes WHERE external_id = 'n1'")


def test_a_person_asks_and_decides_at_the_terminal(notes: Any) -> None:
    with Terminal(notes, "chat", "notes/n1") as terminal:
        terminal.expect("Ctrl-C stops an answer.")
        terminal.expect(PROMPT)
        terminal.send("research this note\n")
        outcome = terminal.expect("The research is done")
        assert "Persist results: done" in outcome
        terminal.expect(PROMPT)
        terminal.send("\n")
        terminal.send("How long is it?\n")
        answer = terminal.expect("\n[1] ")
        assert answer.count("The note has 4 words") == 1, "it is written once, as it comes"
        assert "Confidence 100%" in terminal.expect(PROMPT)

        terminal.send("set the title to Another\n")
        assert "title: A note → Another" in terminal.expect("Apply it? y/n")
        assert title(notes) == "A note"
        terminal.send("n\n")
        terminal.expect("Nothing was changed.")
        assert title(notes) == "A note"
        terminal.expect(PROMPT)
        terminal.send("set the title to Another\n")
        terminal.expect("Apply it? y/n")
        terminal.send("How long is it?\n")
        assert "was not sent; enter it again" in terminal.expect(PROMPT)
        terminal.send("set the title to A third\n")
        terminal.expect("Apply it? y/n")
        terminal.send("y\n")
        terminal.expect("Applied.")
        assert title(notes) == "A third"
        terminal.expect(PROMPT)
        terminal.send("/quit\n")
        assert terminal.ended() == 0


def test_a_conversation_is_gone_on_with_and_ends_with_the_input(notes: Any) -> None:
    with Terminal(notes, "chat", "notes/n1") as terminal:
        terminal.expect(PROMPT)
        terminal.send("How long is it?\n")
        terminal.expect(PROMPT)
        terminal.send(CTRL_D)
        terminal.expect("Continue with: whence chat notes/n1 --session ")
        session = terminal.expect("\n").strip()
        assert terminal.ended() == 0

    words = ("How long is it?", "--session", session, "--json")
    answer = json.loads(notes.run("chat", "notes/n1", *words).stdout)
    assert (answer["sessionId"], answer["ordinal"]) == (session, 4)
    other = notes.run("chat", "notes/n2", *words)
    nobody = notes.run("chat", "notes/n1", "How long is it?", "--session", str(uuid4()))
    assert (other.returncode, nobody.returncode) == (2, 2)
    assert "not about that record" in other.stderr


@pytest.mark.anyio
async def test_ctrl_c_stops_the_answer_and_then_the_program(notes: Any) -> None:
    async with counting_model() as base:
        model = {"WHENCE_MODEL": "ollama:counting", "WHENCE_MODEL_BASE_URL": base}
        await asyncio.to_thread(_interrupted, notes, model)


def _interrupted(notes: Any, model: dict[str, str]) -> None:
    with Terminal(notes, "chat", "notes/n1", **model) as terminal:
        terminal.expect(PROMPT)
        terminal.send("How long is it? Count to 5000.\n")
        terminal.expect("w5 ")
        terminal.send(CTRL_C)
        stopped = terminal.expect("Stopped.")
        assert "w5000" not in stopped
        terminal.expect(PROMPT)
        terminal.send("How long is it? Count to 4.\n")
        assert terminal.expect(PROMPT).count("w1 w2 w3 w4") == 1
        terminal.send(CTRL_C)
        assert terminal.ended() == 130
    assert "Traceback" not in terminal.shown
    statuses = "SELECT array_agg(status ORDER BY ordinal) FROM whence.chat_messages"
    assert one(notes, f"{statuses} WHERE role = 'assistant'") == ["stopped", "complete"]


def test_ctrl_c_leaves_research_to_itself(shell: Any) -> None:
    shell.sample()
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        Terminal(shell, "chat", "items/HP-001", **slow_source(silent)) as terminal,
    ):
        terminal.expect(PROMPT)
        terminal.send("research this item\n")
        terminal.expect("Research has started.")
        terminal.send(CTRL_C)
        terminal.expect("The research continues; its outcome will appear here.")
        terminal.expect(PROMPT)
        terminal.send("What is its condition?\n")
        terminal.expect(PROMPT)
        terminal.send(CTRL_C)
        assert terminal.ended() == 130
    assert "Traceback" not in terminal.shown
    assert one(shell, "SELECT status FROM whence.work") in ("pending", "running", "paused")


def test_what_a_record_holds_does_not_steer_the_terminal(notes: Any) -> None:
    with psycopg.connect(notes.env["WHENCE_DATABASE_URL"]) as connection:
        evil = "UPDATE sample_pack.notes SET title = %s WHERE external_id = 'n2'"
        connection.execute(evil, ["An evil \x1b]0;owned\x07\x1b[2J one"])
    with Terminal(notes, "chat", "notes/n2", TERM="dumb") as terminal:
        terminal.expect(PROMPT)
        terminal.send("set the title to Tame\n")
        terminal.expect("Apply it? y/n")
        terminal.send("n\n")
        terminal.expect(PROMPT)
        terminal.send("/quit\n")
        assert terminal.ended() == 0
    assert "An evil ]0;owned[2J one" in terminal.shown
    assert not any(each in terminal.raw for each in (b"\x1b]", b"\x1b[2J", b"\x07"))


def test_questions_from_a_pipe_are_answered_and_nothing_is_applied(notes: Any) -> None:
    question = "research this note\n\nHow long is it?\nset the title to Another"
    process = notes.run("chat", "notes/n1", typed=question)

    assert process.returncode == 0, process.stderr
    lines = [line for line in process.stdout.splitlines() if line.startswith("> ")]
    assert lines == [
        "> research this note",
        "> How long is it?",
        "> set the title to Another",
    ]
    assert "\n[1] The note has 4 words: " in process.stdout
    assert "Proposed, but not applied: this is not a terminal." in process.stdout
    assert title(notes) == "A note"


def test_a_line_that_no_message_can_be_is_refused_and_the_next_one_answered(notes: Any) -> None:
    refused = ("a" * 20_001, "b" * 300_000)
    process = notes.run("chat", "notes/n1", typed="\n".join((*refused, "How long is it?")))

    assert process.returncode == 2
    assert "the limit is 20000" in process.stdout
    assert "too long for a message" in process.stdout
    assert "(20,001 characters)" in process.stdout
    assert len(process.stdout) < 3_000, "it is not repeated"
    assert "> How long is it?" in process.stdout
    assert "by rules" in process.stdout
    assert notes.run("chat", "notes/n1", typed="b" * 300_000).returncode == 2


def test_a_pipe_that_says_nothing_more_holds_nobody_up(notes: Any) -> None:
    process = subprocess.Popen(
        [WHENCE, "chat", "notes/n1"],
        env=notes.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("How long is it?\nA half")
    process.stdin.flush()
    while "by rules" not in process.stdout.readline():
        pass
    time.sleep(0.5)  # the next line is waited for
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130  # with the other end of its input still open
    _, errors = process.communicate()
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("notes/n9",), "n9"),
        (("nothing/n1",), "nothing"),
        (("notes",), "KIND/ID"),
        (("notes/n1", "--json"), "--json needs a question"),
        (("notes/n1", "Hello?", "--session", "17"), "valid UUID"),
    ],
)
def test_what_there_is_not_is_said_with_a_usage_code(
    notes: Any, words: tuple[str, ...], reason: str
) -> None:
    process = notes.run("chat", *words)
    assert process.returncode == 2
    assert reason in process.stderr
    assert "Traceback" not in process.stderr
