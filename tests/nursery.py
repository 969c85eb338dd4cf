"""One process of a whole run that has the program loaded, which takes seconds; others fork from it.

    python nursery.py SOCKET

Whoever connects says in a line for whom, `cli` or `faults`, and from then on speaks with a fork of
its own that takes orders as `cli/nursery.py` and `faults/nursery.py` say.  This process ends at the
end of its stdin, each fork at the end of its connection.
"""

from __future__ import annotations

import fcntl
import importlib
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from whence.kernel.garbage import freeze_loaded_objects

SERVE = {"cli": "cli.nursery", "faults": "faults.nursery"}
SAMPLE_PACKS = Path(__file__).parent / "fixtures"
SECONDS = 120.0
"""How long it may take to load the program, on a machine with much other work."""


class Nursery:
    """A connection to a fork that takes orders, one line each, and answers each with a line."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lines: TextIOWrapper = connection.makefile("rw", encoding="utf-8", newline="\n")

    def order(self, line: str) -> None:
        self._lines.write(line)
        self._lines.flush()

    def answer(self) -> str:
        return self._lines.readline()

    def fileno(self) -> int:
        """What can be waited for until there is an answer."""
        return self._connection.fileno()

    def close(self) -> None:
        """Wait until the fork has ended, with all that it started."""
        self._connection.shutdown(socket.SHUT_WR)
        self._connection.settimeout(SECONDS)
        while self._lines.readline():
            pass
        self._connection.close()


def nursery(whose: str, folder: Path) -> Nursery:
    """A fork for `whose` tests; the first of a run starts the process, in the run's `folder`."""
    path = folder / "nursery.sock"
    with (folder / "nursery.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(path))
        except OSError:
            _start(path)
            connection.connect(str(path))
    connection.sendall(f"{whose}\n".encode())
    return Nursery(connection)


@cache
def _start(path: Path) -> None:
    """The process lives as long as this one, which holds the other end of its stdin."""
    path.unlink(missing_ok=True)
    env = {name: value for name, value in os.environ.items() if not name.startswith("WHENCE_")}
    env["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).parent), *filter(None, [env.get("PYTHONPATH")])]
    )
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__)), str(path)],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"


def preload() -> None:
    """Import and build what commands, workers and servers need on their way, once for all forks."""
    for name in ("app.build", "research.runner", "transports.app", "transports.serve"):
        importlib.import_module(f"whence.{name}")
    for name in ("anyio._backends._asyncio", "procrastinate.worker", "rich._emoji_codes"):
        importlib.import_module(name)
    for name in ("langchain_core.language_models", "langchain_openai", "langgraph.graph"):
        importlib.import_module(name)
    from sqlalchemy.orm import configure_mappers

    from whence.chat.turns.flow import chat_flow
    from whence.cli.commands import COMMANDS, load
    from whence.kernel.fetch import Fetcher

    for name in COMMANDS:
        load(name)
    chat_flow()
    _preload_packs()
    configure_mappers()
    Fetcher()  # reads the machine's certificates
    for module in SERVE.values():
        importlib.import_module(module)


def _preload_packs() -> None:
    """The packs in the tree and the sample pack: their classifiers and their routes.

    A fork finds the sample pack only if its settings name the folder.
    """
    import whence.packs
    from whence.app.discovery import discover
    from whence.chat.language.intents import classifier_for
    from whence.chat.language.topics import topic_classifier_for
    from whence.transports.routes.http.application import routes_about
    from whence.transports.routes.http.pack_routes import pack_routes

    shipped = list(whence.packs.__path__)
    for pack in discover([SAMPLE_PACKS]):
        for chat in pack.chats:
            classifier_for(chat)
            topic_classifier_for(chat)
        pack_routes(pack.id, tuple(pack.routes))
        for kind in pack.subjects:
            routes_about(kind)
    whence.packs.__path__ = shipped


def main(path: str) -> None:
    """Fork for whoever connects, until stdin ends."""
    preload()
    freeze_loaded_objects()  # a collection in a fork would write to every page, and copy it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        print("ready", flush=True)
        while True:
            readable, _, _ = select.select([listener, sys.stdin], [], [])
            if sys.stdin in readable:
                return
            connection, _ = listener.accept()
            whose = _first_line(connection)
            if os.fork() == 0:
                listener.close()
                _take_orders(connection, importlib.import_module(SERVE[whose]).serve)
            connection.close()


def _first_line(connection: socket.socket) -> str:
    """Byte by byte: what follows is for the fork."""
    line = b""
    while (byte := connection.recv(1)) not in (b"\n", b""):
        line += byte
    return line.decode()


def _take_orders(connection: socket.socket, serve: Callable[[], Any]) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(connection.fileno(), 0)
    os.dup2(connection.fileno(), 1)
    connection.close()
    sys.stdin, sys.stdout = (
        os.fdopen(0, closefd=False, encoding="utf-8"),
        os.fdopen(1, "w", buffering=1, closefd=False, encoding="utf-8"),
    )
    try:
        serve()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
