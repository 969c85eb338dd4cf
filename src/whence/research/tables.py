"""Mapped rows of runs and their steps; columns shared with other work are in `work.tables`."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast
from uuid import UUID

from sqlalchemy import ForeignKeyConstraint, text
from sqlalchemy import Table as SqlTable
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from whence.db.tables import Table
from whence.work.tables import RESEARCH, WorkItem


class Run(WorkItem):
    """A unit of work of the type `research`: one execution of a flow for one record."""

    __tablename__ = "runs"
    __table_args__ = (
        ForeignKeyConstraint(["org_id", "id"], ["whence.work.org_id", "whence.work.id"]),
        {"schema": "whence"},
    )
    __mapper_args__ = {"polymorphic_identity": RESEARCH}  # noqa: RUF012

    org_id: Mapped[UUID] = mapped_column(
        primary_key=True, server_default=text("whence.current_org()")
    )
    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    subject_id: Mapped[UUID]
    flow: Mapped[str]
    flow_version: Mapped[str]
    lane: Mapped[str] = mapped_column(default="primary")
    run_type: Mapped[str] = mapped_column(default="default")
    parameters: Mapped[dict[str, Any]] = mapped_column(default=dict)
    depth: Mapped[int] = mapped_column(default=0)
    current_node: Mapped[str | None]
    step_count: Mapped[int] = mapped_column(default=0)
    open_steps: Mapped[int] = mapped_column(default=0)
    counted_until: Mapped[datetime | None]
    """The time up to which open steps are counted in `spent_seconds`."""
    progress: Mapped[int | None]
    """Progress in per cent, if the flow declares shares."""
    resumable: Mapped[bool] = mapped_column(default=True)
    options: Mapped[dict[str, Any]]
    question: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    answers: Mapped[dict[str, Any]] = mapped_column(default=dict)
    subject_version: Mapped[int | None]
    record_changed: Mapped[bool] = mapped_column(default=False)
    review: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """The record's field that shows the run (`records.kind.ReviewState`), and its values."""
    fallback: Mapped[dict[str, Any] | None]
    """`evidence.lanes.Fallback`, if the primary version replaced a failed candidate."""


RUNS = cast(SqlTable, Run.__table__)
"""The run's own table, without the columns of its unit of work."""


class RunStep(Table):
    __tablename__ = "run_steps"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012

    org_id: Mapped[UUID] = mapped_column(primary_key=True)
    run_id: Mapped[UUID] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    node: Mapped[str]
    place: Mapped[int] = mapped_column(default=0)
    """The node's place in the flow; siblings share it."""
    branch: Mapped[str | None]
    """Distinguishes the branches of one node."""
    attempt: Mapped[int]
    status: Mapped[str]
    detail: Mapped[dict[str, Any]]
    started_at: Mapped[datetime]
    completed_at: Mapped[datetime | None]
