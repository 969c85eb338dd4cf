"""Query parameters of paginated lists, and their cursors."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from whence.kernel.paging import (
    DEFAULT_LIMIT,
    PAGE_LIMIT,
    BadCursor,
    PageOf,
    RowCursor,
    page_of,
    read_cursor,
    write_cursor,
)

__all__ = [
    "DEFAULT_LIMIT",
    "BadCursor",
    "Cursor",
    "Limit",
    "PageOf",
    "RowCursor",
    "page_of",
    "read_cursor",
    "write_cursor",
]
Limit = Annotated[int, Query(ge=1, le=PAGE_LIMIT, description="Rows of one page")]
Cursor = Annotated[str | None, Query(description="`nextCursor` of the page before")]
