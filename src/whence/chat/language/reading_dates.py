"""A day in a person's words, such as `June 3`, `tomorrow` or `in 2 weeks`."""

from __future__ import annotations

import re
from datetime import date, timedelta

from whence.chat.language.dates import Day, dates, is_valid_day
from whence.kernel.errors import Invalid
from whence.kernel.text import quoted

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NEAR = {"today": 0, "now": 0, "tomorrow": 1, "yesterday": -1}
_SPAN = re.compile(r"(?:in )?(\d{1,4}) (day|week)s?(?P<past> ago)?(?: from (?:now|today))?")
_WEEKDAY = re.compile(rf"(?:(next|last|this|on) )?({'|'.join(_WEEKDAYS)})")


def read_date(words: str, today: date) -> date | None:
    """The day that the words name; None if they name none.

    A day without a year is the one nearest to today.  Raises Invalid if day and month are
    ambiguous.
    """
    text = " ".join(words.lower().replace(",", " ").split())
    if text in _NEAR:
        return today + timedelta(days=_NEAR[text])
    if span := _SPAN.fullmatch(text):
        days = int(span[1]) * (7 if span[2] == "week" else 1)
        return today + timedelta(days=-days if span["past"] else days)
    if weekday := _WEEKDAY.fullmatch(text):
        ahead = (_WEEKDAYS.index(weekday[2]) - today.weekday()) % 7
        return today + timedelta(days=ahead - 7 if weekday[1] == "last" else ahead or 7)
    written_dates = dates(words.title().replace(" Of ", " of "))
    readings = {day for each in written_dates for day in each.readings if day[2] is not None}
    if len(readings) > 1:
        raise Invalid(f"{quoted(words)} is ambiguous; write the date as {today.isoformat()}.")
    return _nearest(readings.pop(), today) if readings else None


def _nearest(day: Day, today: date) -> date | None:
    year, month, number = day
    years = [year] if year else [today.year - 1, today.year, today.year + 1]
    candidates = [date(y, month, number or 1) for y in years if is_valid_day((y, month, number))]
    return min(candidates, key=lambda each: abs(each - today), default=None)
