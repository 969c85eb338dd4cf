"""Rows of a CSV file: the delimiter is detected; ragged rows and faulty quotes are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
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
    A delimiter that begins below a header that another one splits separates something in cells,
    such as the photographs of an item.
    """
    with open_text(path, encoding, newline="") as file:
        first = file.readline(16).strip()
    declared = None
    if first.lower().startswith("sep=") and first[4:5] in DELIMITERS and len(first) == 5:
        declared = first[4]
    elif first.lower() == "sep=":
        declared = "\t"
    splits: list[_Split] = []
    for delimiter in [declared] if declared else DELIMITERS:
        sample = islice(
            records(path, encoding, Shape(delimiter), skip_first=declared is not None),
            SAMPLE_RECORDS,
        )
        widths = {
            record[0]: len(record[1])
            for record in sample
            if not isinstance(record, BadLine) and any(record[1])
        }
        if any(width > 1 for width in widths.values()):
            splits.append(_Split(delimiter, widths))
    outer = [each for each in splits if not any(each.is_within(other) for other in splits)]
    best = max(outer, key=lambda split: split.score, default=None)
    shape = Shape(best.delimiter, {best.width}) if best else Shape(declared or ",")
    return shape, declared is not None


@dataclass(frozen=True)
class _Split:
    """What a delimiter makes of the first records: the number of cells by the record's line."""

    delimiter: str
    widths: Mapping[int, int]

    @cached_property
    def width(self) -> int:
        """The commonest number of cells above one."""
        counts = Counter(width for width in self.widths.values() if width > 1)
        return max(counts, key=lambda width: (counts[width], width))

    @cached_property
    def begin(self) -> int:
        """The line of the first record of that width."""
        return next(line for line, width in self.widths.items() if width == self.width)

    @property
    def score(self) -> float:
        agreeing = sum(width == self.width for width in self.widths.values())
        return agreeing / len(self.widths) * min(self.width, 10)

    def is_within(self, other: _Split) -> bool:
        """Whether it begins in the rows of another, below their header."""
        return other.begin < self.begin and other.widths.get(self.begin) == other.width


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
