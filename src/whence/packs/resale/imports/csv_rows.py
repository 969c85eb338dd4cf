"""Rows of a CSV file: the delimiter found out, ragged rows and open quotes named, never guessed."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from .raw import BadLine, RawRow, lines, shorten

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_RECORDS = 50
MAX_NOTES = 5
MAX_FIELD_CHARACTERS = 131_072
"""The csv module's own limit; a field beyond it is a quote that was never closed."""


def read(
    path: Path, encoding: str
) -> tuple[tuple[str, ...], Iterator[RawRow | BadLine], tuple[str, ...]]:
    """Headers, rows and notes of the CSV file. An empty header stays `""`: nothing maps to it."""
    delimiter, declared = _delimiter(path, encoding)
    rows = _records(path, encoding, delimiter, skip_first=declared)
    header = next((r for r in rows if not isinstance(r, BadLine) and "".join(r[1]).strip()), None)
    if header is None:
        return (), iter(()), ()
    names, notes = _headers(header[1])
    if delimiter != ",":
        notes.append(f"Columns are separated by {_NAMES[delimiter]}.")
    return names, _rows(rows, len(names), delimiter), tuple(notes)


_NAMES = {";": "semicolons", "\t": "tabs", "|": "vertical bars", ",": "commas"}


def _delimiter(path: Path, encoding: str) -> tuple[str, bool]:
    """The delimiter, and whether a first line `sep=;` (as Excel writes it) declares it.

    A header with one column more is worth less than rows that agree with the header.
    """
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        first = file.readline(16).strip()
        if first.lower().startswith("sep=") and first[4:5] in DELIMITERS and len(first) == 5:
            return first[4], True
    if first.lower() == "sep=":
        return "\t", True
    best, best_score = ",", 0.0
    for delimiter in DELIMITERS:
        records = [
            record[1]
            for record in islice(_records(path, encoding, delimiter), SAMPLE_RECORDS)
            if not isinstance(record, BadLine) and any(record[1])
        ]
        if not records or (width := len(records[0])) < 2:
            continue
        agree = sum(len(record) == width for record in records) / len(records)
        if (score := agree * min(width, 10)) > best_score:
            best, best_score = delimiter, score
    return best, False


def _headers(cells: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """Names of the columns; a header that appears again is numbered, `price (2)`."""
    names: dict[str, None] = {}
    columns: list[str] = []
    times: Counter[str] = Counter()
    for cell in cells:
        base = name = " ".join(cell.split()).lstrip("\ufeff*").strip()
        while name and name in names:
            times[base] += 1
            name = f"{base} ({times[base] + 1})"
        names[name] = None
        columns.append(name)
    return tuple(columns), [
        f"The header {shorten(base)!r} appears {count + 1} times; "
        "the later columns are numbered, as in 'price (2)'."
        for base, count in times.most_common(MAX_NOTES)
    ]


def _records(
    path: Path, encoding: str, delimiter: str, *, skip_first: bool = False
) -> Iterator[tuple[int, list[str]] | BadLine]:
    """Every record with the line it begins on; blank lines come as empty records."""
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        source = _Lines(lines(file))
        offset = 0
        if skip_first:
            next(source, None)
            offset = 1
        reader = csv.reader(source, delimiter=delimiter)
        while True:
            begins = reader.line_num + 1 + offset
            try:
                record = next(reader, None)
            except csv.Error as error:
                yield BadLine(
                    begins,
                    "",
                    f"Lines {begins} to {reader.line_num + offset} are not CSV ({error}); "
                    "a quote is probably not closed.",
                )
                continue
            if record is None:
                return
            if source.ended:
                last = reader.line_num + offset
                yield BadLine(
                    begins,
                    shorten(delimiter.join(record)),
                    f"A quote that opens here is not closed (lines {begins} to {last}).",
                )
                return
            yield begins, record


class _Lines:
    """The lines of the file, remembering whether the reader ran into the end inside a record.

    The csv module does that only within an open quote, and then returns what it has, silently.
    """

    def __init__(self, source: Iterator[str]) -> None:
        self._source = source
        self.ended = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._source, None)
        if line is None:
            self.ended = True
            raise StopIteration
        return line


def _rows(
    records: Iterator[tuple[int, list[str]] | BadLine], width: int, delimiter: str
) -> Iterator[RawRow | BadLine]:
    for record in records:
        if isinstance(record, BadLine):
            yield record
            continue
        line, cells = record
        if len(cells) == width:
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
