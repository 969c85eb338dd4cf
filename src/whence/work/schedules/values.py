"""What people set and see of schedules, and what they may not set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from whence.kernel.errors import Conflict, Invalid
from whence.work.schedules.tables import ScheduleRow
from whence.work.schedules.timing import UTC_ZONE, Timing


class TooManySchedules(Conflict):
    """The organization has as many schedules as it may; remove one, or ask the operator."""


class TooOften(Invalid):
    """The schedule comes too often; give it more time between two ticks."""


class StillDeclared(Conflict):
    """A pack declares this schedule, so it would come back; pause it."""


@dataclass(frozen=True)
class Limits:
    """What the operator allows people to set."""

    most: int
    """Schedules of one organization, besides those that packs declare."""
    shortest_seconds: int
    """Between two ticks."""


@dataclass(frozen=True)
class NewSchedule:
    """What a person sets."""

    title: str
    job: str
    payload: Mapping[str, Any]
    timing: Timing
    paused: bool = False


@dataclass(frozen=True)
class Change:
    """What a person changes; None leaves it as it is."""

    title: str | None = None
    payload: Mapping[str, Any] | None = None
    cron: str | None = None
    every_seconds: int | None = None
    time_zone: str | None = None
    paused: bool | None = None

    def timing(self, before: Timing) -> Timing:
        """Its times after the change: a cron expression and an interval replace each other.

        Raises BadTiming.
        """
        cron, every_seconds = self.cron, self.every_seconds
        if cron is None and every_seconds is None:
            cron, every_seconds = before.cron, before.every_seconds
        zone = before.time_zone if cron is not None else UTC_ZONE
        return Timing(cron, every_seconds, self.time_zone or zone)


@dataclass(frozen=True)
class Shown:
    """A schedule and the state of the job that it started last."""

    row: ScheduleRow
    last_job_status: str | None
    is_known: bool
    """False: no pack declares it, or offers its job, any more; it starts nothing."""
