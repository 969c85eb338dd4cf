"""A command at a terminal of its own, as a person has it: typed at, interrupted, read."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import termios
import time
from typing import Any

from cli.conftest import nursery
from cli.nursery import Order

ROWS, COLUMNS = 50, 120
CTRL_C, CTRL_D = b"\x03", b"\x04"


class Terminal:
    """Use it with `with`: whatever still runs at the end is hung up on."""

    def __init__(self, shell: Any, *words: str, **more: str) -> None:
        self._screen, self._inside = pty.openpty()
        fcntl.ioctl(self._screen, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        env = shell.env | {"TERM": "dumb"} | more  # words without styles
        self._command = nursery()
        order = Order(list(words), env, tty=os.ttyname(self._inside))
        self._command.stdin.write(order.line())
        self._command.stdin.flush()
        self.raw = ""
        """All that was written on it."""
        self._read_up_to = 0
        self._code: int | None = None

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._screen)
        os.close(self._inside)
        if self._code is None:
            self._command.stdout.readline()

    def until(self, words: str, seconds: float = 60) -> str:
        """Read on until the words stand there; all from where it stopped last time, with them."""
        end = time.monotonic() + seconds
        begin = self._read_up_to
        while (at := self.raw.find(words, begin)) < 0:
            assert self._code is None, f"it ended without '{words}': {self.raw[begin:]}"
            assert time.monotonic() < end, f"no '{words}' in: {self.raw[begin:]}"
            self._look(1)
        self._read_up_to = at + len(words)
        return self.raw[begin : self._read_up_to]

    def type(self, line: str) -> None:
        self.press(f"{line}\n".encode())

    def press(self, keys: bytes) -> None:
        os.write(self._screen, keys)

    def end(self, seconds: float = 60) -> int:
        """Wait for the command to end; its exit code."""
        end = time.monotonic() + seconds
        while self._code is None:
            assert time.monotonic() < end, f"it does not end: {self.raw[-2000:]}"
            self._look(1)
        return self._code

    def _look(self, seconds: float) -> None:
        """Take in what is new, and whether the command has ended; its last words come first."""
        answers = self._command.stdout.fileno()
        ready, _, _ = select.select([self._screen, answers], [], [], seconds)
        if self._screen in ready:
            self.raw += os.read(self._screen, 65_536).decode(errors="replace")
        elif answers in ready:
            self._code = int(self._command.stdout.readline())
