"""Mapped rows of conversations and their messages."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from whence.db.tables import TenantRow


class ChatSession(TenantRow):
    """One conversation of one person: about a record, or (without `kind`) with a page."""

    __tablename__ = "chat_sessions"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    user_id: Mapped[UUID]
    kind: Mapped[str | None]
    subject_id: Mapped[UUID | None]
    page: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """The page the person was on: typed ids, which the server looks up itself."""
    title: Mapped[str] = mapped_column(default="")
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    deleted_at: Mapped[datetime | None]
    message_count: Mapped[int] = mapped_column(default=0)
    """Also the highest ordinal: ordinals have no gaps, and single messages are never deleted."""
    turn_id: Mapped[UUID | None]
    """The turn whose answer is being written."""
    turn_lease: Mapped[datetime | None]
    """Until when, by the database's clock, the writer of that answer counts as alive."""


class ChatMessage(TenantRow):
    """One message; `ordinal` counts from 1 in its session, without gaps."""

    __tablename__ = "chat_messages"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012

    session_id: Mapped[UUID]
    ordinal: Mapped[int]
    role: Mapped[str]
    """`user`, `assistant`, or `notice` (from the program itself)."""
    content: Mapped[str]
    client_message_id: Mapped[str | None]
    turn_id: Mapped[UUID | None]
    reply_to: Mapped[UUID | None]
    """For an answer: the message it answers."""
    superseded_by: Mapped[UUID | None]
    """For an answer: the later answer that replaces it."""
    status: Mapped[str]
    intent: Mapped[str | None]
    method: Mapped[str | None]
    citations: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, default=list)
    """`views.Cited`, as on the wire."""
    tool_calls: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, default=list)
    """`views.CalledTool`, as on the wire."""
    actions: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, default=list)
    meta: Mapped[dict[str, Any]] = mapped_column(default=dict)
    created_at: Mapped[datetime]
    completed_at: Mapped[datetime | None]
