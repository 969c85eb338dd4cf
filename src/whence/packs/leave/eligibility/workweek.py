"""The employee's own workweek: a week of leave is that week, whatever days it has.

29 CFR 825.205(b)(1); 2 CCR 11090(c) and 11042(a)(2).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from whence.packs.leave.records import LeaveRequest, Pattern, Weekday

from .days import DAY, WORKDAYS
from .holidays import holidays_between

MONDAY_TO_FRIDAY = frozenset(range(WORKDAYS))
CREW_WEEK = frozenset(range(6))
"""Flight crews are charged by a uniform workweek of six days (29 CFR 825.802)."""
_WEEK = 7


@dataclass(frozen=True)
class Workweek:
    """The weekdays that are worked (Monday is 0), and days off that do not count as leave."""

    weekdays: frozenset[int] = MONDAY_TO_FRIDAY
    not_counted: frozenset[date] = frozenset()

    @property
    def days(self) -> int:
        """How many days a week of work has."""
        return len(self.weekdays)

    def is_workday(self, day: date) -> bool:
        """Whether leave on this day counts."""
        return day.weekday() in self.weekdays and day not in self.not_counted

    def workdays(self, first: date, last: date) -> int:
        """The workdays from first to last, both counted; 0 where last is before first."""
        if last < first:
            return 0
        weeks, rest = divmod((last - first).days + 1, _WEEK)
        more = sum((first + DAY * at).weekday() in self.weekdays for at in range(rest))
        off = sum(
            first <= day <= last and day.weekday() in self.weekdays for day in self.not_counted
        )
        return weeks * self.days + more - off

    def weeks(self, first: date, last: date) -> float:
        """The weeks of leave from first to last, both counted."""
        return self.workdays(first, last) / self.days

    def next_workday(self, day: date) -> date:
        """The first workday after a day."""
        day += DAY
        while day.weekday() not in self.weekdays:
            day += DAY
        return day


def workweek_of(request: LeaveRequest) -> Workweek:
    """The workweek that a request states; Monday to Friday where it states none."""
    weekdays = MONDAY_TO_FRIDAY
    if request.workdays:
        order = list(Weekday)
        weekdays = frozenset(order.index(one) for one in request.workdays)
    elif request.flight_crew:
        weekdays = CREW_WEEK
    return Workweek(weekdays, _holidays_off(request, weekdays) | closed_days(request, weekdays))


def closed_days(request: LeaveRequest, weekdays: frozenset[int]) -> frozenset[date]:
    """The days of a week or more in which the business is closed and nobody is to work: they do
    not count as leave (29 CFR 825.200(h)).  None of them where it is shorter than a week."""
    first, last = request.closed_from, request.closed_until
    if first is None or last is None or Workweek(weekdays).workdays(first, last) < len(weekdays):
        return frozenset()
    return frozenset(first + DAY * at for at in range((last - first).days + 1))


def has_partial_holidays(request: LeaveRequest) -> bool:
    """Whether a public holiday falls in a part of a week of the leave."""
    return bool(_holidays_in_parts(request, workweek_of(request).weekdays))


def _holidays_off(request: LeaveRequest, weekdays: frozenset[int]) -> frozenset[date]:
    """Holidays in a part of a week of leave count only if they were to be worked
    (29 CFR 825.200(h)); where that is not stated, they are counted, and a remark says so."""
    return _holidays_in_parts(request, weekdays) if request.works_holidays is False else frozenset()


def _holidays_in_parts(request: LeaveRequest, weekdays: frozenset[int]) -> frozenset[date]:
    first, last = request.starts_on, request.ends_on
    if first is None or last is None:
        return frozenset()
    in_california = request.works_in_california is not False
    held = holidays_between(first, last, california=in_california)
    days = [day for day, _ in held if day.weekday() in weekdays]
    if request.pattern in (Pattern.INTERMITTENT, Pattern.REDUCED):
        return frozenset(days)
    return frozenset(day for day in days if not _in_full_week(day, first, last, weekdays))


def _in_full_week(day: date, first: date, last: date, weekdays: frozenset[int]) -> bool:
    """Whether the leave has all workdays of the calendar week (from Sunday) of a day."""
    sunday = day - timedelta(days=(day.weekday() + 1) % _WEEK)
    week = [sunday + DAY * at for at in range(_WEEK)]
    return all(first <= one <= last for one in week if one.weekday() in weekdays)
