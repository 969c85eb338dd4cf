"""The status of a wizard's run."""

from __future__ import annotations

from enum import StrEnum


class RunStatus(StrEnum):
    """`expired` and `withdrawn` (no pack offers its version any more) are derived, not stored."""

    OPEN = "open"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class Origin(StrEnum):
    """Where a run was started."""

    TERMINAL = "terminal"
    CHAT = "chat"
    API = "api"
