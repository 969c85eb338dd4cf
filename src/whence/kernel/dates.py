"""Dates in a text, in the ways in which people and programs write them."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from whence.kernel.words import MONTHS, MONTHS_ELSEWHERE, NUMBERS

_MONTH = "|".join(f"{name.capitalize()}|{name[:3].capitalize()}" for name in MONTHS) + "|Sept"
_ANY_MONTH = re.compile("|".join(name[:3].capitalize() for name in MONTHS))
_DAY = r"(\d{1,2})(?:[sS][tT]|[nN][dD]|[rR][dD]|[tT][hH])?"
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NEAR = {"today": 0, "now": 0, "tomorrow": 1, "the day after tomorrow": 2, "yesterday": -1}
_COUNT = rf"(\d{{1,3}}|an?|{'|'.join(NUMBERS[1:])})"
_SPAN = re.compile(rf"(?:in )?{_COUNT} (day|week|month|year)s?( ago)?(?: from (?:now|today))?")
_NEXT = re.compile(r"(?:the )?(next|last|this) (week|month|year)")
_WEEKDAY = re.compile(rf"(?:(next|last|this|on|coming) )?({'|'.join(_WEEKDAYS)})")
_NUMBERS_ONLY = re.compile(r"(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d{2}))?")
_ISO = re.compile(
    r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?(?!\d)"
)
_SLASHES = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})(?![\d/])")
_DOTS = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)")
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\b\.?[ ]+{_DAY}\b(?:,?[ ]+(\d{{4}})\b)?")
_DAY_FIRST = re.compile(rf"(?<![\w.,]){_DAY}[ ]+(?:of[ ]+)?({_MONTH})\b\.?(?:,?[ ]+(\d{{4}})\b)?")
_MONTH_ONLY = re.compile(rf"\b({_MONTH})\b\.?,?[ ]+(?:of[ ]+)?(\d{{4}})\b")
_ENGLISH = {
    name: english
    for english, names in zip(MONTHS, MONTHS_ELSEWHERE.split("|"), strict=True)
    for name in names.split()
}
_DAY_ELSEWHERE = re.compile(
    rf"(?:\b(?:den|dem|der|am|le|el|du|del?)\s+)?\b(\d{{1,2}})(?:\.|er|º)?\s+(?:de\s+)?"
    rf"({'|'.join([*_ENGLISH, *MONTHS])})\b(?:\s+(?:de(?:l)?\s+)?(\d{{4}}))?"
)

Day = tuple[int | None, int, int | None]
"""(year, month, day), None where it is not said."""


@dataclass(frozen=True)
class WrittenDate:
    """A date as it stands in a text; two readings where day and month may be exchanged."""

    text: str
    start: int
    end: int
    readings: frozenset[Day]

    def agrees(self, other: WrittenDate) -> bool:
        """Whether the other date, which must say as much, can be the same."""
        return any(
            _is_covered_by(mine, theirs) for mine in self.readings for theirs in other.readings
        )


def dates(text: str) -> list[WrittenDate]:
    """The dates of a text, in order; names of months have to be capitalised (`may 5` is none)."""
    written_dates: list[WrittenDate] = []
    covered = bytearray(len(text))
    for match, readings in _matches(text):
        valid_days = frozenset(day for day in readings if is_valid_day(day))
        start, end = match.span()
        if valid_days and not any(covered[start:end]):
            covered[start:end] = bytes([1]) * (end - start)
            written_dates.append(WrittenDate(match[0], start, end, valid_days))
    return sorted(written_dates, key=lambda each: each.start)


def month_number(name: str) -> int:
    """1 to 12 for a month's name or its first three letters."""
    return next(at for at, month in enumerate(MONTHS, 1) if month[:3] == name.lower()[:3])


def is_valid_day(day: Day) -> bool:
    """Whether there is such a day (29 February passes where no year is said)."""
    year, month, number = day
    try:
        date(year or 2024, month, number or 1)
    except ValueError:
        return False
    return True


