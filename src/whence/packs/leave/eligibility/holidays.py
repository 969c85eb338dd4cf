"""Public holidays, by rule: those of the federal government and of California.

No law says which of them are business days of an employer, so they never move a due day by
themselves: a day that they would move is told beside it.  Sources: the provisions `days.federal`
(5 U.S.C. 6103) and `days.california` (Gov. Code 6700, 6701).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from .days import DAY, is_workday

MONDAY, THURSDAY, SATURDAY, SUNDAY = 0, 3, 5, 6
JUNETEENTH_SINCE = 2021
"""The year in which it became a federal holiday (Pub. L. 117-17)."""


@dataclass(frozen=True)
class Counted:
    """A day that is so many business days away."""

    on: date
    """Where each weekday is a business day."""
    later: date
    """Where public holidays are none; the same day if there are none on the way."""
    passed: tuple[str, ...] = ()
    """The holidays that make the difference, each with its day."""


def business_days(day: date, count: int, *, california: bool) -> Counted:
    """The `count`-th business day after a day, counted both ways."""
    on = later = day
    remaining, remaining_strict = count, count
    passed: list[str] = []
    while remaining_strict > 0:
        later += DAY
        if not is_workday(later):
            continue
        if remaining > 0:
            on, remaining = later, remaining - 1
        if name := holiday(later, california=california):
            passed.append(name)
        else:
            remaining_strict -= 1
    return Counted(on, later, tuple(dict.fromkeys(passed)))


def holiday(day: date, *, california: bool) -> str | None:
    """The name of the public holiday that is kept on a weekday, None for any other day."""
    federal = _federal(day.year).get(day) or _federal(day.year + 1).get(day)
    return federal or (_californian(day.year).get(day) if california else None)


def holidays_between(first: date, last: date, *, california: bool) -> list[tuple[date, str]]:
    """The holidays that are kept on weekdays from first to last, both counted."""
    days = (first + DAY * at for at in range((last - first).days + 1))
    return [
        (day, name)
        for day in days
        if is_workday(day) and (name := holiday(day, california=california))
    ]


@cache
def _federal(year: int) -> Mapping[date, str]:
    """The holidays of a year by the weekday on which they are kept; January 1 of a Saturday is
    kept in the year before."""
    return {_observed_on(day): name for day, name in _holidays_of(year)}


def _holidays_of(year: int) -> Iterator[tuple[date, str]]:
    yield date(year, 1, 1), "New Year's Day"
    yield _nth(year, 1, MONDAY, 3), "Martin Luther King Day"
    yield _nth(year, 2, MONDAY, 3), "Washington's Birthday"
    yield _last_monday_of_may(year), "Memorial Day"
    if year >= JUNETEENTH_SINCE:
        yield date(year, 6, 19), "Juneteenth"
    yield date(year, 7, 4), "Independence Day"
    yield _nth(year, 9, MONDAY, 1), "Labor Day"
    yield _nth(year, 10, MONDAY, 2), "Columbus Day"
    yield date(year, 11, 11), "Veterans Day"
    yield _thanksgiving(year), "Thanksgiving"
    yield date(year, 12, 25), "Christmas"


@cache
def _californian(year: int) -> Mapping[date, str]:
    chavez = date(year, 3, 31)
    return {
        chavez + DAY if chavez.weekday() == SUNDAY else chavez: "Cesar Chavez Day",
        _thanksgiving(year) + DAY: "the day after Thanksgiving",
    }


def _thanksgiving(year: int) -> date:
    return _nth(year, 11, THURSDAY, 4)


def _last_monday_of_may(year: int) -> date:
    last = date(year, 5, 31)
    return last - timedelta(days=last.weekday())


def _nth(year: int, month: int, weekday: int, count: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (count - 1))


def _observed_on(day: date) -> date:
    """A Saturday's holiday is kept on the Friday before, a Sunday's on the Monday after."""
    return day + DAY * {SATURDAY: -1, SUNDAY: 1}.get(day.weekday(), 0)
