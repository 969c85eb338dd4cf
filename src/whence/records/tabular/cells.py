"""One row, asked for its fields by name."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeVar

from whence.kernel.text import digest

from .columns import Columns
from .raw import RawRow, shorten
from .values import BadValue, CellError, cell, line_of_text, text

V = TypeVar("V")


class RowRefused(BadValue):
    """This row cannot be stored."""

    def __init__(self, field: str | None, value: object, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.value = shorten("" if value is None else value)


class Cells:
    """One row; cells with nothing in them count as missing.

    `need` refuses the row for a value that cannot be parsed, `try_` leaves the value out.
    """

    def __init__(self, row: RawRow, columns: Columns) -> None:
        self._cells = [cell(value) for value in row.cells]
        self._positions = columns.positions
        self.line = row.line
        self.columns = columns
        self.warnings = list(row.warnings)
        self._dropped: set[str] = set()
        self._derived: set[str] = set()

    def at(self, field: str) -> tuple[int, object] | None:
        """Column and content of the first filled column of the field."""
        for position in self._positions.get(field, ()):
            if (value := self._cells[position]) is not None:
                return position, value
        return None

    def value(self, field: str) -> object:
        """The content of the first filled column of the field, or None."""
        for position in self._positions.get(field, ()):
            if (value := self._cells[position]) is not None:
                return value
        return None

    def all(self, field: str) -> list[object]:
        """The contents of every filled column of the field."""
        filled = (self._cells[position] for position in self._positions.get(field, ()))
        return [value for value in filled if value is not None]

    def has_column(self, field: str) -> bool:
        """Whether the file has a column for the field, filled in this row or not."""
        return field in self._positions

    def need(self, field: str, parse: Callable[[object], V]) -> V | None:
        """The parsed field, None where blank; what cannot be parsed refuses the row."""
        if (value := self.value(field)) is None:
            return None
        try:
            return parse(value)
        except BadValue as problem:
            raise RowRefused(field, value, problem.message) from problem

    def try_(self, field: str, parse: Callable[[object], V]) -> V | None:
        """The parsed field, None where blank; what cannot be parsed is dropped with a warning."""
        if (value := self.value(field)) is None:
            return None
        try:
            return parse(value)
        except BadValue as problem:
            self.warnings.append(f"{field} {shorten(value)!r} is left out: {problem.message}")
            self._dropped.add(field)
            return None

    def required(self, field: str, parse: Callable[[object], V]) -> V:
        """The parsed field; a missing one refuses the row."""
        value = self.need(field, parse)
        if value is None or value == "":
            raise RowRefused(field, None, f"The {field.replace('_', ' ')} is empty.")
        return value

    def required_line(self, field: str, longest: int) -> str:
        """Text on one line, 1 to `longest` characters; else the row is refused."""
        content = self.required(field, line_of_text)
        if len(content) > longest:
            name = field.replace("_", " ")
            raise RowRefused(field, content, f"A {name} of more than {longest:,} characters.")
        return content

    def long_text(self, field: str, longest: int = 20_000) -> str:
        """Text of many lines, cut (with a warning) where it is too long; empty where missing."""
        content = self.try_(field, text) or ""
        if len(content) > longest:
            self.warnings.append(f"{field} is cut after {longest:,} characters.")
            return content[:longest]
        return content

    def derived(self, field: str) -> None:
        """Note that other cells of the row give the record its value for this field."""
        self._derived.add(field)

    def absent(self) -> frozenset[str]:
        """The fields that this row says nothing of: no column, an empty cell, or one left out."""
        return frozenset(
            field
            for field in self.columns.fields
            if field not in self._derived and (field in self._dropped or self.value(field) is None)
        )

    def blank(self) -> frozenset[str]:
        """The fields and attributes (`attr:Colour`) with a column in the file, and nothing in it in
        this row."""
        fields = (name for name in self._positions if name in self.absent() - self._dropped)
        attributes = (f"attr:{name}" for name, value in self.unknown().items() if value is None)
        return frozenset((*fields, *attributes))

    def unknown(self) -> dict[str, object]:
        """Attribute to content, for the columns that are read as attributes."""
        return {name: self._cells[at] for at, name in self.columns.attributes.items()}

    def content(self) -> str:
        """A digest of everything that is read from this row, whatever the order of the columns."""
        values: dict[str, object] = {}
        for name in self._positions.keys() - {"id"}:
            values |= {f"{name}/{number}": value for number, value in enumerate(self.all(name))}
        values |= {f"attr:{name}": value for name, value in self.unknown().items()}
        return digest(
            {name: _canonical(value) for name, value in values.items() if value is not None}
        )

    def fingerprint(self) -> int:
        """Equal for equal rows of one file, in 64 bits; quicker than `content`."""
        read = repr([self._cells[at] for at in self.columns.used]).encode("utf-8", "replace")
        return int.from_bytes(hashlib.blake2b(read, digest_size=8).digest(), signed=True)


def _canonical(value: object) -> object:
    """JSON keeps numbers apart from text; CSV does not; the digest of a row should be the same."""
    return value if isinstance(value, list | dict | CellError) else text(value)
