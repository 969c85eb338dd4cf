"""Dates and moments as exports write them; always UTC.

`03/04/2024` is month first (as American exports write it) unless the file itself shows otherwise:
when one of its first rows has a first number above 12, and none a second one, all are read day
first.  Dates with dots or dashes (`03.04.2024`, `03-04-2024`) are day first.  A time without a
zone is UTC; named zones (PST, CET) are the ones in `ZONES`.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from whence.kernel.words import MONTHS

from .values import BadValue, text

MAX_DAYS_AGO = 36_500
MAX_CHARACTERS = 60

ZONES = {
    "utc": 0, "gmt": 0, "z": 0, "bst": 1, "cet": 1, "cest": 2,
    "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
}  # fmt: skip
"""Hours east of UTC."""

_MONTHS = tuple(name[:3] for name in MONTHS)
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})\b(.*)", re.DOTALL)
_DAY_FIRST = re.compile(r"(\d{1,2})[.-](\d{1,2})[.-](\d{4}|\d{2})\b(.*)", re.DOTALL)
_YEAR_FIRST = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b(.*)", re.DOTALL)
_MONTH_NAMED = re.compile(r"([a-z]{3,9})[ .-]+(\d{1,2})(?:st|nd|rd|th)?[ ,.-]+(\d{4}|\d{2})\b(.*)")
_DAY_MONTH_NAMED = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th)?[ .-]+([a-z]{3,9})[ ,.-]+(\d{4}|\d{2})\b(.*)"
)
_TIME = re.compile(
    r"[ ,t]*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap]m)?\s*([a-z]{1,4}|[+-]\d{2}:?\d{2})?"
)


def slash_order(written: object) -> str | None:
    """`day` or `month` when a slashed date can only be read with that first."""
    parts = _SLASHED.match(written.strip()) if isinstance(written, str) else None
    if parts is None:
        return None
    first, second = int(parts[1]), int(parts[2])
    return "day" if first > 12 >= second else "month" if second > 12 >= first else None


def moment(value: object, *, day_first: bool = False) -> datetime:
    """The moment in a cell, in UTC. Numbers are Unix seconds or milliseconds, or days as Excel
    counts them; dates of a workbook are taken as they are.

    Raises `BadValue` when it is no date.
    """
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    try:
        when = _read(text(value), day_first=day_first)
    except (ValueError, OverflowError) as error:
        raise BadValue("There is no such date.") from error
    if when is None:
        raise BadValue("Not a date (write it as 2025-01-31).")
    return when


def day(value: object, *, day_first: bool = False) -> date:
    """The day in a cell. Raises `BadValue` as `moment`."""
    return moment(value, day_first=day_first).date()


def days_ago(value: object, at: datetime) -> datetime:
    """A date given as days before now (whole or not, 0 to 36,500). Raises `BadValue`."""
    written = text(value)
    if not re.fullmatch(r"[0-9]{1,5}(\.[0-9]{1,6})?", written) or float(written) > MAX_DAYS_AGO:
        raise BadValue("A number of days (0 to 36,500) is needed.")
    return at - timedelta(days=float(written))


@lru_cache(maxsize=4_096)
def _read(written: str, *, day_first: bool) -> datetime | None:
    if len(written) > MAX_CHARACTERS:
        return None
    if re.fullmatch(r"\d{5,13}(\.\d+)?", written):
        return _from_number(float(written))
    try:
        when = datetime.fromisoformat(written)
    except ValueError:
        return _read_words(written.lower(), day_first=day_first)
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)


def _from_number(number: float) -> datetime | None:
    if number < 100_000:
        return datetime(1899, 12, 30, tzinfo=UTC) + timedelta(days=number)
    if 19_900_000 <= number < 21_000_000:
        return datetime.strptime(str(int(number)), "%Y%m%d").replace(tzinfo=UTC)
    if number < 100_000_000:
        return None
    return datetime.fromtimestamp(number / 1_000 if number >= 1e11 else number, UTC)


def _read_words(written: str, *, day_first: bool) -> datetime | None:
    if parts := _SLASHED.fullmatch(written):
        first, second = int(parts[1]), int(parts[2])
        if first > 12 or (day_first and second <= 12):
            first, second = second, first
        return _at(parts[3], first, second, parts[4])
    if parts := _DAY_FIRST.fullmatch(written):
        return _at(parts[3], int(parts[2]), int(parts[1]), parts[4])
    if parts := _YEAR_FIRST.fullmatch(written):
        return _at(parts[1], int(parts[2]), int(parts[3]), parts[4])
    if (parts := _MONTH_NAMED.fullmatch(written)) and parts[1][:3] in _MONTHS:
        return _at(parts[3], _MONTHS.index(parts[1][:3]) + 1, int(parts[2]), parts[4])
    if (parts := _DAY_MONTH_NAMED.fullmatch(written)) and parts[2][:3] in _MONTHS:
        return _at(parts[3], _MONTHS.index(parts[2][:3]) + 1, int(parts[1]), parts[4])
    return None


def _at(year: str, month: int, day: int, rest: str) -> datetime | None:
    full_year = int(year) if len(year) == 4 else 2000 + int(year)
    when = datetime(full_year, month, day, tzinfo=UTC)
    if not rest.strip():
        return when
    time = _TIME.fullmatch(rest.rstrip())
    if time is None:
        return None
    hour = int(time[1])
    if time[4]:
        hour = hour % 12 + (12 if time[4] == "pm" else 0)
    offset = _offset(time[5])
    if offset is None:
        return None
    return when.replace(hour=hour, minute=int(time[2]), second=int(time[3] or 0)) - offset


def _offset(zone: str | None) -> timedelta | None:
    if not zone:
        return timedelta(0)
    if zone[0] in "+-":
        digits = zone[1:].replace(":", "")
        east = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
        return east if zone[0] == "+" else -east
    return timedelta(hours=ZONES[zone]) if zone in ZONES else None
