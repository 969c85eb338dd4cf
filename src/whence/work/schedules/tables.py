"""The mapped row of a schedule."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Text
from sqlalchemy.orm import Mapped, mapped_column

from whence.db.tables import TenantRow
from whence.work.schedules.timing import UTC_ZONE, Timing


class ScheduleRow(TenantRow):
    """What a schedule starts, when, and the outcome of the last tick."""

    __tablename__ = "schedules"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    declared_as: Mapped[str | None]
    """`<pack>.<name>` if a pack declares it."""
    declaration: Mapped[str | None]
    """The digest of that declaration."""
    title: Mapped[str]
    job: Mapped[str]
    payload: Mapped[dict[str, Any]]
    cron: Mapped[str | None]
    every_seconds: Mapped[int | None]
    time_zone: Mapped[str]
    anchor_at: Mapped[datetime]
    """Intervals are counted from here."""
    paused: Mapped[bool] = mapped_column(default=False)
    next_at: Mapped[datetime | None]
    """The time of the next tick; None while paused."""
    last_at: Mapped[datetime | None]
    last_outcome: Mapped[str | None]
    """`started`, `skipped` (its last job was still active) or `failed`."""
    last_job_id: Mapped[UUID | None]
    last_error: Mapped[str | None]
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    created_by: Mapped[UUID]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]

    @property
    def timing(self) -> Timing:
        """Its cron expression or interval; drops an interval's time zone, kept by old versions."""
        return Timing(self.cron, self.every_seconds, self.time_zone if self.cron else UTC_ZONE)

    def set_timing(self, timing: Timing, at: datetime) -> None:
        """Change its times from `at` on."""
        self.cron, self.every_seconds = timing.cron, timing.every_seconds
        self.time_zone, self.anchor_at = timing.time_zone, at
        self.plan(at)

    def plan(self, at: datetime) -> None:
        """Set the next tick after `at`; missed ticks before it are not caught up."""
        self.next_at = None if self.paused else self.timing.next_after(at, self.anchor_at)
