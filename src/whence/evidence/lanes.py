"""The lanes in which a record's dossiers stand beside each other."""

from __future__ import annotations

from enum import StrEnum

from whence.kernel.wire import Wire


class LaneName(StrEnum):
    PRIMARY = "primary"
    """What is shown: one dossier of it is the current one."""
    SHADOW = "shadow"
    """What another version of the flow found; for comparison only, never shown as the answer."""


class Fallback(Wire):
    """A candidate version failed, and the primary version did the work."""

    candidate: str
    primary: str
    reason: str

    @property
    def notice(self) -> str:
        """The sentence that the run and its dossier carry."""
        return (
            f"Version {self.candidate} of the research flow failed and version {self.primary} "
            f"took over: {self.reason}"
        )
