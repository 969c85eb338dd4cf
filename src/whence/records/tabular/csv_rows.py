"""Rows of a CSV file: the delimiter is detected; ragged rows and faulty quotes are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from whence.kernel.errors import Invalid

from .csv_records import Record, Shape, records
from .header import given_headers, header_position, known_headers, unique_headers
from .layout import Layout
from .raw import BadLine, Meter, RawRow, not_utf8, open_text, readable, shorten

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_RECORDS = 50
_NAMES = {";": "semicolons", "\t": "tabs", "|": "vertical bars", ",": "commas"}


def read(
    path: Path, encoding: str, layout: Layout, meter: Meter
) -> tuple[tuple[str, ...], Iterator[RawRow | BadLine], tuple[str, ...]]:
    """Headers, rows and notes of the CSV file. An empty header stays `""`: nothing maps to it."""
    shape, is_declared = _shape(path, encoding)
    every = records(path, encoding, shape, skip_first=is_declared, meter=meter)
    sample = list(islice(every, SAMPLE_RECORDS))
    good = [record for record in sample if not isinstance(record, BadLine)]
    at = header_position([cells for _, cells in good], layout.known)
    if at is None:
        return (), (each for each in sample if isinstance(each, BadLine)), ()
    header_line, header = good[at]
    if not known_headers(header, layout.known) and isinstance(sample[0], BadLine):
        bad = sample[0]
        raise Invalid(f"The header in line {bad.line} of {path.name} cannot be read: {bad.reason}")
    if layout.headers_if_none and not known_headers(header, layout.known):
        names = given_headers(layout.headers_if_none, [cells for _, cells in good])
        notes = ["The file has no header; its columns are read in the usual order."]
        rest = chain(sample, every)
    else:
        names, notes = unique_headers([readable(cell) for cell in header])
        if at and any("".join(cells).strip() for _, cells in good[:at]):
            notes.append(f"The header is in line {header_line}; what stands above it is skipped.")
        rest = chain(sample[sample.index(good[at]) + 1 :], every)
    shape.widths.add(len(names))
    if shape.delimiter != ",":
        notes.append(f"Columns are separated by {_NAMES[shape.delimiter]}.")
    return names, _rows(rest, len(names), shape.delimiter), tuple(notes)


def _shape(path: Path, encoding: str) -> tuple[Shape, bool]:
    """How rows look, and whether a first line `sep=;` (as Excel writes it) declares the delimiter.

    The commonest width counts: a header with one column more is worth less than rows that agree.
    """
    with open_text(path, encoding, newline="") as file:
        first = file.readline(16).strip()
    declared = None
    if first.lower().startswith("sep=") and first[4:5] in DELIMITERS and len(first) == 5:
        declared = first[4]
    elif first.lower() == "sep=":
        declared = "\t"
    best, best_score = Shape(declared or ","), 0.0
    for delimiter in [declared] if declared else DELIMITERS:
        widths = Counter(
            len(record[1])
            for record in islice(
                records(path, encoding, Shape(delimiter), skip_first=declared is not None),
                SAMPLE_RECORDS,
            )
            if not isinstance(record, BadLine) and any(record[1])
        )
        columns = {width: count for width, count in widths.items() if width > 1}
        if not columns:
            continue
        width = max(columns, key=lambda width: (columns[width], width))
        if (score := columns[width] / widths.total() * min(width, 10)) > best_score:
            best, best_score = Shape(delimiter, {width}), score
    return best, declared is not None


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
