"""Cells to values: text, whole numbers, yes and no, links. What is not one says why."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from whence.kernel.currencies import CURRENCIES
from whence.kernel.errors import Invalid
from whence.kernel.text import clean
from whence.kernel.words import CURRENCY_SIGNS

BLANK = {"", "null", "none", "n/a", "#n/a", "\\n", "-", "--", "—"}
"""What exports write where there is nothing."""

FORMULA = frozenset("=+-@")
"""What a spreadsheet takes for the beginning of a formula, unless an apostrophe marks text."""
LONGEST_BLANK = max(map(len, BLANK))
MAX_WHOLE = 1_000_000
MAX_LINK = 2_000
_TRUE = {"true", "yes", "y", "1", "x", "t"}
_FALSE = {"false", "no", "n", "0", "f"}


class BadValue(Invalid):
    """The cell does not hold what its column is for."""


@dataclass(frozen=True, slots=True)
class CellError:
    """A cell of a spreadsheet that shows an error instead of a value."""

    code: str
    """As the spreadsheet writes it: `#DIV/0!`."""

    def __str__(self) -> str:
        return self.code


def is_blank(value: object) -> bool:
    """Nothing in it, or a word that means nothing."""
    if isinstance(value, str):
        return len(value) <= LONGEST_BLANK and value.strip().lower() in BLANK
    return value is None or value in ([], {})


def tidy(value: str) -> str:
    """The same as `clean`, five times as fast on the plain text that most cells hold."""
    if value.isascii() and value.isprintable() and "  " not in value:
        return value.strip()
    return clean(value)


def cell(value: object) -> object:
    """A cell as it is read from then on: tidy text, None where there is nothing in it."""
    if isinstance(value, str):
        value = tidy(value)
        if value[:1] == "'" and value[1:2] in FORMULA:
            value = value[1:]  # a spreadsheet's mark, which our own export writes too, for text
        return None if len(value) <= LONGEST_BLANK and value.lower() in BLANK else value
    return None if is_blank(value) else value


def text(value: object) -> str:
    """One value as clean text. Raises `BadValue` for a list, an object or a spreadsheet's error."""
    if isinstance(value, str):
        return tidy(value)
    if isinstance(value, CellError):
        raise BadValue(f"The spreadsheet shows the error {value.code} here.")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | timedelta):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else str(value)
    if isinstance(value, date | time):
        return _day_or_moment(value).isoformat()
    raise BadValue("A text is needed, not a list or an object.")


def _day_or_moment(value: date | time) -> date | time:
    """Spreadsheets keep a day as its midnight."""
    return value.date() if isinstance(value, datetime) and value.time() == time() else value


def line_of_text(value: object) -> str:
    """Clean text on one line."""
    content = text(value)
    return " ".join(content.split("\n")).strip() if "\n" in content else content


def whole(value: object, *, most: int = MAX_WHOLE) -> int:
    """A quantity, 0 to `most`. Raises `BadValue`."""
    if isinstance(value, bool):
        raise BadValue("A number is needed.")
    written = text(value).replace(",", "")
    if written.startswith("-"):
        raise BadValue("A quantity cannot be negative.")
    if not re.fullmatch(r"[0-9]{1,15}(\.0{1,6})?", written):
        raise BadValue("A whole number is needed.")
    number = int(written.partition(".")[0])
    if number > most:
        raise BadValue(f"More than {most:,} is not a quantity.")
    return number


def yes_or_no(value: object) -> bool:
    """A yes or no in the spellings of exports. Raises `BadValue`."""
    written = text(value).lower()
    if written in _TRUE:
        return True
    if written in _FALSE:
        return False
    raise BadValue("Yes or no is needed.")


def currency(value: object) -> str:
    """An ISO 4217 code, of a currency in use or withdrawn since 1995. Raises `BadValue`."""
    written = text(value).upper()
    written = CURRENCY_SIGNS.get(written.removeprefix("US "), written)
    if not re.fullmatch(r"[A-Z]{3}", written):
        raise BadValue("A currency is a code of three letters, such as USD.")
    return known_currency(written)


def known_currency(code: str) -> str:
    """The code, which has three capitals. Raises `BadValue` where no currency has it."""
    if code not in CURRENCIES:
        raise BadValue(f"No currency has the code {code}; write one of ISO 4217, such as USD.")
    return code


def link(value: object) -> str:
    """A web address (http or https, up to 2,000 characters). Raises `BadValue`."""
    written = line_of_text(value)
    if not re.match(r"https?://[^\s/]", written, re.IGNORECASE):
        raise BadValue("A link begins with http:// or https://.")
    if len(written) > MAX_LINK:
        raise BadValue(f"A link of more than {MAX_LINK:,} characters.")
    return written
