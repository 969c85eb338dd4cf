"""The id of a record under the name that the protocol's first clients know: `itemId`."""

from __future__ import annotations

from uuid import UUID

ITEMS = "items"


def item_id(kind: str | None, subject_id: UUID | None) -> UUID | None:
    """The id, where the record is an item; None for every other kind."""
    return subject_id if kind == ITEMS else None
