"""Rows of a CSV file: the delimiter found out, ragged rows and open quotes named, never guessed."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from .header import given_headers, header_position, known_headers, unique_headers
from .layout import Layout
from .raw import BadLine, Meter, RawRow, lines, shorten

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_RECORDS = 50
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
        names, notes = unique_headers(header)
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
    with path.open(encoding=encoding, errors="replace", newline="") as file:
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
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        source = _Lines(lines(file, meter))
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
    records: Iterator[Record | BadLine], width: int, delimiter: str
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
