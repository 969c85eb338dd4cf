"""What a pack adds to the inbox: decisions that wait for a person."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal

__all__ = ["InboxAction", "InboxSource", "WaitingEntry"]


class InboxAction(Wire):
    """One way to decide: a call of one of the pack's own routes.

    `key` is the key on the keyboard: `a` for what accepts, `d` for what puts aside.
    """

    label: Annotated[str, Field(min_length=1, max_length=60)]
    key: Literal["a", "d"]
    method: Literal["POST", "PUT"] = "POST"
    path: Annotated[str, Field(pattern=r"^/api/")]
    """The address, such as `/api/reviews/decisions/7`."""
    body: dict[str, Any] = Field(default_factory=dict[str, Any])


class WaitingEntry(Wire):
    """One decision that waits: what it is about, since when, and how it can be decided."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    """Unique within its source."""
    title: Annotated[str, Field(min_length=1, max_length=200)]
    text: Annotated[str, Field(max_length=2_000)] = ""
    since: datetime
    kind: str | None = None
    """The kind of record it is about, with its id; both absent where it is about none."""
    subject_id: UUID | None = None
    actions: list[InboxAction] = Field(default_factory=list[InboxAction])


@dataclass(frozen=True)
class InboxSource:
    """Entries of one sort, such as doubtful merges.

    `entries` reads what waits for this person, the oldest first, at most `limit`, in the session of
    their organization; it changes nothing.  An entry that is decided is no longer read.
    """

    name: str
    title: str
    entries: Callable[[AsyncSession, Principal, int], Awaitable[Sequence[WaitingEntry]]]
