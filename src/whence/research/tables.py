"""Mapped rows of runs and their steps."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

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
    failures: Mapped[int] = mapped_column(default=0)
    current_node: Mapped[str | None]
    step_count: Mapped[int] = mapped_column(default=0)
    resumable: Mapped[bool] = mapped_column(default=True)
    requested_by: Mapped[UUID]
    options: Mapped[dict[str, Any]]
    notice: Mapped[str | None]
    resume_at: Mapped[datetime | None]
    error: Mapped[dict[str, Any] | None]
    result: Mapped[dict[str, Any] | None]
    fallback: Mapped[dict[str, Any] | None]
    """`{"from", "to", "reason"}` where a candidate version gave way to the primary one."""
    spent_calls: Mapped[int] = mapped_column(default=0)
    spent_tokens: Mapped[int] = mapped_column(default=0)
    spent_usd: Mapped[float] = mapped_column(default=0.0)
    spent_seconds: Mapped[float] = mapped_column(default=0.0)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    completed_at: Mapped[datetime | None]


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
