"""The one place that reads the wall clock, always in UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """The current time, timezone-aware, in UTC."""
    return datetime.now(UTC)
