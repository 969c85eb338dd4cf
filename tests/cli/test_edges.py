"""What a shell does to a command: stops it early, stops reading, has no room for its output."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import whence.cli.app
from whence.cli.commands import COMMANDS, load
from whence.kernel.errors import WhenceError

BEGIN = ("-c", "from whence.cli.entry import main; main()")
INTERRUPT = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
"""
"""Ctrl-C at the moment when the program loads its first large library."""


def environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith("WHENCE_")}


def errors(of: type[WhenceError] = WhenceError) -> set[type[WhenceError]]:
    """Every kind of error of the modules that are loaded."""
    return {of}.union(*(errors(each) for each in of.__subclasses__()))


def own_words(of: type[WhenceError]) -> str:
    """Its default message, whatever else its constructor asks for."""
    error = of.__new__(of)
    WhenceError.__init__(error)
    return error.message


def test_ctrl_c_while_the_program_loads_leaves_no_trace() -> None:
    process = subprocess.run(
        [sys.executable, "-c", f"{INTERRUPT}\n{BEGIN[1]}", "pack", "list"],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert process.returncode == -signal.SIGINT  # which a shell calls 130
    assert (process.stdout, process.stderr) == ("", "")


def test_a_command_that_only_lists_loads_no_model_graph_or_server_libraries() -> None:
    process = subprocess.run(
        [sys.executable, "-X", "importtime", *BEGIN, "pack", "list"],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    loaded = {line.split()[-1].partition(".")[0] for line in process.stderr.splitlines()}
    assert "whence" in loaded
    assert not loaded & {"fastapi", "langchain_core", "langgraph", "langsmith", "numpy", "sklearn"}


def test_the_list_of_commands_loads_no_database_library() -> None:
    process = subprocess.run(
        [sys.executable, "-X", "importtime", *BEGIN, "--help"],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    loaded = {line.split()[-1].partition(".")[0] for line in process.stderr.splitlines()}
    assert "typer" in loaded
    assert not loaded & {"sqlalchemy", "psycopg", "pydantic", "procrastinate", "httpx"}


def test_a_full_disk_under_the_output_is_told_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            [sys.executable, *BEGIN, "pack", "list"],
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )
    assert process.returncode == whence.cli.app.FAILURE
    assert process.stderr.startswith("whence: No space is left")
    assert process.stderr.count("\n") == 1


def test_an_error_that_names_what_others_wrote_does_not_steer_the_terminal(
    shell_without_database: Callable[..., Any],
) -> None:
    process = shell_without_database().run("research", "an evil \x1b]0;owned\x07\x1b[2J\u202eone")
    assert process.returncode == whence.cli.app.USAGE_ERROR
    assert "an evil ]0;owned[2Jone" in process.stderr
    assert not set("\x1b\x07\u202e") & set(process.stderr)


def test_a_reader_who_has_seen_enough_is_no_fault() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [sys.executable, *BEGIN, "pack", "list"],
        env=environment(),
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=120,
    )
    os.close(writing)
    assert process.stderr == ""


def test_a_backup_of_a_database_that_is_away_names_the_fix(
    shell_without_database: Callable[..., Any], tmp_path: Path
) -> None:
    away = "postgresql://somebody:s3cret@127.0.0.1:1/whence"
    file = tmp_path / "whence.tar"
    shell = shell_without_database(WHENCE_DATABASE_URL=away, WHENCE_HOME=str(tmp_path / "home"))
    for words in (("backup", file), ("restore", __file__)):
        process = shell.run(*words)
        assert process.returncode == whence.cli.app.FAILURE
        assert process.stderr.startswith(
            "whence: The database does not answer; check WHENCE_DATABASE"
        )
        assert process.stderr.count("\n") == 1
        assert "s3cret" not in process.stderr
        assert not file.exists()


def test_every_error_is_one_line() -> None:
    for name in COMMANDS:
        load(name)
    kinds = errors()
    assert len(kinds) > 20
    assert [each.__name__ for each in kinds if "\n" in own_words(each)] == []
