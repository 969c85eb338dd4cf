"""What the deploy page tells an operator to set, run and read is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from whence.cli.app import app
from whence.db import database
from whence.kernel.settings import Settings
from whence.work.worker import GRACE_SECONDS

PAGE = "docs/deploy.md"
RUN = re.compile(r"(?:`|/bin/|\nSH )whence ([a-z]+(?: [a-z]+)?)")


def commands(command: Any, name: str = "") -> Iterator[str]:
    if not hasattr(command, "commands"):
        yield name.strip()
        return
    for word in command.list_commands(None):
        yield from commands(command.get_command(None, word), f"{name} {word}")


def test_every_setting_that_it_names_is_one(page: Callable[[str], Any]) -> None:
    known = {f"WHENCE_{name}".upper() for name in Settings.model_fields}
    named = set(re.findall(r"\bWHENCE_[A-Z_]*[A-Z]", page(PAGE).text))

    assert "WHENCE_TRUSTED_PROXIES" in named
    assert named <= known


def test_every_command_that_it_runs_is_one(page: Callable[[str], Any]) -> None:
    known = set(commands(get_command(app)))
    shell = "".join(page(PAGE).code("sh"))
    text = page(PAGE).text + "\n" + shell.replace("whence ", "SH whence ")
    run = set(RUN.findall(text))

    assert {"backup", "account create"} <= {
        words if words in known else words.split()[0] for words in run
    }
    for words in run:
        assert words in known or words.split()[0] in known, words


def test_every_script_that_it_names_is_there(page: Callable[[str], Any], repository: Path) -> None:
    for name in re.findall(r"`(scripts/[\w.]+)`", page(PAGE).text):
        assert (repository / name).is_file()


def test_its_figures_are_those_of_the_code(page: Callable[[str], Any]) -> None:
    text = page(PAGE).text
    for_work = database.POOL_SIZE + database.POOL_OVERFLOW + database.STATEMENTS_POOL_SIZE
    queue, ears, sweeper = 4, 2, 1
    worker = for_work + queue + ears + sweeper + 1 + Settings().worker_concurrency

    assert f"up to {for_work + queue + ears} for each API process, {worker} for each worker" in text
    assert f"runs get {GRACE_SECONDS:.0f} seconds" in text


def test_it_is_found_from_the_readme(page: Callable[[str], Any]) -> None:
    assert "(docs/deploy.md)" in page("README.md").text
    assert "(deploy.md)" in page("docs/README.md").text
