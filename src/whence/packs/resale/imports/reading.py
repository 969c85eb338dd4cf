"""From rows of cells to typed records: what is kept, what is refused and why.

A refused row names its line, field and value. A cell that is dropped while its row is kept leaves
a warning. Nothing is skipped without one of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, islice
from typing import Generic, NoReturn, TypeVar

from pydantic import ValidationError

from whence.sdk.text import digest

from . import dates
from .columns import Columns
from .raw import BadLine, RawRow, shorten
from .table import Table
from .values import BadValue, cell, line_of_text, text

R = TypeVar("R")
V = TypeVar("V")

SAMPLE_ROWS = 1_000
"""Rows looked at first, to see in which order the file writes day and month."""

MAX_ID_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Row(Generic[R]):
    """A row that can be stored."""

    line: int
    external_id: str
    """The id in the file; without one, `content-` and a digest, the same at every import."""
    record: R
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that is not stored, and why."""

    line: int
    field: str | None
    value: str
    reason: str


@dataclass(frozen=True)
class Report:
    """What the import understood of the file; final once every row was read."""

    format: str
    encoding: str
    mapping: tuple[tuple[str, str], ...]
    """Header and the field it is read as."""
    ignored: tuple[str, ...]
    """Headers that nothing is read from."""
    notes: tuple[str, ...]
    rows: int
    refused: int
    repeated: int
    """Rows that repeat an earlier row exactly; they are read once."""


class RowRefused(BadValue):
    """This row cannot be stored."""

    def __init__(self, field: str | None, value: object, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.value = shorten("" if value is None else value)


class Cells:
    """One row, asked for its fields by name; cells with nothing in them count as missing."""

    def __init__(self, row: RawRow, columns: Columns) -> None:
        self._cells = [cell(value) for value in row.cells]
        self._positions = columns.positions
        self.columns = columns
        self.warnings = list(row.warnings)

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
            return None

    def title(self, longest: int) -> str:
        """The title on one line, at least one character; a missing one refuses the row."""
        found = self.need("title", line_of_text)
        if not found:
            raise RowRefused("title", None, "The title is empty.")
        if len(found) > longest:
            raise RowRefused("title", found, f"A title of more than {longest} characters.")
        return found

    def description(self, longest: int = 20_000) -> str:
        """The description, cut (with a warning) where it is too long."""
        found = self.try_("description", text) or ""
        if len(found) > longest:
            self.warnings.append(f"description is cut after {longest:,} characters.")
            return found[:longest]
        return found

    def unknown(self) -> dict[str, object]:
        """Attribute to content, for the columns that are read as attributes."""
        return {name: self._cells[at] for at, name in self.columns.attributes.items()}

    def content(self) -> str:
        """A digest of everything that is read from this row, whatever the order of the columns."""
        said: dict[str, object] = {}
        for name in self._positions.keys() - {"id"}:
            said |= {f"{name}/{number}": value for number, value in enumerate(self.all(name))}
        said |= {f"attr:{name}": value for name, value in self.unknown().items()}
        return digest(
            {name: _canonical(value) for name, value in said.items() if value is not None}
        )

    def fingerprint(self) -> int:
        """Equal for equal rows of one reading; quicker than `content`, and not for storing."""
        return hash(repr([self._cells[at] for at in self.columns.used]))


def _canonical(value: object) -> object:
    """JSON keeps numbers apart from text; CSV does not; the digest of a row should be the same."""
    return value if isinstance(value, list | dict) else text(value)


@dataclass(frozen=True)
class Context:
    """What every row of one reading shares."""

    table: Table
    columns: Columns
    at: datetime
    day_first: bool = False


Build = Callable[[Cells, str, Context], R]


@dataclass
class Reading(Generic[R]):
    """The rows of one file, in order, each a `Row` or a `Refused`; `report` tells the rest."""

    table: Table
    columns: Columns
    at: datetime
    build: Build[R]
    _seen: dict[str, tuple[int, int]] = field(default_factory=dict)
    _rows: int = 0
    _refused: int = 0
    _repeated: int = 0

    def __post_init__(self) -> None:
        sample = list(islice(self.table.rows, SAMPLE_ROWS))
        day_first = self._day_first(sample)
        self._notes = list(self.table.notes)
        if not sample:
            self._notes.append("The file has a header and no rows.")
        if day_first:
            self._notes.append("Dates with slashes are read day first, as rows of this file show.")
        self._context = Context(self.table, self.columns, self.at, day_first)
        self._results = self._read(chain(sample, self.table.rows))

    def __iter__(self) -> Iterator[Row[R] | Refused]:
        return self

    def __next__(self) -> Row[R] | Refused:
        return next(self._results)

    @property
    def report(self) -> Report:
        """Counts so far, and how the columns are read."""
        return Report(
            format=self.table.format,
            encoding=self.table.encoding.removesuffix("-sig"),
            mapping=tuple(self.columns.mapping.items()),
            ignored=self.columns.ignored,
            notes=tuple(self._notes),
            rows=self._rows,
            refused=self._refused,
            repeated=self._repeated,
        )

    def _day_first(self, sample: Iterable[RawRow | BadLine]) -> bool:
        dated = [*self.columns.positions.get("sold_at", ())]
        dated += self.columns.positions.get("listed_at", ())
        orders = {
            dates.slash_order(row.cells[at])
            for row in sample
            if isinstance(row, RawRow)
            for at in dated
        }
        return "day" in orders and "month" not in orders

    def _read(self, rows: Iterable[RawRow | BadLine]) -> Iterator[Row[R] | Refused]:
        for raw in rows:
            try:
                row = self._row(raw)
            except RowRefused as refused:
                self._refused += 1
                yield Refused(raw.line, refused.field, refused.value, refused.message)
            else:
                if row is None:
                    self._repeated += 1
                else:
                    self._rows += 1
                    yield row

    def _row(self, raw: RawRow | BadLine) -> Row[R] | None:
        if isinstance(raw, BadLine):
            raise RowRefused(None, raw.value, raw.reason)
        cells = Cells(raw, self.columns)
        external_id = cells.need("id", line_of_text) or f"content-{cells.content()[:32]}"
        if len(external_id) > MAX_ID_CHARACTERS:
            reason = f"An id of more than {MAX_ID_CHARACTERS} characters."
            raise RowRefused("id", external_id, reason)
        try:
            record = self.build(cells, external_id, self._context)
        except ValidationError as error:
            _refuse(error)
        fingerprint = cells.fingerprint()
        line, earlier = self._seen.setdefault(external_id, (raw.line, fingerprint))
        if line == raw.line:
            return Row(raw.line, external_id, record, tuple(cells.warnings))
        if earlier == fingerprint:
            return None
        raise RowRefused("id", external_id, f"Line {line} has this id with other content.")


def _refuse(error: ValidationError) -> NoReturn:
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0]) if first["loc"] else None
    raise RowRefused(name, first["input"], first["msg"]) from error
