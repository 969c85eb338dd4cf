"""When a schedule is due: a cron expression in a time zone, or an interval.

Cron follows the local time of its zone like Debian's cron: a fixed time skipped by the change to
summer time runs right after the change, and one repeated by the change back runs once. Hourly
schedules and those every few minutes run by elapsed time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice, pairwise
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

from whence.kernel.clock import now
from whence.kernel.errors import Invalid

CRON_FIELDS = 5
LONGEST_SECONDS = 366 * 24 * 3600
"""Longest interval; for anything rarer, use a cron expression."""
COMPARED_TICKS = 200
"""How many ticks of a cron expression are searched for the shortest gap."""
UTC_ZONE = "UTC"
_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


class BadTiming(Invalid):
    """A schedule has either a cron expression or an interval in seconds; give one of the two."""


class BadCron(BadTiming):
    """A cron expression has five fields: minute, hour, day, month and weekday."""


class BadInterval(BadTiming):
    """An interval is a whole number of seconds, at least 1 and at most a year."""


class NoSuchTimeZone(BadTiming):
    """There is no such time zone; use a name such as 'Europe/Berlin' or 'UTC'."""


class TimeZoneOfInterval(BadTiming):
    """A time zone applies to a cron expression only; an interval is elapsed time, the same
    everywhere. Leave the time zone out, or give a cron expression."""


@dataclass(frozen=True)
class Timing:
    """A cron expression in a time zone, or an interval; raises BadTiming for anything else."""

    cron: str | None = None
    every_seconds: int | None = None
    time_zone: str = UTC_ZONE
    """The time zone of the cron expression; an interval is elapsed time and has none."""

    def __post_init__(self) -> None:
        if (self.cron is None) == (self.every_seconds is None):
            raise BadTiming
        if self.time_zone not in _time_zones():
            raise NoSuchTimeZone(
                f"There is no time zone '{self.time_zone}'; use a name such as 'Europe/Berlin' or"
                " 'UTC'."
            )
        if self.every_seconds is not None and self.time_zone != UTC_ZONE:
            raise TimeZoneOfInterval
        if self.every_seconds is not None and not 1 <= self.every_seconds <= LONGEST_SECONDS:
            raise BadInterval
        if self.cron is not None:
            self._ticks(now())

    def next_after(self, moment: datetime, anchor: datetime) -> datetime:
        """The first tick after `moment`, in UTC; intervals count from `anchor`."""
        if self.every_seconds is not None:
            passed = (moment - anchor).total_seconds() / self.every_seconds
            return anchor + timedelta(seconds=self.every_seconds) * max(math.floor(passed) + 1, 1)
        return next(self._ticks(moment)).astimezone(UTC)

    def next_ticks(self, count: int) -> list[datetime]:
        """The next `count` ticks from now on, in UTC; intervals count from now."""
        at = now()
        if self.every_seconds is not None:
            return [at + n * timedelta(seconds=self.every_seconds) for n in range(1, count + 1)]
        return [tick.astimezone(UTC) for tick in islice(self._ticks(at), count)]

    @property
    def shortest_seconds(self) -> float:
        """The shortest time between two of the next ticks, in seconds."""
        if self.every_seconds is not None:
            return self.every_seconds
        ticks = [tick.astimezone(UTC) for tick in islice(self._ticks(now()), COMPARED_TICKS)]
        gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(ticks)]
        return min(gaps, default=math.inf)

    @property
    def description(self) -> str:
        """A description such as `At 06:00 on Monday (Europe/Berlin)` or `Every 6 hours`."""
        if self.every_seconds is not None:
            return _every(self.every_seconds)
        return f"{self._ticks(now()).explain()} ({self.time_zone})"

    def _ticks(self, after: datetime) -> CronSim:
        """The ticks after `after`; raises BadCron, also for a date that no month has."""
        expression = self.cron or ""
        try:
            if len(expression.split()) != CRON_FIELDS:
                raise CronSimError("Wrong number of fields")
            next(CronSim(expression, after.astimezone(ZoneInfo(self.time_zone))))
        except (CronSimError, StopIteration) as error:
            reason = str(error).lower() or "it never occurs"
            raise BadCron(
                f"'{expression[:100]}' is not a cron expression: {reason}. Write five fields"
                " (minute, hour, day, month, weekday), such as '0 6 * * mon' for Mondays at 6."
            ) from error
        return CronSim(expression, after.astimezone(ZoneInfo(self.time_zone)))


def cron(expression: str, time_zone: str = UTC_ZONE) -> Timing:
    """The times of a cron expression, in local time of a time zone."""
    return Timing(cron=expression, time_zone=time_zone)


def every(*, seconds: int = 0, minutes: int = 0, hours: int = 0, days: int = 0) -> Timing:
    """An interval: the sum of the given units."""
    return Timing(every_seconds=seconds + 60 * (minutes + 60 * (hours + 24 * days)))


def _every(seconds: int) -> str:
    unit, length = next(each for each in _UNITS if seconds % each[1] == 0)
    number = seconds // length
    return f"Every {unit}" if number == 1 else f"Every {number} {unit}s"


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones())
