"""Pages of a list: `{items, nextCursor}`, and cursors that only their maker reads."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar
from uuid import UUID

from pydantic import Field

from whence.kernel.errors import Invalid
from whence.kernel.wire import Wire

Row = TypeVar("Row")
Item = TypeVar("Item")
DEFAULT_LIMIT = 50
PAGE_LIMIT = 100
"""Rows that one page may hold."""


class PageOf(Wire, Generic[Row]):
    """Some rows; `nextCursor` asks for the rows after them, null if there are none."""

    items: list[Row]
    next_cursor: str | None


class PageQuery(Wire):
    """The parameters of a list: where to continue, and how many rows."""

    cursor: str | None = Field(default=None, description="`nextCursor` of the page before")
    limit: int = Field(default=DEFAULT_LIMIT, ge=1, le=PAGE_LIMIT)


class BadCursor(Invalid):
    """This cursor is not one of ours; start again without it."""


def write_cursor(*parts: object) -> str:
    """A cursor that carries these parts; none of them may hold a `|`."""
    return base64.urlsafe_b64encode("|".join(map(str, parts)).encode()).decode()


def read_cursor(cursor: str, parts: int) -> list[str]:
    """The parts of a cursor; raises BadCursor unless it has that many."""
    try:
        values = base64.urlsafe_b64decode(cursor).decode().split("|")
    except (ValueError, binascii.Error) as error:
        raise BadCursor from error
    if len(values) != parts:
        raise BadCursor
    return values


class RowCursor(NamedTuple):
    """The last row of a page, in a list ordered by a time and, for equal times, by the id."""

    at: datetime
    id: UUID

    @classmethod
    def read(cls, cursor: str | None) -> RowCursor | None:
        """Parse a cursor from `written`, if there is one; raises BadCursor."""
        if cursor is None:
            return None
        at, row_id = read_cursor(cursor, 2)
        try:
            return cls(datetime.fromisoformat(at), UUID(row_id))
        except ValueError as error:
            raise BadCursor from error

    def written(self) -> str:
        """The cursor as clients get it."""
        return write_cursor(self.at.isoformat(), self.id)


def page_of(
    rows: Sequence[Row], limit: int, item: Callable[[Row], Item], cursor: Callable[[Row], str]
) -> PageOf[Item]:
    """The first `limit` rows as a page; pass one row more if there is one.

    `item` makes the wire form of a row, `cursor` the cursor that continues after it.
    """
    shown = rows[:limit]
    more = cursor(shown[-1]) if len(rows) > limit else None
    return PageOf(items=[item(row) for row in shown], next_cursor=more)
