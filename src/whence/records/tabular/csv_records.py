"""Records of a CSV file with the line each begins on; a faulty quote costs its own record alone.

After a fault the reader goes on at the next line that is a row on its own, or that may begin one.
What it passes over is refused by its lines.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .raw import MAX_LINE_CHARACTERS, BadLine, Meter, lines, open_text, shorten

MAX_CELL_CHARACTERS = 1_000_000
"""A longer cell is refused: it is no value of a record, or a quote before it is not closed."""
MAX_READ_AGAIN = 64_000_000
"""Characters that are read again after faults; beyond it, no cell has more than one line."""
SURE_ROWS = 3
SURE_CELLS = 4
"""So many lines of so many cells inside a quoted cell are rows, not a text with commas."""
_AFTER_QUOTE = "Text follows a closing quote; write a quote inside a quoted cell twice"
_OPEN = "A quote that opens here is not closed"
_NOT_A_ROW = "A quote that opens here is not closed, or these lines are no row"

Record = tuple[int, list[str]]


@dataclass
class Shape:
    """How the file's rows look: needed to go on after a faulty quote."""

    delimiter: str
    widths: set[int] = field(default_factory=set[int])
    """Numbers of cells that a row may have; empty while that is not known."""

    def is_row(self, line: str) -> bool:
        """Whether a line alone is a row without any doubtful quote."""
        if '"' in line:
            line = re.sub(
                rf'(^|{self._escaped})"(?:[^"]++|"")*+"(?=(?:{self._escaped}|[\r\n]|$))',
                r"\1",
                line,
            )
        width = line.count(self.delimiter) + 1
        return '"' not in line and (width in self.widths if self.widths else width > 1)

    def may_begin(self, line: str) -> bool:
        """Whether a quote that is open at the end of the line, or faulty, stands in it."""
        try:
            next(csv.reader([line], delimiter=self.delimiter, strict=True), None)
        except csv.Error:
            return True
        return False

    def has_swallowed(self, record: list[str], taken: list[str]) -> bool:
        """Whether a record of several lines took rows in: it has the wrong number of cells, or
        all lines inside are rows.
        """
        if len(taken) == 1 or not self.widths:
            return False
        if len(record) in self.widths:
            inner = taken[1:-1]
            is_sure = len(inner) >= SURE_ROWS and len(record) >= SURE_CELLS
            return is_sure and all(map(self.is_row, inner))
        return len(record) > max(self.widths) or any(map(self.is_row, taken[1:]))

    def seems_swallowed(self, taken: list[str]) -> bool:
        """Whether most lines after the first have as many cells as a row."""
        inner = [line for line in taken[1:] if line.strip()]
        like_rows = sum(line.count(self.delimiter) + 1 in self.widths for line in inner)
        return max(self.widths, default=0) > 1 and like_rows * 2 > len(inner)

    @property
    def _escaped(self) -> str:
        return re.escape(self.delimiter)


def records(
    path: Path,
    encoding: str,
    shape: Shape,
    *,
    skip_first: bool = False,
    meter: Meter | None = None,
) -> Iterator[Record | BadLine]:
    """Every record with the line it begins on; blank lines come as empty records."""
    csv.field_size_limit(MAX_CELL_CHARACTERS)  # of the process; only this module reads CSV
    with open_text(path, encoding, newline="") as file:
        source = _Lines(lines(file, meter))
        if skip_first:
            next(source, None)
        reader = csv.reader(source, delimiter=shape.delimiter, strict=True)
        while True:
            source.record.clear()
            begins = source.number + 1
            try:
                record = next(reader, None)
            except csv.Error as error:
                is_too_long = "field limit" in str(error)
                if is_too_long and not shape.seems_swallowed(source.record):
                    text = "".join(source.record)
                    source.skip_cell()
                    yield BadLine(begins, shorten(text), _too_long(text, shape.delimiter))
                    continue
                is_text_after = "expected after" in str(error) and len(source.record) == 1
                yield _go_on(source, shape, _AFTER_QUOTE if is_text_after else _OPEN)
                continue
            if record is None:
                return
            if len(source.record) > 1 and shape.has_swallowed(record, source.record):
                yield _go_on(source, shape, _NOT_A_ROW)
                continue
            yield begins, record


def _go_on(source: _Lines, shape: Shape, reason: str) -> BadLine:
    """The refusal of the record at hand, with the lines after it that are no rows on their own."""
    value = shorten(source.record[0])
    source.put_back()
    first = last = source.number
    while (line := source.peek()) is not None:
        if shape.is_row(line) or shape.may_begin(line):
            break
        source.take()
        last = source.number if line.strip() else last
    if last > first:
        return BadLine(first, value, f"{reason} (lines {first} to {last}).")
    rest = "; the lines after it are read as rows" if reason == _OPEN and line else ""
    return BadLine(first, value, f"{reason}{rest}.")


def _too_long(text: str, delimiter: str) -> str:
    return (
        f"The cell in column {_long_column(text, delimiter)} is longer than "
        f"{MAX_CELL_CHARACTERS:,} characters; shorten it."
    )


def _long_column(text: str, delimiter: str) -> int:
    """Which cell of a record is too long, counted from 1: the first that does not end in time."""
    other = re.escape(delimiter)
    cell = re.compile(rf'("(?:[^"]|"")*"|[^"{other}][^{other}]*|){other}')
    column, position = 1, 0
    while (match := cell.match(text, position)) and len(match[1]) <= MAX_CELL_CHARACTERS:
        column, position = column + 1, match.end()
    return column


class _Lines:
    """The lines of the file, with those of the record at hand, which can be given again."""

    def __init__(self, source: Iterator[str]) -> None:
        self._source = source
        self._again: deque[str] = deque()
        self._read_again = 0
        self._length = 0
        """Characters of the record at hand, if it has several lines."""
        self.number = 0
        """Of the last line that was given."""
        self.record: list[str] = []
        """Lines of the record at hand."""

    def put_back(self) -> None:
        """Give the lines of the record again, but for its first."""
        again = self.record[1:]
        self._again.extendleft(reversed(again))
        self._read_again += sum(map(len, again))
        self.number -= len(again)
        self.record = self.record[:1]

    def peek(self) -> str | None:
        """The line that comes next; None at the end."""
        if not self._again:
            if (line := next(self._source, None)) is None:
                return None
            self._again.append(line)
        return self._again[0]

    def skip_cell(self) -> None:
        """Pass over what is left of a cell in quotes, as far as one more of the largest size."""
        is_open = "".join(self.record).count('"') % 2 == 1
        left = MAX_CELL_CHARACTERS
        while is_open and left > 0 and (line := self.take()) is not None:
            is_open = line.count('"') % 2 == 0
            left -= len(line)

    def take(self) -> str | None:
        """The next line, without adding it to the record; None at the end."""
        line = self._again.popleft() if self._again else next(self._source, None)
        self.number += line is not None
        return line

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        record = self.record
        if record:
            self._length = len(record[-1]) + (self._length if len(record) > 1 else 0)
            if self._length > MAX_LINE_CHARACTERS or self._read_again > MAX_READ_AGAIN:
                raise csv.Error("too much in one record")
        line = self._again.popleft() if self._again else next(self._source, None)
        if line is None:
            raise StopIteration
        self.number += 1
        record.append(line)
        return line
