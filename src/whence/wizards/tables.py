"""Mapped rows of wizards' runs and of their answers."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from whence.db.tables import Table, TenantRow


class WizardRun(TenantRow):
    """One person's run of a wizard, pinned to the version it began with."""

    __tablename__ = "wizard_runs"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    user_id: Mapped[UUID]
    definition: Mapped[str]
    version: Mapped[str]
    status: Mapped[str]
    revision: Mapped[int] = mapped_column(default=0)
    """The number of answers, which is the number of the last one."""
    kind: Mapped[str | None]
    subject_id: Mapped[UUID | None]
    chat_session_id: Mapped[UUID | None]
    origin: Mapped[str | None]
    """Where it was started, an `Origin`; None for runs older than this column."""
    known: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    began_on: Mapped[date]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class WizardAnswer(Table):
    """An answer as given; it never changes, a later one replaces it."""

    __tablename__ = "wizard_answers"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012

    org_id: Mapped[UUID] = mapped_column(primary_key=True)
    run_id: Mapped[UUID] = mapped_column(primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True)
    step_id: Mapped[str]
    responses: Mapped[dict[str, Any]]
    at: Mapped[datetime]
