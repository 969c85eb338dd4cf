"""The mapped row of a unit of durable work; types map their additional columns themselves."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Text, case, text
from sqlalchemy.orm import Mapped, mapped_column

from whence.db.tables import Table, TenantRow

ACTIVE = ("pending", "running", "paused")
FINISHED = ("success", "error", "cancelled")
"""Final states; only failed work can be resumed."""
RESEARCH = "research"
"""The only type with a second table, `whence.runs`."""


class WorkItem(TenantRow):
    """One unit of work: its state, its fencing token, its failures and what it spent."""

    __tablename__ = "work"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    type: Mapped[str] = mapped_column()
    key: Mapped[str | None]
    """Unique among the active units of a type."""
    queue: Mapped[str]
    handler: Mapped[str]
    """The name of the queue's handler for its attempts."""
    status: Mapped[str]
    priority: Mapped[int]
    attempt: Mapped[int] = mapped_column(default=0)
    """The fencing token: the number of the newest attempt."""
    outages: Mapped[int] = mapped_column(default=0)
    crashes: Mapped[int] = mapped_column(default=0)
    deaths: Mapped[int] = mapped_column(default=0)
    requested_by: Mapped[UUID]
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    payload: Mapped[dict[str, Any]] = mapped_column(default=dict)
    state: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """State that a job's handler saves for its next attempt."""
    progress_done: Mapped[int] = mapped_column(default=0)
    progress_total: Mapped[int | None]
    progress_message: Mapped[str | None]
    notice: Mapped[str | None]
    resume_at: Mapped[datetime | None]
    """The earliest time of the next attempt; None while paused means waiting for a person."""
    error: Mapped[dict[str, Any] | None]
    result: Mapped[dict[str, Any] | None]
    spent_calls: Mapped[int] = mapped_column(default=0)
    spent_tokens: Mapped[int] = mapped_column(default=0)
    spent_usd: Mapped[float] = mapped_column(default=0.0)
    spent_seconds: Mapped[float] = mapped_column(default=0.0)
    unpriced: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    completed_at: Mapped[datetime | None]

    __mapper_args__ = {  # noqa: RUF012
        "polymorphic_on": case((type == RESEARCH, RESEARCH), else_="job"),  # noqa: A003
        "polymorphic_identity": "job",
    }

    @property
    def failures(self) -> int:
        """Outages, crashes and deaths since the last progress."""
        return self.outages + self.crashes + self.deaths


class CancelRequest(Table):
    """A request to cancel work that was writing; see `work.cancellation`."""

    __tablename__ = "cancel_requests"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012

    org_id: Mapped[UUID] = mapped_column(
        primary_key=True, server_default=text("whence.current_org()")
    )
    id: Mapped[UUID] = mapped_column(primary_key=True)
    requested_by: Mapped[UUID]
