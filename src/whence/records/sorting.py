"""The order of a list, and cursors that continue after a row, also among ties and empty values."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python
from sqlalchemy import ColumnElement, and_, func, or_, tuple_

from whence.kernel.errors import Invalid
from whence.kernel.text import camel
from whence.records.filters import TIMES
from whence.records.kind import SubjectKind

NEWEST_FIRST = "-createdAt"
"""The order of a list that is not asked for another, and that searches for nothing."""
RELEVANCE = "relevance"
"""The order of a search that is not asked for another: what matches best comes first."""
CURSOR_PARTS = 4


class BadCursor(Invalid):
    """This cursor is not one of ours, or of another list; start again without it."""


class BadSort(Invalid):
    """The list cannot be sorted by this."""


@dataclass(frozen=True)
class Sort:
    """An order of rows: by a field, then by their ids; rows without a value come last."""

    name: str
    """As on the wire, `-` in front where it descends; part of the cursor."""
    key: ColumnElement[Any]
    key_type: Any
    row_id: Any
    is_nullable: bool
    descends: bool
    """Whether the largest comes first."""
    carried: Any = None
    """What the next page needs to make the same order; part of the cursor."""

    def order(self) -> list[ColumnElement[Any]]:
        """What to order by."""
        key = self.key.desc() if self.descends else self.key.asc()
        row_id = self.row_id.desc() if self.descends else self.row_id.asc()
        # An index of a column that is never empty serves its order only without `NULLS LAST`.
        return [key.nulls_last() if self.is_nullable else key, row_id]

    def after(self, cursor: str) -> ColumnElement[bool]:
        """The rows after the one that the cursor names.  Raises BadCursor."""
        value, row_id = self._read(cursor)
        if value is None:
            rest = self.row_id < row_id if self.descends else self.row_id > row_id
            return and_(self.key.is_(None), rest)
        here, place = tuple_(self.key, self.row_id), (value, row_id)
        later = here < place if self.descends else here > place
        return or_(later, self.key.is_(None)) if self.is_nullable else later

    def cursor(self, value: Any, row_id: UUID) -> str:
        """The cursor of a row, by its sort key."""
        parts = [self.name, to_jsonable_python(value), str(row_id), self.carried]
        return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode()

    def _read(self, cursor: str) -> tuple[Any, UUID]:
        try:
            name, value, row_id, _ = read(cursor)
            if name != self.name or (value is None and not self.is_nullable):
                raise BadCursor
            key = None if value is None else TypeAdapter(self.key_type).validate_python(value)
            return key, UUID(row_id)
        except (ValueError, TypeError, AttributeError) as error:
            raise BadCursor from error


def read(cursor: str) -> list[Any]:
    """The parts of a cursor: the order's name, the row's key and id, and what is carried along.

    Raises BadCursor.
    """
    try:
        parts = json.loads(base64.urlsafe_b64decode(cursor).decode())
    except (ValueError, binascii.Error, RecursionError) as error:
        raise BadCursor from error
    if not isinstance(parts, list) or len(cast("list[Any]", parts)) != CURSOR_PARTS:
        raise BadCursor
    return cast("list[Any]", parts)


def sorts_of(kind: SubjectKind) -> tuple[str, ...]:
    """Every order of a kind's list, as on the wire."""
    names = [camel(name) for name in (*TIMES, *kind.sorts)]
    return (*(sign + name for name in names for sign in ("", "-")), RELEVANCE)


def sort_of(kind: SubjectKind, name: str) -> Sort:
    """The order that `name` asks for.  Raises BadSort."""
    if name not in sorts_of(kind):
        raise BadSort(f"The list cannot be sorted by '{name}'; use {', '.join(sorts_of(kind))}.")
    field = next(each for each in (*TIMES, *kind.sorts) if camel(each) == name.removeprefix("-"))
    column = getattr(kind.row, field)
    key_type = column.type.python_type
    key: ColumnElement[Any] = func.lower(column) if key_type is str else column
    nullable = kind.row.__table__.columns[field].nullable is not False
    return Sort(name, key, key_type, kind.row.id, nullable, descends=name.startswith("-"))
