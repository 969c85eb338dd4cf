"""From rows of cells to typed records: what is kept, what is refused and why.

A refused row names its line, field and value. A cell that is dropped while its row is kept leaves
a warning. Nothing is skipped without one of the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, islice
from typing import Generic, NoReturn, TypeVar

from pydantic import ValidationError

from . import dates
from .cells import Cells, RowRefused
from .columns import Columns
from .raw import BadLine, RawRow, lines_named
from .table import Table
from .values import line_of_text

R = TypeVar("R")

SAMPLE_ROWS = 1_000
"""Rows looked at first, to see in which order the file writes day and month."""
FIRST_ROWS = 5
"""Rows kept as the file has them, to show what its columns hold."""
REMEMBERED_IDS = 50_000
"""Ids of a file that a reading compares by itself; an import's writer compares all of them."""
MAX_ID_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Row(Generic[R]):
    """A row that can be stored."""

    line: int
    external_id: str
    """The id in the file; without one, `content-` and a digest, the same at every import.  The
    second of equal rows ends in `-2`, the third in `-3`."""
    record: R
    warnings: tuple[str, ...] = ()
    fingerprint: int = field(default=0, compare=False)
    """Equal for equal rows of the file."""
    absent: frozenset[str] = field(default=frozenset(), compare=False)
    """The fields that the row says nothing of; a record that is there already keeps them."""
    blank: frozenset[str] = field(default=frozenset(), compare=False)
    """Those of them that the file has a column for."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that is not stored, and why."""

    line: int
    field: str | None
    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class Repeat:
    """A row that repeats an earlier one exactly, its id included; it is read once."""

    line: int
    first: int
    """The line of the earlier row."""

    @property
    def warning(self) -> str:
        """How the report says it."""
        return f"It repeats line {self.first} exactly and is read once."


