"""Rows of a CSV file: the delimiter found out, ragged rows and open quotes named, never guessed."""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from .header import given_headers, header_position, known_headers, unique_headers
from .layout import Layout
from .raw import BadLine, Meter, RawRow, lines, not_utf8, open_text, readable, shorten

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_RECORDS = 50
MAX_CELL_CHARACTERS = 1_000_000
"""A longer cell is refused: it is no value of a record, or a quote before it is not closed."""
_SWALLOWS = "A quote that opens here is not closed; the lines after it are read as rows."
_NAMES = {";": "semicolons", "\t": "tabs", "|": "vertical bars", ",": "commas"}

Record = tuple[int, list[str]]


def read(
    path: Path, encoding: str, layout: Layout, meter: Meter
) -> tuple[tuple[str, ...], Iterator[RawRow | BadLine], tuple[str, ...]]:
    """Headers, rows and notes of the CSV file. An empty header stays `""`: nothing maps to it."""
    delimiter, is_declared = _delimiter(path, encoding)
    records = _records(path, encoding, delimiter, skip_first=is_declared, meter=meter)
    sample = list(islice(records, SAMPLE_RECORDS))
    good = [record for record in sample if not isinstance(record, BadLine)]
    at = header_position([cells for _, cells in good], layout.known)
    if at is None:
        return (), iter(()), ()
    header_line, header = good[at]
    if layout.headers_if_none and not known_headers(header, layout.known):
        names = given_headers(layout.headers_if_none, [cells for _, cells in good])
        notes = ["The file has no header; its columns are read in the usual order."]
        rest = chain(sample, records)
    else:
        names, notes = unique_headers([readable(cell) for cell in header])
        if at and any("".join(cells).strip() for _, cells in good[:at]):
            notes.append(f"The header is in line {header_line}; what stands above it is skipped.")
        rest = chain(sample[sample.index(good[at]) + 1 :], records)
    if delimiter != ",":
        notes.append(f"Columns are separated by {_NAMES[delimiter]}.")
    return names, _rows(rest, len(names), delimiter), tuple(notes)


def _delimiter(path: Path, encoding: str) -> tuple[str, bool]:
    """The delimiter, and whether a first line `sep=;` (as Excel writes it) declares it.

    The commonest width counts: a header with one column more is worth less than rows that agree.
    """
    with open_text(path, encoding, newline="") as file:
        first = file.readline(16).strip()
        if first.lower().startswith("sep=") and first[4:5] in DELIMITERS and len(first) == 5:
            return first[4], True
    if first.lower() == "sep=":
        return "\t", True
    best, best_score = ",", 0.0
    for delimiter in DELIMITERS:
        widths = Counter(
            len(record[1])
            for record in islice(_records(path, encoding, delimiter), SAMPLE_RECORDS)
            if not isinstance(record, BadLine) and any(record[1])
        )
        columns = {width: count for width, count in widths.items() if width > 1}
        if not columns:
            continue
        width = max(columns, key=lambda width: (columns[width], width))
        if (score := columns[width] / widths.total() * min(width, 10)) > best_score:
            best, best_score = delimiter, score
    return best, False


def _records(
    path: Path,
    encoding: str,
    delimiter: str,
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
        reader = csv.reader(source, delimiter=delimiter)
        width = 0
        while True:
            begins = source.number + 1
            source.record.clear()
            try:
                record = next(reader, None)
            except csv.Error:
                if _swallows_rows(source.record, delimiter, width):
                    yield BadLine(begins, shorten(source.record[0]), _SWALLOWS)
                    source.put_back()
                else:
                    text = "".join(source.record)
                    source.skip_cell()
                    yield BadLine(begins, shorten(text), _too_long(text, delimiter))
                continue
            if record is None:
                return
            if source.is_exhausted:
                yield BadLine(
                    begins,
                    shorten(delimiter.join(record)),
                    f"A quote that opens here is not closed (lines {begins} to {source.number}).",
                )
                return
            width = len(record)
            yield begins, record


def _swallows_rows(lines: list[str], delimiter: str, width: int) -> bool:
    """Whether the lines after the first were meant as rows: they have as many cells as the record
    before, so a quote is open rather than a text too long.
    """
    inner = [line for line in lines[1:] if line.strip()]
    like_rows = sum(line.count(delimiter) + 1 == width for line in inner)
    return width > 1 and like_rows * 2 > len(inner)


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
    """The lines of the file, with those of the record at hand.

    They remember whether the reader ran into the end inside a record: the csv module does that only
    within an open quote, and then returns what it has, silently.
    """

    def __init__(self, source: Iterator[str]) -> None:
        self._source = source
        self._again: deque[str] = deque()
        self.is_exhausted = False
        self.number = 0
        """Of the last line that was given."""
        self.record: list[str] = []
        """The lines since it was last cleared."""

    def put_back(self) -> None:
        """Give the lines of the record again, but for its first."""
        again = self.record[1:]
        self._again.extendleft(reversed(again))
        self.number -= len(again)

    def skip_cell(self) -> None:
        """Pass over what is left of a cell in quotes, as far as one more of the largest size."""
        is_open = "".join(self.record).count('"') % 2 == 1
        left = MAX_CELL_CHARACTERS
        while is_open and left > 0 and (line := next(self, None)) is not None:
            is_open = line.count('"') % 2 == 0
            left -= len(line)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._source, None)
        if line is None:
            self.is_exhausted = True
            raise StopIteration
        self.number += 1
        self.record.append(line)
        return line


def _rows(
    records: Iterator[Record | BadLine], width: int, delimiter: str
) -> Iterator[RawRow | BadLine]:
    for record in records:
        if isinstance(record, BadLine):
            yield record
            continue
        line, cells = record
        if bad := not_utf8("".join(cells)):
            yield BadLine(line, shorten(delimiter.join(cells)), bad)
        elif len(cells) == width:
            if any(cells) and not all(not cell or cell.isspace() for cell in cells):
                yield RawRow(line, cells)
        elif not any(cell.strip() for cell in cells):
            continue
        elif len(cells) < width:
            lacking = f"This row has {len(cells)} cells for {width} headers."
            yield RawRow(line, [*cells, *[""] * (width - len(cells))], (lacking,))
        elif any(cell.strip() for cell in cells[width:]):
            yield BadLine(
                line,
                shorten(delimiter.join(cells)),
                f"{len(cells)} cells for {width} headers: "
                f"a value that contains {delimiter!r} needs quotes around it.",
            )
        else:
            yield RawRow(line, cells[:width])
