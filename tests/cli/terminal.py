"""A command at a terminal of its own, with somebody who types and interrupts."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from pathlib import Path
from typing import Any

from cli.conftest import command_nursery
from cli.nursery import Order

ROWS, COLUMNS = 24, 80
SECONDS = 60.0
"""How long a command may take to say what is waited for; the first words take the longest."""
CTRL_C, CTRL_D = "\x03", "\x04"
_STYLE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """`with Terminal(shell, "wizard", "leave.request") as terminal`: hung up on at the end.

    `out`: an existing file in the place of the standard output, as a shell's `>` gives it.
    """

    def __init__(self, shell: Any, *words: str, out: str | Path = os.devnull, **more: str) -> None:
        self._screen, self._inside = pty.openpty()
        fcntl.ioctl(self._screen, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._command = command_nursery()
        env = shell.env | {"TERM": "xterm"} | more
        order = Order(list(words), env, str(out), tty=os.ttyname(self._inside))
        self._command.order(order.line())
        self.code: int | None = None
        self.raw = b""
        """All that was written to it."""
        self._read_to = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._screen)
        os.close(self._inside)
        if self.code is None:
            self._command.answer()

    @property
    def shown(self) -> str:
        """What was written, without styles."""
        return _STYLE.sub("", self.raw.decode(errors="replace")).replace("\r\n", "\n")

    def expect(self, words: str) -> str:
        """Wait for these words; what was shown since the last ones, with them."""
        until = time.monotonic() + SECONDS
        while (at := (shown := self.shown).find(words, self._read_to)) < 0:
            late = self.code is not None or time.monotonic() > until
            assert not late, f"no '{words}' in:\n{shown[-2000:]}"
            self._hear()
        begun, self._read_to = self._read_to, at + len(words)
        return shown[begun : self._read_to]

    def type(self, prompt: str, line: str = "") -> None:
        """Wait for the prompt and answer it."""
        self.expect(f"{prompt}: ")
        self.send(f"{line}\n")

    def send(self, keys: str) -> None:
        os.write(self._screen, keys.encode())

    def ended(self) -> int:
        """Wait for the end; the exit code."""
        until = time.monotonic() + SECONDS
        while self.code is None:
            assert time.monotonic() < until, f"it does not end:\n{self.shown[-2000:]}"
            self._hear()
        return self.code

    def _hear(self) -> None:
        """Take in what there is, and whether the command has ended; its last words come first."""
        answers = self._command.fileno()
        ready, _, _ = select.select([self._screen, answers], [], [], 1)
        if self._screen in ready:
            self.raw += os.read(self._screen, 65_536)
        elif answers in ready:
            self.code = int(self._command.answer())
