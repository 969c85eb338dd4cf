"""The command line as real processes, each on a database of its own."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli.nursery import Order
from conftest import FOLDER
from nursery import Nursery, nursery
from whence.kernel.settings import Settings
from whence.packs.resale import pack

WHENCE = shutil.which("whence", path=str(Path(sys.executable).parent)) or "whence"
SAMPLE = pack.FOLDER / "sample"


@functools.cache
def command_nursery() -> Nursery:
    """The process that forks commands; one for all tests of this process, and ends with it."""
    opened = nursery("cli", Path(os.environ[FOLDER]))
    atexit.register(opened.close)
    return opened


@dataclass(frozen=True)
class Shell:
    """Runs `whence` with an environment that is only this test's."""

    env: dict[str, str]

    def run(
        self, *words: str | Path, typed: str = "", **more: str
    ) -> subprocess.CompletedProcess[str]:
        """A command without a terminal, run to its end; `typed` is what it is sent."""
        command = list(map(str, words))
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / name for name in ("out", "err", "typed")]
            out, err, _ = files
            files[2].write_text(typed)
            command_nursery().order(Order(command, self.env | more, *map(str, files)).line())
            code = int(command_nursery().answer())
            return subprocess.CompletedProcess(command, code, out.read_text(), err.read_text())

    def start(self, *words: str | Path, **more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [WHENCE, *map(str, words)],
            env=self.env | more,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def sample(self) -> None:
        """The sample, imported."""
        for name in ("items", "listings"):
            process = self.run("import", f"resale.{name}", SAMPLE / f"{name}.csv")
            assert process.returncode == 0, process.stderr


def bare() -> dict[str, str]:
    """This environment without anybody's settings."""
    return {k: v for k, v in os.environ.items() if not k.startswith("WHENCE_")}


@pytest.fixture
def shell(settings: Settings) -> Shell:
    """A shell on a fresh database of the tests' own server."""
    assert settings.database_url is not None
    url = settings.database_url.get_secret_value()
    return Shell(bare() | {"WHENCE_DATABASE_URL": url, "WHENCE_HOME": str(settings.home)})


@pytest.fixture
def shell_without_database(tmp_path: Path) -> Callable[..., Shell]:
    """`shell_without_database(WHENCE_PORT="abc")`"""
    return lambda **env: Shell(bare() | {"WHENCE_HOME": str(tmp_path)} | env)


@pytest.fixture
def short_home() -> Iterator[Path]:
    """A home with a short name: a socket's path may not be long; open to the server's account."""
    folder = Path(tempfile.mkdtemp(prefix="whence-cli-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
