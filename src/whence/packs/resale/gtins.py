"""Normalises GTINs as people write them to 14 digits."""

from __future__ import annotations

import re

from stdnum import ean


def as_gtin14(written: str) -> str:
    """The GTIN-14 of a UPC, EAN or GTIN; spaces and hyphens are ignored.

    Raises `ValueError` for another length, a wrong check digit, or only zeros.
    """
    digits = re.sub(r"[ \-]", "", written)
    if not (digits.isascii() and digits.isdigit() and len(digits) in {8, 12, 13, 14}):
        raise ValueError("A barcode (GTIN) has 8, 12, 13 or 14 digits.")
    if not ean.is_valid(digits) or not digits.strip("0"):
        raise ValueError(
            "The check digit of this barcode (GTIN) is wrong; compare it with the print."
        )
    return digits.zfill(14)
