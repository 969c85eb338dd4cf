"""The lanes of dossiers: a record can have a current dossier in each."""

from __future__ import annotations

from enum import StrEnum

from whence.kernel.wire import Wire


class LaneName(StrEnum):
    PRIMARY = "primary"
    """Shown to people: one of its dossiers is the current one."""
    SHADOW = "shadow"
    """The results of another version of the flow; only for comparison, never shown as the
    answer."""


class Fallback(Wire):
    """A candidate version failed, and the primary version did the work."""

    candidate: str
    primary: str
    reason: str

    @property
    def notice(self) -> str:
        """The sentence added to the run and its dossier."""
        return (
            f"Version {self.candidate} of the research flow failed and version {self.primary} "
            f"took over: {self.reason}"
        )
