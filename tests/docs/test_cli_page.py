"""The command line page holds every command with its options; the README's words exist."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from whence.cli.app import FAILURE, USAGE_ERROR, app
from whence.cli.commands import COMMANDS as SUMMARIES
from whence.cli.commands import load
from whence.cli.research import RUN_ASKS, RUN_FAILED

PAGE = "docs/reference/cli.md"


def commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield name, command
        return
    for word in command.list_commands(None):
        yield from commands(command.get_command(None, word), f"{name} {word}")


COMMANDS = dict(commands(get_command(app), "whence"))


@pytest.mark.parametrize("name", sorted(SUMMARIES))
def test_the_list_of_commands_gives_the_beginning_of_its_help(name: str) -> None:
    assert " ".join(load(name).help.split()).startswith(SUMMARIES[name].summary.rstrip("."))


def test_every_command_has_a_section_and_none_that_is_gone(page: Callable[[str], Any]) -> None:
    named = [title.strip("`") for title in page(PAGE).headings if title.startswith("`")]

    assert sorted(named) == sorted(COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_its_options_are_documented_and_none_that_are_gone(
    name: str, page: Callable[[str], Any]
) -> None:
    section = page(PAGE).section(f"`{name}`")
    known = {
        option
        for parameter in COMMANDS[name].params
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option.startswith("--") and option != "--help"
    }

    assert set(re.findall(r"--[a-z][a-z-]*", section)) == known


@pytest.mark.parametrize("code", [0, FAILURE, USAGE_ERROR, RUN_FAILED, RUN_ASKS])
def test_every_exit_code_is_explained(
    code: int, page: Callable[[str], Any], table_rows: Callable[[str], Any]
) -> None:
    rows = table_rows(page(PAGE).section("Exit codes"))

    assert [row[1] for row in rows if row[0] == str(code)]


@pytest.mark.parametrize("path", ["README.md", "docs/quickstart.md", "docs/add-a-pack.md"])
def test_every_word_of_make_is_in_the_makefile(
    path: str, page: Callable[[str], Any], repository: Path
) -> None:
    makefile = (repository / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    text = page(path).text
    request = set(re.findall(r"^make ([a-z]+)", text, re.MULTILINE))
    request |= set(re.findall(r"`make ([a-z]+)`", text))

    assert request
    assert request <= targets


def test_every_whence_command_of_the_guides_exists(page: Callable[[str], Any]) -> None:
    guides = ("README.md", "docs/quickstart.md", "docs/add-a-pack.md")
    lines = [
        line for path in guides for line in re.findall(r"whence ((?:[a-z]+ ?)+)", page(path).text)
    ]
    request = [line for line in lines if line.split()[0] in {n.split()[1] for n in COMMANDS}]

    assert request
    for line in request:
        words = line.split()
        assert any(
            name in COMMANDS for name in (f"whence {words[0]}", "whence " + " ".join(words[:2]))
        )
