"""Homes that the server's account can enter, and other processes to share, kill and race them."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from whence.db.embedded import EmbeddedPostgres
from whence.db.embedded.layout import Layout
from whence.db.embedded.locks import is_held
from whence.db.embedded.processes import leftovers

QUICK = {"fsync": "off"}
"""A killed process loses nothing that the kernel has; only a power cut would."""

_USER = """
import sys
from pathlib import Path
from whence.db.embedded import EmbeddedPostgres
user = EmbeddedPostgres(Path(sys.argv[1]), keep_seconds=0.5, extra_settings={"fsync": "off"})
for line in sys.stdin:
    word = line.strip()
    print(user.start().admin_url if word == "start" else user.release(), flush=True)
"""


class User:
    """Another process that uses a home; it obeys `start` and `release`."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _USER, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, word: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def start(self) -> str:
        self.ask("start")
        return self.answer()

    def release(self) -> None:
        self.ask("release")
        self.answer()

    def kill(self) -> None:
        self.process.kill()
        self.end()

    def end(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()
        self.process.wait(90)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder of this test that every account may enter."""
    folder = make_open_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


ROOMY_BYTES = 1024**3
"""A container's /dev/shm is 64 MB by default: too small for a few clusters of 40 MB."""


def make_open_folder() -> Path:
    """A folder that every account may enter, in memory where there is room for it.

    pytest's own folders are closed to the account that root runs the server under.
    """
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > ROOMY_BYTES
    folder = Path(tempfile.mkdtemp(prefix="whence-db-", dir=memory if roomy else "/tmp"))
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def cluster() -> Iterator[Path]:
    """A home with a cluster in it, made once and only to be copied."""
    folder = make_open_folder()
    with EmbeddedPostgres(folder / "home", extra_settings=QUICK):
        pass
    yield folder / "home"
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def made_before(cluster: Path, home: Path) -> None:
    """Puts a cluster into the home: a copy, which takes a tenth of the time of making one."""
    subprocess.run(["cp", "-a", str(cluster), str(home)], check=True, timeout=120)


@pytest.fixture
def home(open_folder: Path) -> Iterator[Path]:
    """A home that does not exist yet; whatever still runs in it afterwards is ended."""
    home = open_folder / "home"
    yield home
    layout = Layout.of(home)
    if layout.folder.exists() and is_held(layout.server_lock):
        for pid in leftovers(layout):
            with contextlib.suppress(ProcessLookupError):  # it may end by itself meanwhile
                os.kill(pid, signal.SIGKILL)


@pytest.fixture
def user(home: Path) -> Iterator[Callable[[], User]]:
    """Makes other processes that use `home`; they end with the test."""
    users: list[User] = []

    def make() -> User:
        users.append(User(home))
        return users[-1]

    yield make
    for one in users:
        if one.process.poll() is None:
            one.kill()


@pytest.fixture
def postgres(home: Path) -> Iterator[EmbeddedPostgres]:
    """This process's share in the server of `home`; not started."""
    postgres = EmbeddedPostgres(home, keep_seconds=0.5, extra_settings=QUICK)
    yield postgres
    postgres.release()


@pytest.fixture
def layout(home: Path) -> Layout:
    return Layout.of(home)


@pytest.fixture
def query() -> Callable[[str, str], object]:
    """Runs one statement and gives the first value of its answer, if it has one."""

    def run(url: str, statement: str) -> object:
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            row = cursor.fetchone() if cursor.description else None
            return row[0] if row else None

    return run


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool], float], bool]:
    """Waits until something holds, at most so many seconds."""

    def wait(holds: Callable[[], bool], seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    return wait
