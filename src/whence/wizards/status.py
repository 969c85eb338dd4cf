"""How a run of a wizard stands."""

from __future__ import annotations

from enum import StrEnum


class RunStatus(StrEnum):
    """`expired` and `withdrawn` (no pack offers its version any more) are found out, not stored."""

    OPEN = "open"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