@dataclass(frozen=True)
class Report:
    """What was understood of the file; final once every row was read."""

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
    """The rows of one file, in order, each a `Row` or a `Refused`; `report` tells the rest.

    `is_total` tells sums below or between the rows, which are left out and noted. `day_first` is
    how slashed dates are read where the file itself does not show it.
    """

    table: Table
    columns: Columns
    at: datetime
    build: Build[R]
    is_total: Callable[[Cells], bool] | None = None
    day_first: bool = False
    keep_repeats: bool = True
    """Equal rows without an id are records of their own: three equal sales are three sales.
    Otherwise they are read once.  Either way the report names their lines."""
    position: int = 0
    """Rows of the file that were read so far, good or bad."""
    _seen: dict[str, tuple[int, int]] = field(default_factory=dict)
    _rows: int = 0
    _refused: int = 0
    _repeated: int = 0
    _totals: list[int] = field(default_factory=list)
    _header_again: list[int] = field(default_factory=list)
    _equal: list[int] = field(default_factory=list)
    _repeats: list[Repeat] = field(default_factory=list[Repeat])
    _times: Counter[int] = field(default_factory=Counter[int])

    def __post_init__(self) -> None:
        sample = list(islice(self.table.rows, SAMPLE_ROWS))
        self.first_rows = [each for each in sample if isinstance(each, RawRow)][:FIRST_ROWS]
        shown = self._order_shown(sample)
        self._notes = list(self.table.notes)
        if not sample:
            self._notes.append("The file has a header and no rows.")
        if shown == "day" and not self.day_first:
            self._notes.append("Dates with slashes are read day first, as rows of this file show.")
        day_first = shown == "day" if shown else self.day_first
        self._context = Context(self.table, self.columns, self.at, day_first)
        self._raw = chain(sample, self.table.rows)
        self._header = {self._plain(header) for header in self.table.headers if header}
        self._results = self._read()

    def __iter__(self) -> Iterator[Row[R] | Refused]:
        return self

    def __next__(self) -> Row[R] | Refused:
        return next(self._results)

    def skip(self, rows: int) -> None:
        """Pass over rows of the file, without parsing them: an import that continues."""
        for raw in islice(self._raw, rows):
            self.position += 1
            if isinstance(raw, RawRow) and not self._is_left_out(
                cells := Cells(raw, self.columns), raw
            ):
                with suppress(RowRefused):
                    self._external_id(cells)

    def take_repeats(self) -> list[Repeat]:
        """The repeated rows that were read since this was last called."""
        taken, self._repeats = self._repeats, []
        return taken

    @property
    def report(self) -> Report:
        """Counts so far, and how the columns are read."""
        notes = list(self._notes)
        if self._totals:
            count = len(self._totals)
            what = "row is a total" if count == 1 else "rows are totals"
            notes.append(f"{count} {what} and left out ({lines_named(self._totals)}).")
        if self._header_again:
            lines = lines_named(self._header_again)
            notes.append(f"The header appears again in {lines}; it is no row.")
        if self._equal:
            lines, count = lines_named(self._equal), len(self._equal)
            what = (
                "row without an id equals an earlier row; it"
                if count == 1
                else "rows without an id equal an earlier row; each"
            )
            notes.append(f"{count} {what} is kept as a record of its own ({lines}).")
        return Report(
            format=self.table.format,
            encoding=self.table.encoding.removesuffix("-sig"),
            mapping=tuple(self.columns.mapping.items()),
            ignored=self.columns.ignored,
            notes=tuple(notes),
            rows=self._rows,
            refused=self._refused,
            repeated=self._repeated,
        )

    def _order_shown(self, sample: Iterable[RawRow | BadLine]) -> str | None:
        orders = {
            dates.slash_order(row.cells[at])
            for row in sample
            if isinstance(row, RawRow)
            for at in self.columns.dates
        } - {None}
        return orders.pop() if len(orders) == 1 else None

    def _read(self) -> Iterator[Row[R] | Refused]:
        for raw in self._raw:
            self.position += 1
            try:
                row = self._row(raw)
            except RowRefused as refused:
                self._refused += 1
                yield Refused(raw.line, refused.field, refused.value, refused.message)
            else:
                if row is not None:
                    self._rows += 1
                    yield row

    def _row(self, raw: RawRow | BadLine) -> Row[R] | None:
        if isinstance(raw, BadLine):
            raise RowRefused(None, raw.value, raw.reason)
        cells = Cells(raw, self.columns)
        if self._is_left_out(cells, raw):
            return None
        if len(external_id := self._external_id(cells)) > MAX_ID_CHARACTERS:
            reason = f"An id of more than {MAX_ID_CHARACTERS} characters."
            raise RowRefused("id", external_id, reason)
        try:
            record = self.build(cells, external_id, self._context)
        except ValidationError as error:
            _refuse(error)
        fingerprint = cells.fingerprint()
        if not self._is_new(external_id, raw.line, fingerprint):
            self._repeated += 1
            return None
        says_nothing = cells.absent(), cells.blank()
        return Row(raw.line, external_id, record, tuple(cells.warnings), fingerprint, *says_nothing)

    def _is_left_out(self, cells: Cells, raw: RawRow) -> bool:
        if self.is_total is not None and self.is_total(cells):
            self._totals.append(raw.line)
            return True
        if self._is_header(raw):
            self._header_again.append(raw.line)
            return True
        return False

    def _is_header(self, raw: RawRow) -> bool:
        """Exports of several tables in one file repeat the header, or have it at the end."""
        filled = [raw.cells[at] for at in self.columns.used if raw.cells[at]]
        return (
            isinstance(first := filled[0] if filled else None, str)
            and self._plain(first) in self._header
            and all(isinstance(each, str) and self._plain(each) in self._header for each in filled)
            and len(filled) > 1
        )

    @staticmethod
    def _plain(cell: str) -> str:
        return " ".join(cell.split()).rstrip(":").casefold()

    def _external_id(self, cells: Cells) -> str:
        if external_id := cells.need("id", line_of_text):
            return external_id
        content = cells.content()[:32]
        if self.keep_repeats:
            self._times[key := int(content[:15], 16)] += 1
            if (times := self._times[key]) > 1:
                self._equal.append(cells.line)
                return f"content-{content}-{times}"
        return f"content-{content}"

    def _is_new(self, external_id: str, line: int, fingerprint: int) -> bool:
        earlier = self._seen.get(external_id)
        if earlier is None:
            if len(self._seen) < REMEMBERED_IDS:
                self._seen[external_id] = (line, fingerprint)
            return True
        if earlier[1] == fingerprint:
            self._repeats.append(Repeat(line, earlier[0]))
            return False
        raise RowRefused("id", external_id, contradiction(earlier[0]))


def contradiction(line: int) -> str:
    """Why a row is refused whose id an earlier line has."""
    return f"Line {line} has this id with other content."


def _refuse(error: ValidationError) -> NoReturn:
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0]) if first["loc"] else None
    raise RowRefused(name, first["input"], first["msg"]) from error
