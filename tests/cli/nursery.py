"""Runs commands in forks of the process that has the program loaded (`tests/nursery.py`).

One line of JSON is an order; the answer is the command's exit code.  What is forked is a process of
its own, with its own environment and output, that begins where `whence` begins.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from dataclasses import asdict, dataclass
from typing import Any

LONGEST_SECONDS = 120
"""A command that hangs is ended, with the exit code -14."""


@dataclass(frozen=True)
class Order:
    """The words after `whence`, the environment, and the files it reads from and prints to."""

    words: list[str]
    env: dict[str, str]
    out: str = os.devnull
    err: str = os.devnull
    typed: str = os.devnull
    tty: str = ""
    """A terminal in the place of input and outputs, and the one that Ctrl-C comes from; `out` may
    still name a file."""

    def line(self) -> str:
        return json.dumps(asdict(self)) + "\n"


def live(order: Order) -> int:
    """The life of a forked process; its exit code."""
    signal.alarm(0 if order.tty else LONGEST_SECONDS)  # who sits at a terminal ends it
    if order.tty:
        os.setsid()  # the next terminal that is opened is that of this session
    files = [order.typed, order.out, order.err]
    if order.tty:
        files = [order.tty, order.tty if order.out == os.devnull else order.out, order.tty]
    for number, name in enumerate(files):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT, 0o600), number)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout, sys.stderr = _text(1), _text(2)
    os.environ.clear()
    os.environ.update(order.env)
    sys.argv = ["whence", *order.words]
    from whence.cli import entry

    try:
        entry.main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 (as the interpreter does at its own edge)
        traceback.print_exc()
        return 1
    return 0


def _text(number: int) -> Any:
    return os.fdopen(number, "w", buffering=1, encoding="utf-8", closefd=False)


def serve() -> None:
    """Take orders until stdin ends."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = live(Order(**json.loads(line)))
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)
        answers.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
