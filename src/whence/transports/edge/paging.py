"""Pages of a list: `{items, nextCursor}`, and cursors that only their maker reads."""

from __future__ import annotations

import base64
import binascii
from datetime import datetime
from typing import Annotated, Generic, TypeVar
from uuid import UUID

from fastapi import Query

from whence.kernel.errors import Invalid
from whence.kernel.wire import Wire
from whence.records.listing import DEFAULT_LIMIT, PAGE_LIMIT

__all__ = [
    "DEFAULT_LIMIT",
    "BadCursor",
    "Cursor",
    "Limit",
    "PageOf",
    "read",
    "read_row",
    "written",
    "written_row",
]
Row = TypeVar("Row")
Limit = Annotated[int, Query(ge=1, le=PAGE_LIMIT, description="Rows of one page")]
Cursor = Annotated[str | None, Query(description="`nextCursor` of the page before")]


class PageOf(Wire, Generic[Row]):
    """Some rows; `nextCursor` asks for those after them, null where there are none."""

    items: list[Row]
    next_cursor: str | None


class BadCursor(Invalid):
    """This cursor is not one of ours; start again without it."""


def written(*parts: object) -> str:
    """A cursor that carries these parts."""
    return base64.urlsafe_b64encode("|".join(map(str, parts)).encode()).decode()


def read(cursor: str, parts: int) -> list[str]:
    """The parts of a cursor; raises BadCursor when there are not as many as that."""
    try:
        found = base64.urlsafe_b64decode(cursor).decode().split("|")
    except (ValueError, binascii.Error) as error:
        raise BadCursor from error
    if len(found) != parts:
        raise BadCursor
    return found


def written_row(at: datetime, row_id: UUID) -> str:
    """A cursor at a row of a list that is ordered by a time and, where two are equal, the id."""
    return written(at.isoformat(), row_id)


def read_row(cursor: str) -> tuple[datetime, UUID]:
    """What `written_row` has written; raises BadCursor."""
    at, row_id = read(cursor, 2)
    try:
        return datetime.fromisoformat(at), UUID(row_id)
    except ValueError as error:
        raise BadCursor from error
