"""Relations between kinds: how a reference is written, stored and shown."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import BeforeValidator, StringConstraints

from whence.kernel.wire import Wire

MAX_REFERENCE = 500
"""Characters of an imported id in an address."""


class OnDelete(StrEnum):
    """What happens to records whose referenced record is deleted."""

    RESTRICT = "restrict"
    """Nothing: the deletion is refused while there are any."""
    CASCADE = "cascade"
    """They are deleted with it, such as notes with their folder."""


def _text(value: object) -> object:
    return str(value) if isinstance(value, UUID) else value


RecordId = Annotated[
    str,
    BeforeValidator(_text),
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_REFERENCE),
]
"""The type of a field that refers to a record.  It accepts whence's id or the imported id of the
record; it is stored and returned as whence's id."""


class RecordRef(Wire):
    """A referenced record in short form."""

    id: UUID
    external_id: str | None
    title: str | None
    """The value people know the record by: its kind's first search column."""