def _matches(text: str) -> Iterator[tuple[re.Match[str], list[Day]]]:
    for match in _ISO.finditer(text) if "-" in text else ():
        yield match, [(int(match[1]), int(match[2]), int(match[3]))]
    for match in _SLASHES.finditer(text) if "/" in text else ():
        year = int(match[3]) + (2000 if len(match[3]) == 2 else 0)
        first, second = int(match[1]), int(match[2])
        yield match, [(year, first, second), (year, second, first)]
    for match in _DOTS.finditer(text):
        yield match, [(int(match[3]), int(match[2]), int(match[1]))]
    if _ANY_MONTH.search(text) is None:
        return
    for match in _DAY_FIRST.finditer(text):
        yield match, [(_year(match[3]), month_number(match[2]), int(match[1]))]
    for match in _MONTH_FIRST.finditer(text):
        yield match, [(_year(match[3]), month_number(match[1]), int(match[2]))]
    for match in _MONTH_ONLY.finditer(text):
        yield match, [(int(match[2]), month_number(match[1]), None)]


def _is_covered_by(mine: Day, theirs: Day) -> bool:
    return all(own is None or own == other for own, other in zip(mine, theirs, strict=True))


def _year(digits: str | None) -> int | None:
    return int(digits) if digits else None


def read_day(words: str, today: date, near: date | None = None) -> date | None:
    """The day that a person's words name, None where they name none.

    A day without a year is the one nearest to `near`, a day that the record is about, or to today.
    Figures alone have the month first, as in the United States: `3/2` is March 2.  `Next month`
    is its first day.
    """
    text = " ".join(words.lower().replace(",", " ").split()).removeprefix("on ")
    if elsewhere := _DAY_ELSEWHERE.fullmatch(text):
        month = _ENGLISH.get(elsewhere[2], elsewhere[2])
        words = text = f"{elsewhere[1]} {month} {elsewhere[3] or ''}".strip()
    if text in _NEAR:
        return today + timedelta(days=_NEAR[text])
    if span := _SPAN.fullmatch(text):
        return moved(today, _counted(span[1]) * (-1 if span[3] else 1), span[2])
    if coming := _NEXT.fullmatch(text):
        return _begun(today, {"last": -1, "this": 0, "next": 1}[coming[1]], coming[2])
    if weekday := _WEEKDAY.fullmatch(text):
        ahead = (_WEEKDAYS.index(weekday[2]) - today.weekday()) % 7
        return today + timedelta(days=ahead - 7 if weekday[1] == "last" else ahead or 7)
    if figures := _NUMBERS_ONLY.fullmatch(text):
        year = _year(figures[3])
        day = (year + 2000 if year and year < 100 else year, int(figures[1]), int(figures[2]))
        return _nearest(day, near or today)
    named = dates(words.title().replace(" Of ", " of "))
    days = {day for each in named for day in each.readings if day[2] is not None}
    return _nearest(days.pop(), near or today) if len(days) == 1 else None


def _counted(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return NUMBERS.index(word) if word in NUMBERS else 1


def moved(day: date, count: int, unit: str) -> date:
    """The day moved by days, weeks, months or years; January 31 and a month is February's last."""
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    month = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    year, at = divmod(month, 12)
    return date(year, at + 1, min(day.day, monthrange(year, at + 1)[1]))


def _begun(day: date, count: int, unit: str) -> date:
    """The first day of this, the last or the next week (a Monday), month or year."""
    if unit == "week":
        return day + timedelta(days=7 * count - day.weekday())
    first = moved(day.replace(day=1), count, unit)
    return first.replace(month=1) if unit == "year" else first


def _nearest(day: Day, near: date) -> date | None:
    year, month, number = day
    years = [year] if year else [near.year - 1, near.year, near.year + 1]
    valid = [date(y, month, number or 1) for y in years if is_valid_day((y, month, number))]
    return min(valid, key=lambda each: abs(each - near), default=None)
