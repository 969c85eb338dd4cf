"""Pages of a list: `{items, nextCursor}`, and cursors that only their maker reads."""

from __future__ import annotations

import base64
import binascii
from typing import Generic, TypeVar

from pydantic import Field

from whence.kernel.errors import Invalid
from whence.kernel.wire import Wire

Row = TypeVar("Row")
DEFAULT_LIMIT = 50
PAGE_LIMIT = 100
"""Rows that one page may hold."""


class PageOf(Wire, Generic[Row]):
    """Some rows; `nextCursor` asks for those after them, null where there are none."""

    items: list[Row]
    next_cursor: str | None


class PageQuery(Wire):
    """What a list takes: where to go on, and how many rows."""

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
