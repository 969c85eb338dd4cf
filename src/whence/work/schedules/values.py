"""The values that people set and see of schedules, and their errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from whence.kernel.errors import Conflict, Invalid
from whence.work.schedules.tables import ScheduleRow
from whence.work.schedules.timing import UTC_ZONE, Timing


class TooManySchedules(Conflict):
    """The organization has the most schedules allowed; delete one, or ask the operator to allow
    more."""


class TooOften(Invalid):
    """The schedule runs too often; leave more time between two ticks."""


class StillDeclared(Conflict):
    """A pack declares this schedule, so it would be created again; pause it instead."""


@dataclass(frozen=True)
class Limits:
    """The operator's limits."""

    most: int
    """Most schedules of one organization, not counting those that packs declare."""
    shortest_seconds: int
    """Shortest time between two ticks."""


@dataclass(frozen=True)
class NewSchedule:
    """The values of a new schedule."""

    title: str
    job: str
    payload: Mapping[str, Any]
    timing: Timing
    paused: bool = False


@dataclass(frozen=True)
class Change:
    """A person's change; None leaves a value unchanged."""

    title: str | None = None
    payload: Mapping[str, Any] | None = None
    cron: str | None = None
    every_seconds: int | None = None
    time_zone: str | None = None
    paused: bool | None = None

    def timing(self, before: Timing) -> Timing:
        """The schedule's times after the change; a cron expression and an interval replace each
        other.

        Raises BadTiming.
        """
        cron, every_seconds = self.cron, self.every_seconds
        if cron is None and every_seconds is None:
            cron, every_seconds = before.cron, before.every_seconds
        zone = before.time_zone if cron is not None else UTC_ZONE
        return Timing(cron, every_seconds, self.time_zone or zone)


@dataclass(frozen=True)
class Shown:
    """A schedule and the status of its last job."""

    row: ScheduleRow
    last_job_status: str | None
    is_known: bool
    """False if no pack declares it or its job any more; it starts nothing then."""
