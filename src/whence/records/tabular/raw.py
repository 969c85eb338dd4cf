"""What the file formats hand on: a row of cells in the order of the headers, or a bad line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import cast

from whence.kernel.errors import Invalid
from whence.kernel.text import clean

MAX_LINE_CHARACTERS = 16_000_000
"""A longer line is a file without line ends, not a row; reading on would fill the memory."""

UTF_8 = "utf-8-sig"
"""UTF-8, with a byte order mark or without."""
UNDECODED = re.compile(r"[\udc80-\udcff]")
"""A byte that is not UTF-8, as `open_text` reads it."""
SHOWN_CHARACTERS = 80
MAX_LINES_NAMED = 20
METERED_LINES = 1_000
"""Lines between two looks at how far the file was read."""


@dataclass
class Meter:
    """How far a file was read, for whoever shows progress."""

    done: int = 0
    total: int = 0
    """Bytes; rows for a workbook."""


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row as the file has it."""

    line: int
    """Where it begins, counted from 1."""
    cells: Sequence[object]
    """Text in CSV, any JSON value otherwise; as many as there are headers."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BadLine:
    """A row that the format itself does not allow."""

    line: int
    value: str
    reason: str


def open_text(path: Path, encoding: str, newline: str | None = None) -> TextIOWrapper:
    """A file as text; a byte that is not UTF-8 is kept so that `not_utf8` finds it."""
    errors = "surrogateescape" if encoding == UTF_8 else "replace"
    return path.open(encoding=encoding, errors=errors, newline=newline)


def not_utf8(text: str) -> str | None:
    """Why a row with this text is refused; None where all of it is UTF-8."""
    if text.isascii() or (bad := UNDECODED.search(text)) is None:
        return None
    byte = ord(bad[0]) - 0xDC00
    return f"It holds bytes that are not UTF-8, such as 0x{byte:02X}; save the file as UTF-8."


def readable(text: str) -> str:
    """The text with `\ufffd` for every byte that is not UTF-8."""
    return text if text.isascii() else UNDECODED.sub("\ufffd", text)


def shorten(value: object) -> str:
    """A value as a report shows it: one line, at most 80 characters."""
    text = clean(readable(str(value)[: SHOWN_CHARACTERS * 4])).replace("\n", " ")
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def lines_named(numbers: Sequence[int]) -> str:
    """`line 6`, or `lines 6, 8` for several."""
    named = ", ".join(map(str, numbers[:MAX_LINES_NAMED]))
    return f"{'line' if len(numbers) == 1 else 'lines'} {named}"


def lines(file: TextIOWrapper, meter: Meter | None = None) -> Iterator[str]:
    """The lines of a text file without NUL characters (line ends kept).

    Raises `Invalid` at a line of more than 16 million characters.
    """
    number = 0
    while line := file.readline(MAX_LINE_CHARACTERS):
        number += 1
        if len(line) == MAX_LINE_CHARACTERS:
            raise Invalid(f"Line {number} is longer than {MAX_LINE_CHARACTERS:,} characters.")
        if meter is not None and number % METERED_LINES == 0:
            meter.done = bytes_read(file)
        yield line.replace("\0", "") if "\0" in line else line


def bytes_read(file: TextIOWrapper) -> int:
    """How many bytes were taken from the file behind a text file that is being read."""
    return cast("BufferedReader", file.buffer).tell()
