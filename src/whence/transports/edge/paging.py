"""Query parameters of paginated lists, and their cursors."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import Query

from whence.kernel.paging import (
    DEFAULT_LIMIT,
    PAGE_LIMIT,
    BadCursor,
    PageOf,
    read_cursor,
    write_cursor,
)

__all__ = [
    "DEFAULT_LIMIT",
    "BadCursor",
    "Cursor",
    "Limit",
    "PageOf",
    "read_cursor",
    "read_row",
    "write_cursor",
    "written_row",
]
Limit = Annotated[int, Query(ge=1, le=PAGE_LIMIT, description="Rows of one page")]
Cursor = Annotated[str | None, Query(description="`nextCursor` of the page before")]


def written_row(at: datetime, row_id: UUID) -> str:
    """A cursor at a row of a list ordered by a time and, for equal times, by the id."""
    return write_cursor(at.isoformat(), row_id)


def read_row(cursor: str) -> tuple[datetime, UUID]:
    """Decode a cursor of `written_row`; raises BadCursor."""
    at, row_id = read_cursor(cursor, 2)
    try:
        return datetime.fromisoformat(at), UUID(row_id)
    except ValueError as error:
        raise BadCursor from error
