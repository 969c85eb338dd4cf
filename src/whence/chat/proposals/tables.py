"""The mapped row of a proposal."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Text
from sqlalchemy.dialects.postgresql import UUID as PG_UUID
from sqlalchemy.orm import Mapped, mapped_column

from whence.db.tables import TenantRow


class ProposalRow(TenantRow):
    """A proposed change and its status."""

    __tablename__ = "proposals"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    user_id: Mapped[UUID]
    kind: Mapped[str]
    subject_id: Mapped[UUID]
    subject_version: Mapped[int]
    seen: Mapped[dict[str, Any]]
    """The whole record at the time of the proposal."""
    after: Mapped[dict[str, Any]]
    """Only the fields that change."""
    reason: Mapped[str]
    evidence: Mapped[list[UUID]] = mapped_column(ARRAY(PG_UUID(as_uuid=True)))
    claims: Mapped[list[str]] = mapped_column(ARRAY(Text))
    digest: Mapped[str]
    chat_session_id: Mapped[UUID | None]
    message_id: Mapped[UUID | None]
    status: Mapped[str] = mapped_column(default="proposed")
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    applied_at: Mapped[datetime | None]
    applied_version: Mapped[int | None]
    applied_reason: Mapped[str | None]
    undone_at: Mapped[datetime | None]
    undone_version: Mapped[int | None]
    undone_reason: Mapped[str | None]
    declined_at: Mapped[datetime | None]

    @property
    def before(self) -> dict[str, Any]:
        """The old values of the fields that change."""
        return {name: self.seen[name] for name in self.after}
