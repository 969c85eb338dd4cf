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
    """A bearer secret, stored only as its SHA-256; people recognise it by `prefix`."""

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
    parent_id: Mapped[UUID | None]
    """The token that created this one, which ends with it."""


class SessionRow(TenantRow):
    """A browser's session; its secrets are stored only as hashes (see `refreshing.py`)."""

    __tablename__ = "sessions"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012

    user_id: Mapped[UUID]
    label: Mapped[str]
    family_hash: Mapped[bytes] = mapped_column(LargeBinary)
    secret_hash: Mapped[bytes] = mapped_column(LargeBinary)
    previous_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    nonce: Mapped[bytes | None] = mapped_column(LargeBinary)
    rotated_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    ended_by: Mapped[str | None]


class InvitationRow(TenantRow):
    """An invitation; its secret is stored only as a hash."""

    __tablename__ = "invitations"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012

    email: Mapped[str]
    role: Mapped[str]
    token_hash: Mapped[bytes] = mapped_column(LargeBinary)
    invited_by: Mapped[UUID]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    accepted_at: Mapped[datetime | None]
    withdrawn_at: Mapped[datetime | None]
