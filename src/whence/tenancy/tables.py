"""Mapped rows of tenancy."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, LargeBinary, Text
from sqlalchemy.orm import Mapped, mapped_column

from whence.db.tables import Table, TenantRow
from whence.kernel.clock import now


class Membership(Table):
    __tablename__ = "memberships"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    org_id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    role: Mapped[str]


class ApiToken(TenantRow):
    """A bearer secret, kept only as its SHA-256; `prefix` is what people recognise it by."""

    __tablename__ = "api_tokens"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012

    user_id: Mapped[UUID]
    name: Mapped[str]
    kind: Mapped[str]
    prefix: Mapped[str]
    token_hash: Mapped[bytes] = mapped_column(LargeBinary)
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
