"""A day in a person's words, such as `June 3`, `tomorrow` or `in two weeks`."""

from __future__ import annotations

import re
from datetime import date

from whence.kernel.dates import dates, read_day
from whence.kernel.errors import Invalid
from whence.kernel.text import quoted

_DAY_OR_MONTH = re.compile(r"(0?[1-9]|1[0-2])/(0?[1-9]|1[0-2])")


def read_date(words: str, today: date) -> date | None:
    """The day that the words name; None if they name none.

    A day without a year is the one nearest to today.  Raises Invalid if day and month are
    ambiguous.
    """
    written = dates(words.title().replace(" Of ", " of "))
    readings = {day for each in written for day in each.readings if day[2] is not None}
    figures = _DAY_OR_MONTH.fullmatch(words.strip())
    if len(readings) > 1 or (figures and int(figures[1]) != int(figures[2])):
        raise Invalid(f"{quoted(words)} is ambiguous; write the date as {today.isoformat()}.")
    return read_day(words, today)
