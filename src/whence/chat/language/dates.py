"""Dates in a text, in the ways in which people and programs write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from whence.kernel.words import MONTHS

_MONTH = "|".join(f"{name.capitalize()}|{name[:3].capitalize()}" for name in MONTHS) + "|Sept"
_ANY_MONTH = re.compile("|".join(name[:3].capitalize() for name in MONTHS))
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_ISO = re.compile(
    r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?(?!\d)"
)
_SLASHES = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})(?![\d/])")
_DOTS = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)")
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\b\.?[ ]+{_DAY}\b(?:,?[ ]+(\d{{4}})\b)?")
_DAY_FIRST = re.compile(rf"(?<![\w.,]){_DAY}[ ]+(?:of[ ]+)?({_MONTH})\b\.?(?:,?[ ]+(\d{{4}})\b)?")
_MONTH_ONLY = re.compile(rf"\b({_MONTH})\b\.?,?[ ]+(?:of[ ]+)?(\d{{4}})\b")

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
