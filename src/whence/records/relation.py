"""How records of one kind refer to records of another, and how a reference is written and shown."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import BeforeValidator, StringConstraints

from whence.kernel.wire import Wire

MAX_REFERENCE = 500
"""Characters of an id that an import brought, as in an address."""


class OnDelete(StrEnum):
    """What happens to records whose reference is to be deleted."""

    RESTRICT = "restrict"
    """Nothing: the deletion is refused while there are any."""
    CASCADE = "cascade"
    """They are deleted along with it, as notes with their folder."""


def _text(value: object) -> object:
    return str(value) if isinstance(value, UUID) else value


RecordId = Annotated[
    str,
    BeforeValidator(_text),
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_REFERENCE),
]
"""The type of a field that refers to a record.  It takes whence's id of the record or the id that
its import brought; it is stored, and answered, as whence's id."""


class RecordRef(Wire):
    """A record that another one refers to, as it is shown there."""

    id: UUID
    external_id: str | None
    title: str | None
    """What people know the record by: the first column that its kind's search looks into."""
