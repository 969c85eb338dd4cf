"""Names and product codes, as sellers write them."""

from __future__ import annotations

import re
import unicodedata

from stdnum import ean, isbn
from stdnum.exceptions import ValidationError

from whence.sdk.tabular import BadValue, line_of_text

NO_NAME = {"nan", "unbranded", "does not apply", "unknown", "not applicable", "no brand"}
"""What sellers write into a brand, model or number that the thing does not have."""

_SPREADSHEET_NUMBER = re.compile(r"\d(?:\.\d+)?E\+\d+", re.IGNORECASE)


def name(value: object) -> str | None:
    """A brand, model, part number or category; None where the seller says there is none.

    Raises `BadValue` above 500 characters.
    """
    written = line_of_text(value)
    if len(written) > 500:
        raise BadValue("Longer than 500 characters.")
    return None if written.lower() in NO_NAME else written


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
