"""The table of attachments, and the base of rows with attachments."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import and_
from sqlalchemy.orm import Mapped, declared_attr, foreign, mapped_column, relationship

from whence.db.tables import TenantRow
from whence.kernel.clock import now


class AttachmentRow(TenantRow):
    """A file attached to a record, or detached at `removed_at`."""

    __tablename__ = "attachments"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    kind: Mapped[str]
    subject_id: Mapped[UUID]
    digest: Mapped[str]
    name: Mapped[str]
    media_type: Mapped[str]
    size: Mapped[int]
    position: Mapped[int]
    """Order among the record's files, from 0."""
    caption: Mapped[str] = mapped_column(default="")
    added_by: Mapped[UUID]
    added_at: Mapped[datetime] = mapped_column(default=now)
    removed_at: Mapped[datetime | None]


class CarriesFiles:
    """For rows of kinds with an `Attachment`: `class NoteRow(CarriesFiles, SubjectRow)`.

    The files are loaded with the row.
    """

    def __init__(self, **columns: Any) -> None:
        super().__init__(**columns)
        self.attached = []  # a new row has none, and needs no reading

    @declared_attr
    @classmethod
    def attached(cls) -> Mapped[list[AttachmentRow]]:
        row: Any = cls
        return relationship(
            AttachmentRow,
            primaryjoin=lambda: and_(
                row.org_id == foreign(AttachmentRow.org_id),
                row.id == foreign(AttachmentRow.subject_id),
                AttachmentRow.removed_at.is_(None),
            ),
            order_by=lambda: (AttachmentRow.position, AttachmentRow.id),
            viewonly=True,
            lazy="selectin",
        )
