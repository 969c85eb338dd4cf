"""Products that are named by a number alone: set, catalogue and article numbers, and ISBNs.

A bare number in a title is often something else (a count, a size, a series), so it names the
product only where the text says so (`set 75192`, `No. 4711`, `#75192`), where the same number is
printed on the item, or where the brand is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from whence.packs.resale.matching.profile import looks_like_code
from whence.packs.resale.matching.tokens import words

from .records import ProductLook

_INTRODUCED = re.compile(
    r"(?:\b(?:sets?|kits?|no|nr|num|number|ref|reference|art|article|item|cat|catalogue|catalog|"
    r"model|part|type|style|stock)\b\.?\s*(?:(?:no|nr|num|number|code)\b\.?)?\s*[:#]?\s*|#\s?)"
    r"(?P<number>\d{4,8}(?:-\d{1,2})?)(?![\w.,]*\d)(?!\s*(?:pcs|pieces|parts|x\b|mm|cm|ml|watts?))",
    re.I,
)
_ISBN = re.compile(r"(?<![\d-])(?:97[89][- ]?)?\d(?:[- ]?\d){8}[- ]?[\dXx](?![\d-])")
_ISBN_LETTERS = 10
_EAN_LENGTH = 13


def catalogue_number(look: ProductLook) -> str | None:
    """The number that names the product; None if none does, or if several might."""
    title = [w for w in words(look.title) if w.isdigit() and looks_like_code(w)]
    if look.brand:
        return next(iter(title), None)
    introduced = _distinct(match["number"] for match in _INTRODUCED.finditer(look.title))
    if len(introduced) == 1:
        return introduced[0]
    printed = {w for line in look.printed for w in words(line)}
    both = _distinct(number for number in title if number in printed)
    return both[0] if len(both) == 1 else None


def isbn(look: ProductLook) -> str | None:
    """The one ISBN in the record's texts or in print as a GTIN of 14 digits; None for several.

    An ISBN-10 becomes the EAN-13 of the same book (ISO 2108): 978, its nine digits, a new check
    digit.
    """
    texts = (look.title, look.description, *look.attributes.values(), *look.printed)
    numbers = _distinct(
        ean for text in texts for match in _ISBN.finditer(text) if (ean := _ean(match[0]))
    )
    return f"0{numbers[0]}" if len(numbers) == 1 else None


def _ean(written: str) -> str | None:
    """The EAN-13 of an ISBN whose check digit is right."""
    digits = re.sub(r"[- ]", "", written).upper()
    if len(digits) == _EAN_LENGTH:
        return digits if digits.isdigit() and digits[-1] == _check_digit(digits[:-1]) else None
    if len(digits) != _ISBN_LETTERS or not _is_isbn10(digits):
        return None
    ean = f"978{digits[:-1]}"
    return ean + _check_digit(ean)


def _is_isbn10(digits: str) -> bool:
    if not digits[:-1].isdigit():
        return False
    values = [10 if each == "X" else int(each) for each in digits]
    return sum(value * (10 - at) for at, value in enumerate(values)) % 11 == 0


def _check_digit(digits: str) -> str:
    total = sum(int(each) * (3 if at % 2 else 1) for at, each in enumerate(digits))
    return str(-total % 10)


def _distinct(numbers: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(numbers))
