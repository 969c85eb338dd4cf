"""Cells to values: text, whole numbers, yes and no, identifiers. What is not one says why."""

from __future__ import annotations

import re
import unicodedata

from stdnum import ean, isbn
from stdnum.exceptions import ValidationError

from whence.sdk.errors import Invalid
from whence.sdk.text import clean

BLANK = {"", "null", "none", "n/a", "#n/a", "\\n", "-", "--", "—"}
"""What exports write where there is nothing."""

LONGEST_BLANK = max(map(len, BLANK))

NO_NAME = {"nan", "unbranded", "does not apply", "unknown", "not applicable", "no brand"}
"""What sellers write into a brand, model or number that the thing does not have."""

MAX_WHOLE = 1_000_000
_SPREADSHEET_NUMBER = re.compile(r"\d(?:\.\d+)?E\+\d+", re.IGNORECASE)
_TRUE = {"true", "yes", "y", "1", "x", "t"}
_FALSE = {"false", "no", "n", "0", "f"}


class BadValue(Invalid):
    """The cell does not hold what its column is for."""


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
        return None if len(value) <= LONGEST_BLANK and value.lower() in BLANK else value
    return None if is_blank(value) else value


def text(value: object) -> str:
    """One value as clean text. Raises `BadValue` for a list or an object."""
    if isinstance(value, str):
        return tidy(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else str(value)
    raise BadValue("A text is needed, not a list or an object.")


def line_of_text(value: object) -> str:
    """Clean text on one line."""
    found = text(value)
    return " ".join(found.split("\n")).strip() if "\n" in found else found


def name(value: object) -> str | None:
    """A brand, model, part number or category; None where the seller says there is none.

    Raises `BadValue` above 500 characters.
    """
    found = line_of_text(value)
    if len(found) > 500:
        raise BadValue("Longer than 500 characters.")
    return None if found.lower() in NO_NAME else found


def whole(value: object) -> int:
    """A quantity, 0 to 1,000,000. Raises `BadValue`."""
    if isinstance(value, bool):
        raise BadValue("A number is needed.")
    written = text(value).replace(",", "")
    if written.startswith("-"):
        raise BadValue("A quantity cannot be negative.")
    if not re.fullmatch(r"[0-9]{1,15}(\.0{1,6})?", written):
        raise BadValue("A whole number is needed.")
    number = int(written.partition(".")[0])
    if number > MAX_WHOLE:
        raise BadValue(f"More than {MAX_WHOLE:,} is not a quantity.")
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
    """An ISO 4217 code, by shape. Raises `BadValue`."""
    written = text(value).upper()
    written = {"$": "USD", "US $": "USD", "€": "EUR", "£": "GBP"}.get(written, written)
    if not re.fullmatch(r"[A-Z]{3}", written):
        raise BadValue("A currency is a code of three letters, such as USD.")
    return written


def gtin(value: object) -> str | None:
    """UPC, EAN, GTIN or ISBN as GTIN-14; None where the seller says it does not apply.

    An 11-digit number whose check digit is right is a UPC-A that lost its leading zero in a
    spreadsheet. Raises `BadValue` with the reason otherwise (length, check digit, rounding).
    """
    written = unicodedata.normalize("NFKC", line_of_text(value))
    if written.lower() in NO_NAME:
        return None
    if _SPREADSHEET_NUMBER.fullmatch(written):
        raise BadValue("A spreadsheet rounded this code; format the column as text.")
    code = re.sub(r"[\s\-'=\"]", "", written).upper().removesuffix(".0")
    if len(code) == 10 and isbn.is_valid(code):
        code = isbn.to_isbn13(code)
    elif len(code) == 11:
        code = "0" + code
    if not (code.isascii() and code.isdigit()):
        raise BadValue("A GTIN has digits only.")
    if not code.strip("0"):
        raise BadValue("A GTIN is not all zeros.")
    try:
        return ean.validate(code).zfill(14)
    except ValidationError as error:
        raise BadValue(f"Not a GTIN: {_GTIN_REASONS.get(type(error).__name__, error)}") from error


_GTIN_REASONS = {
    "InvalidLength": "it needs 8, 12, 13 or 14 digits.",
    "InvalidChecksum": "its check digit is wrong.",
}


def link(value: object) -> str:
    """A web address (http or https, up to 2,000 characters). Raises `BadValue`."""
    written = line_of_text(value)
    if not re.match(r"https?://[^\s/]", written, re.IGNORECASE):
        raise BadValue("A link begins with http:// or https://.")
    if len(written) > 2_000:
        raise BadValue("A link of more than 2,000 characters.")
    return written
