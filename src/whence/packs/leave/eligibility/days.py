"""Arithmetic of days and months, as employment law counts them."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

WORKDAYS = 5
"""Monday to Friday: what a week of leave is, unless hours are given."""
DAY = timedelta(days=1)


def add_months(day: date, months: int) -> date:
    """The same day of a later (or earlier) month; the month's last where it has no such day."""
    at = day.year * 12 + day.month - 1 + months
    year, month = divmod(at, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def year_end(first: date) -> date:
    """The last day of the 12 months that begin on a day.

    A year that begins on February 29 ends on the last day of the next February.
    """
    again = add_months(first, 12)
    return again if again.day < first.day else again - DAY


def months_and_days(start: date, end: date) -> tuple[int, int]:
    """Whole months from start to end, and the days beyond them; (0, 0) where end is not later."""
    if end <= start:
        return 0, 0
    months = (end.year - start.year) * 12 + end.month - start.month
    if add_months(start, months) > end:
        months -= 1
    return months, (end - add_months(start, months)).days


def is_workday(day: date) -> bool:
    """Monday to Friday; public holidays are not known here."""
    return day.weekday() < WORKDAYS


def workdays(start: date, end: date) -> int:
    """Weekdays from start to end, both counted; 0 where end is before start."""
    if end < start:
        return 0
    weeks, rest = divmod((end - start).days + 1, 7)
    return weeks * WORKDAYS + sum(is_workday(start + DAY * at) for at in range(rest))


def add_workdays(day: date, count: int) -> date:
    """The `count`-th weekday after a day."""
    while count > 0:
        day += DAY
        count -= is_workday(day)
    return day
