"""A schedule as a pack declares it; every organization has it then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from whence.kernel.text import digest
from whence.work.job import Job, P
from whence.work.schedules.timing import Timing


@dataclass(frozen=True)
class Schedule(Generic[P]):
    """A job to be started at the times of `timing`.

    An organization may pause it and give it other times.  `paused`: it starts nothing until an
    organization switches it on.
    """

    name: str
    title: str
    job: Job[P]
    payload: P
    timing: Timing
    paused: bool = False


@dataclass(frozen=True)
class DeclaredSchedule:
    """A pack's schedule under its name on the wire, with its job's."""

    name: str
    """`<pack>.<name>`"""
    job: str
    schedule: Schedule[Any]

    @property
    def payload(self) -> dict[str, Any]:
        """The payload as it is kept."""
        return self.schedule.payload.model_dump(mode="json", by_alias=True)

    @property
    def digest(self) -> str:
        """Tells two declarations apart."""
        timing = self.schedule.timing
        return digest(
            {
                "title": self.schedule.title,
                "job": self.job,
                "payload": self.payload,
                "timing": [timing.cron, timing.every_seconds, timing.time_zone],
            }
        )
