"""The 12-month period in which leave is counted, by each of the four ways, and what was used.

29 CFR 825.200(b); 2 CCR 11090(b).  Leave is counted in weeks of the employee's own schedule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from math import ceil

from whence.packs.leave.records import EarlierLeave, YearMethod

from .days import DAY, add_months, add_workdays, year_end
from .workweek import Workweek


@dataclass(frozen=True)
class Period:
    """From its first day to its last, both counted."""

    first: date
    last: date

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last


@dataclass(frozen=True)
class WeeksTaken:
    """Leave taken before, spread evenly over its weekdays."""

    first: date
    last: date
    weeks: float
    caregiver: bool = False
    workweek: Workweek = field(default_factory=Workweek)

    def weeks_in(self, period: Period) -> float:
        """The part of it that lies in the period."""
        first, last = max(self.first, period.first), min(self.last, period.last)
        if last < first:
            return 0.0
        whole = self.workweek.workdays(self.first, self.last)
        if whole:
            return self.weeks * self.workweek.workdays(first, last) / whole
        return self.weeks * ((last - first).days + 1) / ((self.last - self.first).days + 1)

    def first_weeks(self, most: float) -> WeeksTaken:
        """Its first weeks, where it is longer than so many."""
        if self.weeks <= most:
            return self
        span = (self.last - self.first).days + 1
        last = self.first + DAY * (ceil(span * most / self.weeks) - 1)
        return replace(self, last=last, weeks=most)


def weeks_taken(
    leave: EarlierLeave, weekly_hours: float | None, workweek: Workweek
) -> WeeksTaken | None:
    """An earlier leave in weeks; None where it is in hours and the normal week is not known."""
    if leave.hours is None:
        weeks = workweek.weeks(leave.starts_on, leave.ends_on)
    elif weekly_hours is None:
        return None
    else:
        weeks = leave.hours / weekly_hours
    return WeeksTaken(leave.starts_on, leave.ends_on, weeks, leave.caregiver, workweek)


def period_of(
    method: YearMethod, day: date, used: Sequence[Period], year_starts: str | None
) -> Period | None:
    """The period that a day of leave falls in; None where the fixed year's start is not known.

    `used` are the leaves under the law, from first to last day, this one among them.
    """
    match method:
        case YearMethod.CALENDAR:
            return Period(date(day.year, 1, 1), date(day.year, 12, 31))
        case YearMethod.FIXED:
            return _fixed(day, year_starts) if year_starts else None
        case YearMethod.FORWARD:
            return _forward(day, used)
        case YearMethod.ROLLING:
            return Period(add_months(day, -12) + DAY, day)


def year_from(first: date) -> Period:
    """The 12 months that begin on a day."""
    return Period(first, year_end(first))


def _fixed(day: date, year_starts: str) -> Period:
    month, at = (int(part) for part in year_starts.split("-"))
    first = date(day.year, month, at)
    return year_from(first if first <= day else date(day.year - 1, month, at))


def _forward(day: date, used: Sequence[Period]) -> Period:
    """The next period begins with the first day of leave after the one before has ended, be it in
    the middle of a leave (29 CFR 825.200(c))."""
    return single_period(day, used) or year_from(day)


def single_period(day: date, used: Sequence[Period]) -> Period | None:
    """The 12 months, each begun by leave after the ones before were over, that a day falls in;
    None where it falls in none.  Also how the single periods of 29 CFR 825.127(e) follow."""
    period: Period | None = None
    for span in sorted((one for one in used if one.first <= day), key=lambda one: one.first):
        last = min(span.last, day)
        if period is None or span.first > period.last:
            period = year_from(span.first)
        while last > period.last:
            period = year_from(add_workdays(period.last, 1))
    return period if period and day in period else None
