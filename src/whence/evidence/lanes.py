"""The lanes in which a record's dossiers stand beside each other."""

from __future__ import annotations

from enum import StrEnum


class LaneName(StrEnum):
    PRIMARY = "primary"
    """What is shown: one dossier of it is the current one."""
    SHADOW = "shadow"
    """What another version of the flow found; for comparison only, never shown as the answer."""
