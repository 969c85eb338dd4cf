"""Reads standard input line by line, without a thread that would outlive a Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import sys

from whence.kernel.errors import Invalid

CHUNK_BYTES = 65_536
LONGEST_LINE_BYTES = 200_000
"""More than the longest message that is taken (20,000 characters of at most 4 bytes)."""


class LineTooLong(Invalid):
    """A line of the input is too long for a message and was skipped."""


class Lines:
    """The lines of standard input for a conversation."""

    def __init__(self) -> None:
        self._file = sys.stdin.fileno()
        self._read = b""
        self._is_passed_over = False
        self.is_terminal = sys.stdin.isatty()

    async def next(self) -> str | None:
        """The next line without its end, None after the last.

        Raises LineTooLong for one that no message can be, after its end; the next call gives the
        line after it.  It can be interrupted; what was read of a line is kept.
        """
        while b"\n" not in self._read:
            chunk = await self._chunk()
            if not chunk:
                rest, self._read = self._read, b""
                return self._whole(rest) or None
            self._read += chunk
            if len(self._read) > LONGEST_LINE_BYTES and b"\n" not in self._read:
                self._read, self._is_passed_over = b"", True
        line, _, self._read = self._read.partition(b"\n")
        return self._whole(line)

    def _whole(self, line: bytes) -> str:
        was_passed_over, self._is_passed_over = self._is_passed_over, False
        if was_passed_over or len(line) > LONGEST_LINE_BYTES:
            raise LineTooLong
        return line.decode(errors="replace")

    async def _chunk(self) -> bytes:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        try:
            loop.add_reader(self._file, lambda: ready.done() or ready.set_result(None))
        except PermissionError:  # a file on disk is always ready, and cannot be waited for
            return os.read(self._file, CHUNK_BYTES)
        try:
            await ready
        finally:
            loop.remove_reader(self._file)
        return os.read(self._file, CHUNK_BYTES)
