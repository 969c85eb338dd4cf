"""Retail barcode symbologies: how digits are drawn as bars, and which number a symbol encodes.

Source of the patterns, parities and check digits: ISO/IEC 15420 (EAN/UPC) and the GS1 General
Specifications, chapter 5.2 and section 7.9. A module is the width of the thinnest bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Symbology(StrEnum):
    EAN_13 = "EAN-13"
    UPC_A = "UPC-A"
    EAN_8 = "EAN-8"
    UPC_E = "UPC-E"
    ITF_14 = "ITF-14"


LEFT_WIDTHS = (3211, 2221, 2122, 1411, 1132, 1231, 1114, 1312, 1213, 3112)
"""Digits 0 to 9 in the left half, odd parity: widths in modules of space, bar, space, bar."""


def _modules(widths: int) -> str:
    return "".join(bit * int(width) for bit, width in zip("0101", str(widths), strict=True))


ODD = tuple(_modules(widths) for widths in LEFT_WIDTHS)
"""The same patterns as modules; 1 is a bar."""
RIGHT = tuple("".join("10"[int(bit)] for bit in pattern) for pattern in ODD)
LEFT = ODD + tuple(pattern[::-1] for pattern in RIGHT)
"""Odd parity digits at 0 to 9, even parity digits at 10 to 19."""

FIRST_DIGIT: dict[str, int] = {
    "OOOOOO": 0,
    "OOEOEE": 1,
    "OOEEOE": 2,
    "OOEEEO": 3,
    "OEOOEE": 4,
    "OEEOOE": 5,
    "OEEEOO": 6,
    "OEOEOE": 7,
    "OEOEEO": 8,
    "OEEOEO": 9,
}
"""The leading digit of an EAN-13 is drawn only as parities (odd, even) of the left half."""
UPC_E_CHECK: dict[str, int] = {
    "EEEOOO": 0,
    "EEOEOO": 1,
    "EEOOEO": 2,
    "EEOOOE": 3,
    "EOEEOO": 4,
    "EOOEEO": 5,
    "EOOOEE": 6,
    "EOEOEO": 7,
    "EOEOOE": 8,
    "EOOEOE": 9,
}
"""The check digit of a UPC-E with number system 0; system 1 has the opposite parities."""


@dataclass(frozen=True)
class Segment:
    """One guard or digit of a symbol: its possible patterns, and its neighbouring bars."""

    patterns: tuple[str, ...]
    before: str
    after: str

    @property
    def modules(self) -> int:
        return len(self.patterns[0])

    @property
    def is_digit(self) -> bool:
        return len(self.patterns) > 1


_GUARD = Segment(("101",), "0", "0")
_LEFT = Segment(LEFT, "1", "0")
_CENTRE = Segment(("01010",), "1", "1")
_RIGHT = Segment(RIGHT, "0", "1")
_END_UPC_E = Segment(("010101",), "1", "0")

SEGMENTS: dict[Symbology, tuple[Segment, ...]] = {
    Symbology.EAN_13: (_GUARD, *[_LEFT] * 6, _CENTRE, *[_RIGHT] * 6, _GUARD),
    Symbology.EAN_8: (_GUARD, *[_LEFT] * 4, _CENTRE, *[_RIGHT] * 4, _GUARD),
    Symbology.UPC_E: (_GUARD, *[_LEFT] * 6, _END_UPC_E),
}
"""UPC-A is drawn as an EAN-13 with a leading zero."""


def check_digit_holds(digits: str) -> bool:
    """Whether the last digit is the GS1 check digit (modulo 10, weights 3 and 1 from the right)."""
    from stdnum import ean

    padded = digits.zfill(14)
    return padded.isdigit() and ean.calc_check_digit(padded[:-1]) == padded[-1]


def digits_of(symbology: Symbology, drawn: Sequence[int]) -> str | None:
    """The digits encoded by a row of patterns; None if the parity or the check digit is wrong."""
    parity = "".join("E" if index >= 10 else "O" for index in drawn)
    printed = "".join(str(index % 10) for index in drawn)
    if symbology is Symbology.EAN_13:
        first = FIRST_DIGIT.get(parity[:6])
        code = None if first is None else f"{first}{printed}"
    elif symbology is Symbology.EAN_8:
        code = printed if "E" not in parity[:4] else None
    elif symbology is Symbology.UPC_E:
        return _upc_e(parity, printed)
    else:
        return None
    return code if code is not None and check_digit_holds(code) else None


def _upc_e(parity: str, printed: str) -> str | None:
    opposite = parity.translate(str.maketrans("OE", "EO"))
    system, check = 0, UPC_E_CHECK.get(parity)
    if check is None:
        system, check = 1, UPC_E_CHECK.get(opposite)
    if check is None:
        return None
    code = f"{system}{printed}{check}"
    return code if check_digit_holds(expand_upc_e(code)) else None


def expand_upc_e(code: str) -> str:
    """The 12 digits of UPC-A that an 8-digit UPC-E abbreviates."""
    system, body, check = code[0], code[1:7], code[7]
    last = body[5]
    if last in "012":
        middle = f"{body[:2]}{last}0000{body[2:5]}"
    elif last == "3":
        middle = f"{body[:3]}00000{body[3:5]}"
    elif last == "4":
        middle = f"{body[:4]}00000{body[4]}"
    else:
        middle = f"{body[:5]}0000{last}"
    return f"{system}{middle}{check}"


def gtin14(digits: str) -> str | None:
    """The GTIN-14 of 8, 12, 13 or 14 digits with a valid check digit, else None."""
    if len(digits) not in {8, 12, 13, 14} or not check_digit_holds(digits):
        return None
    return digits.zfill(14)


def is_price_line(digits: str) -> bool:
    """Whether these are the second line of a Japanese book: 192 (191 when prices still included the
    tax), four digits of subject, five of price in yen, and the check digit.

    The ISBN stands above it.  Read from descriptions of the two lines by Japanese printers, not
    confirmed in the guide of the Japan ISBN Agency.
    """
    return len(digits) == 13 and digits[:3] in {"191", "192"}


def why_not_a_product(gtin: str) -> str | None:
    """Why a correctly read code does not identify a product, or None if it does.

    GS1 prefixes: https://www.gs1.org/standards/id-keys/company-prefix
    """
    if gtin.startswith("000000") or gtin[0] != "0":
        return None
    if is_price_line(gtin[1:]):
        return "it is the price line of a Japanese book; photograph the ISBN above it"
    prefix = int(gtin[1:4])
    if 140 <= prefix <= 199:
        return "GS1 has assigned no such prefix"
    return None
