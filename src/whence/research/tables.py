"""Mapped rows of runs and their steps."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from whence.db.tables import Table, TenantRow


class Run(TenantRow):
    __tablename__ = "runs"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    kind: Mapped[str]
    subject_id: Mapped[UUID]
    flow: Mapped[str]
    flow_version: Mapped[str]
    lane: Mapped[str] = mapped_column(default="primary")
    status: Mapped[str]
    priority: Mapped[int]
    attempt: Mapped[int] = mapped_column(default=0)
    outages: Mapped[int] = mapped_column(default=0)
    crashes: Mapped[int] = mapped_column(default=0)
    deaths: Mapped[int] = mapped_column(default=0)
    depth: Mapped[int] = mapped_column(default=0)
    current_node: Mapped[str | None]
    step_count: Mapped[int] = mapped_column(default=0)
    resumable: Mapped[bool] = mapped_column(default=True)
    requested_by: Mapped[UUID]
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    options: Mapped[dict[str, Any]]
    question: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    answers: Mapped[dict[str, Any]] = mapped_column(default=dict)
    subject_version: Mapped[int | None]
    record_changed: Mapped[bool] = mapped_column(default=False)
    unpriced: Mapped[bool] = mapped_column(default=False)
    notice: Mapped[str | None]
    resume_at: Mapped[datetime | None]
    error: Mapped[dict[str, Any] | None]
    result: Mapped[dict[str, Any] | None]
    fallback: Mapped[dict[str, Any] | None]
    """`evidence.lanes.Fallback`, where a candidate version gave way to the primary one."""
    spent_calls: Mapped[int] = mapped_column(default=0)
    spent_tokens: Mapped[int] = mapped_column(default=0)
    spent_usd: Mapped[float] = mapped_column(default=0.0)
    spent_seconds: Mapped[float] = mapped_column(default=0.0)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    completed_at: Mapped[datetime | None]

    @property
    def failures(self) -> int:
        """Outages, crashes and deaths since the run last got further than ever before."""
        return self.outages + self.crashes + self.deaths


class RunStep(Table):
    __tablename__ = "run_steps"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012

    org_id: Mapped[UUID] = mapped_column(primary_key=True)
    run_id: Mapped[UUID] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    node: Mapped[str]
    attempt: Mapped[int]
    status: Mapped[str]
    detail: Mapped[dict[str, Any]]
    started_at: Mapped[datetime]
    completed_at: Mapped[datetime | None]
