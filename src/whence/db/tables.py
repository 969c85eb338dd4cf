"""Base classes of the mapped tables."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import DateTime, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.dialects.postgresql import UUID as PG_UUID
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from whence.kernel.clock import now
from whence.kernel.ids import new_id


class Table(DeclarativeBase):
    """The base of mapped rows; JSON is stored as JSONB, and timestamps have a time zone."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {
        dict[str, Any]: JSONB,
        datetime: DateTime(timezone=True),
        UUID: PG_UUID(as_uuid=True),
    }


class TenantRow(Table):
    """A row of one organization; the database fills in `org_id` from the unit of work."""

    __abstract__ = True

    org_id: Mapped[UUID] = mapped_column(
        primary_key=True, server_default=text("whence.current_org()")
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)


class SubjectRow(TenantRow):
    """A record that research and chat are about; packs add their columns.

    `external_id` is the id given by an import; `version` grows with every change.
    """

    __abstract__ = True

    external_id: Mapped[str | None]
    version: Mapped[int] = mapped_column(default=1)
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now)
    deleted_at: Mapped[datetime | None]
