"""A schedule that a pack declares for every organization."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from whence.kernel.text import digest
from whence.work.job import Job, P
from whence.work.schedules.timing import Timing


@dataclass(frozen=True)
class Schedule(Generic[P]):
    """Start a job at the times of `timing`.

    An organization may pause it and change its times.  With `paused`, it starts nothing until an
    organization resumes it.
    """

    name: str
    title: str
    job: Job[P]
    payload: P
    timing: Timing
    paused: bool = False


@dataclass(frozen=True)
class DeclaredSchedule:
    """A pack's schedule with its name and its job's type on the wire."""

    name: str
    """`<pack>.<name>`"""
    job: str
    schedule: Schedule[Any]

    @property
    def payload(self) -> dict[str, Any]:
        """The payload in its stored form."""
        return self.schedule.payload.model_dump(mode="json", by_alias=True)

    @property
    def digest(self) -> str:
        """A digest that changes with the declaration."""
        timing = self.schedule.timing
        return digest(
            {
                "title": self.schedule.title,
                "job": self.job,
                "payload": self.payload,
                "timing": [timing.cron, timing.every_seconds, timing.time_zone],
            }
        )
