"""What an outcome shows beside its text: a calendar, and what would change it."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from whence.kernel.wire import Wire

Weekday = Annotated[int, Field(ge=0, le=6)]


class CalendarSpan(Wire):
    """Days from `first` to `last`, both counted, in one state."""

    first: date
    last: date
    state: Literal["covered", "not_covered", "unknown"]


class CalendarRow(Wire):
    """One line of a calendar, such as a law: what its days are, and the same in words."""

    title: str
    text: str
    spans: list[CalendarSpan]


class CalendarMark(Wire):
    """A day to know."""

    on: date
    text: str


class Calendar(Wire):
    """Days of a result, line by line: a client draws them as a strip and as a table."""

    first: date
    last: date
    weekdays: list[Weekday]
    """The weekdays that count, Monday is 0; the others are drawn as days off."""
    days_off: list[date]
    """Further days that do not count, such as public holidays."""
    rows: list[CalendarRow]
    marks: list[CalendarMark] = Field(default_factory=list[CalendarMark])


class Alternative(Wire):
    """One fact as it might be, and what would then be otherwise."""

    fact: str
    stated: str
    supposed: str
    effects: list[str]


class OutcomeShown(Wire):
    """Beside an outcome's text, rules and values: headings for the values, and these parts."""

    about: dict[str, str]
    """What the result is about: its head, on the screen and in print."""
    labels: dict[str, str]
    """Headings of `values` in the reader's words, by their names."""
    calendar: Calendar | None
    alternatives: list[Alternative]
    """What would change the result."""
