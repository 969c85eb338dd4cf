"""`Collection`: texts that are searched together, and how all of them are indexed again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

IndexAfter = Callable[[AsyncSession, UUID, int], Awaitable[Sequence[UUID]]]


@dataclass(frozen=True)
class Collection:
    """What one part of the program searches: the records of a kind, messages, rows of a pack.

    Its writers call `index.put` and `index.remove` in their own transaction.
    """

    name: str
    """Of a kind of records, its own name; otherwise `<part>.<texts>`, such as `chat.messages`."""
    definition: str
    """What its terms are made of.  After a change, the next start indexes everything again."""
    index_after: IndexAfter
    """`index_after(session, after, limit)`: index the organization's next documents by id, at most
    `limit` of them above `after`, and return their ids; fewer than `limit` are the last ones."""
