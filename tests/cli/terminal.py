"""A command in a terminal of 80 columns, with somebody who types."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

COLUMNS = 80
SECONDS = 60.0
"""How long a command may take to say what is waited for; the first words take the longest."""
_STYLE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """`with Terminal(command, env) as terminal`: the process is killed at the end."""

    def __init__(self, command: Sequence[str | Path], env: Mapping[str, str]) -> None:
        words = [str(word) for word in command]
        self._pid, self._end = pty.fork()
        if self._pid == 0:
            os.execve(words[0], words, {**env, "TERM": "xterm", "COLUMNS": str(COLUMNS)})
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
        self.code: int | None = None
        self.shown = ""
        self._read_to = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.code is None:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        os.close(self._end)

    def expect(self, words: str) -> str:
        """Wait for these words; what was shown since the last ones, with them."""
        until = time.monotonic() + SECONDS
        while (at := self.shown.find(words, self._read_to)) < 0:
            heard = self._hear(max(0.0, until - time.monotonic()))
            assert heard, f"no '{words}' in:\n{self.shown[-2000:]}"
        begun, self._read_to = self._read_to, at + len(words)
        return self.shown[begun : self._read_to]

    def type(self, prompt: str, line: str = "") -> None:
        """Wait for the prompt and answer it."""
        self.expect(f"{prompt}: ")
        self.send(f"{line}\n")

    def send(self, keys: str) -> None:
        os.write(self._end, keys.encode())

    def ended(self) -> int:
        """Wait for the end; the exit code."""
        while self._hear(SECONDS):
            pass
        self.code = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return self.code

    def _hear(self, seconds: float) -> bool:
        """Read what there is; False at the end, or where nothing comes."""
        readable, _, _ = select.select([self._end], [], [], seconds)
        try:
            data = os.read(self._end, 65_536) if readable else b""
        except OSError:  # the other side was closed
            data = b""
        self.shown += _STYLE.sub("", data.decode(errors="replace")).replace("\r\n", "\n")
        return bool(data)
