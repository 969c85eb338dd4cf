"""Amounts of money as people and exports write them.

The rules where writing is ambiguous:

- Both `.` and `,` occur: the later one is the decimal mark (`1,234.50`, `1.234,50`).
- A mark that occurs twice or more separates thousands (`1.234.567`).
- A comma before exactly three last digits separates thousands (`1,234` is 1234); otherwise it is
  a decimal mark (`12,5`).
- A dot before exactly three last digits is a decimal mark (`12.345`), since computed amounts look
  so, unless the currency is one that is written with a decimal comma (`1.234 €` is 1234). This
  reading is marked as doubtful.
- `$` alone is the currency of the row, USD where it names none.
- Negative, where it may be: `-5`, `5-`, `(5)`, `5 CR`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import cast

from whence.kernel.words import CURRENCY_SIGNS

from .values import BadValue, known_currency, line_of_text

COMMA_DECIMAL = {"EUR", "DKK", "BRL", "TRY", "IDR", "VND", "ARS", "CLP", "COP", "PLN", "NOK", "SEK"}
"""Currencies whose home writes a decimal comma (CLDR number patterns)."""

MAX_CHARACTERS = 60
"""A longer text is a sentence; the patterns below are only fast on short ones."""

MAX_DIGITS = 15
"""Before the decimal mark; more is an account number or a mistake."""

_SYMBOLS = {
    **CURRENCY_SIGNS, "¥": "JPY", "₹": "INR", "zł": "PLN", "₺": "TRY", "₩": "KRW",
    "us$": "USD", "c$": "CAD", "ca$": "CAD", "a$": "AUD", "au$": "AUD", "nz$": "NZD",
    "r$": "BRL", "hk$": "HKD", "mx$": "MXN", "$": None,
}  # fmt: skip
_PLAIN = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,2})?")
_FREE = re.compile(r"free\b(?:\s*(?:shipping|postage|delivery|p&p|p & p))?", re.IGNORECASE)
_AMOUNT = re.compile(
    r"(?P<before>[^\d.,()+-]*?)\s*(?P<sign>[+-]?)\s*(?P<inner>[^\d.,()+-]*?)\s*"
    r"(?P<number>[0-9][0-9.,' ]*|[.,][0-9]+)(?P<power>e[+-]?[0-9]+)?\s*(?P<after>[^\d]*)",
    re.IGNORECASE,
)
_TRAILING_WORDS = re.compile(r"\b(?:shipping|postage|delivery|p&p|each|ea|obo)\b\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount, and its currency where the text names one."""

    value: Decimal
    currency: str | None = None
    is_doubtful: bool = False
    """Thousands or decimals could not be told apart for certain."""


def amount(value: object, currency: str | None = None, *, is_signed: bool = False) -> Amount:
    """The amount in a cell; `currency` is what the row says beside it.

    `is_signed`: refunds and corrections, below zero, are amounts too. Raises `BadValue` for
    infinite and absurd amounts (10^15 and more), ranges, and what is no amount.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Amount(_in_range(Decimal(str(value)), is_signed), currency)
    if isinstance(value, dict):
        return _from_object(cast(dict[str, object], value), currency, is_signed)
    written = line_of_text(value)
    if not written.isascii():
        written = unicodedata.normalize("NFKC", written)
    if len(written) > MAX_CHARACTERS:
        raise BadValue("Not an amount of money.")
    if _PLAIN.fullmatch(written):
        return Amount(Decimal(written), currency)
    if written.lower().strip("+-. ") in {"nan", "inf", "infinity"}:
        raise BadValue("Not a finite amount.")
    if _FREE.fullmatch(written):
        return Amount(Decimal(0), currency)
    negative = False
    if within := re.fullmatch(r"([^\d(]*)\((.*\d.*)\)\s*", written):
        written, negative = within[1] + within[2], True
    elif credit := re.fullmatch(r"(.*\d)\s*(?:CR|-)", written, re.IGNORECASE):
        written, negative = credit[1], True
    if re.search(r"\d\s*(?:-|–|to)\s*\D{0,4}\d", written):
        raise BadValue("A range is not one price.")
    parts = _AMOUNT.fullmatch(written)
    if parts is None:
        raise BadValue("Not an amount of money.")
    negative ^= parts["sign"] == "-"
    code = _named(parts["before"] + " " + parts["inner"], parts["after"]) or currency
    number, is_doubtful = _number(parts["number"], code)
    number = _scaled(number, parts["power"])
    return Amount(_in_range(-number if negative else number, is_signed), code, is_doubtful)


def _from_object(value: Mapping[str, object], currency: str | None, is_signed: bool) -> Amount:
    """`{"value": "12.99", "currency": "USD"}`, as marketplace interfaces write it."""
    parts = {str(key).lower(): inner for key, inner in value.items()}
    inner = parts.get("value", parts.get("amount"))
    if isinstance(inner, dict | list) or inner is None:
        raise BadValue("Not an amount of money.")
    named = parts.get("currency", parts.get("currencycode"))
    code: str | None = None
    if isinstance(named, str) and re.fullmatch(r"[A-Za-z]{3}", named):
        code = known_currency(named.upper())
    return amount(inner, code or currency, is_signed=is_signed)


def _scaled(number: Decimal, power: str | None) -> Decimal:
    try:
        return number.scaleb(int(power[1:])) if power else number
    except (InvalidOperation, ValueError) as error:
        raise BadValue("Not a finite amount.") from error


def _in_range(number: Decimal, is_signed: bool) -> Decimal:
    if not number.is_finite() or number.adjusted() >= MAX_DIGITS:
        raise BadValue("Not a finite amount.")
    if number < 0 and not is_signed:
        raise BadValue("An amount cannot be negative.")
    return number


def _number(written: str, currency: str | None) -> tuple[Decimal, bool]:
    digits = written.rstrip(".,' ")
    dots, commas = digits.count("."), digits.count(",")
    last = max(digits.rfind("."), digits.rfind(","))
    doubtful = False
    if dots + commas == 0:
        decimal = -1
    elif dots and commas:
        decimal = last if min(dots, commas) and digits.count(digits[last]) == 1 else -2
    elif dots + commas > 1:
        decimal = -1
    elif len(digits) - last - 1 == 3 and digits[:last].strip("0"):
        doubtful = dots == 1
        decimal = last if dots and currency not in COMMA_DECIMAL else -1
    else:
        decimal = last
    whole, part = (digits, "") if decimal < 0 else (digits[:decimal], digits[decimal + 1 :])
    groups = re.split(r"[.,' ]", whole)
    if decimal == -2 or not (part or "0").isdigit() or any(len(group) != 3 for group in groups[1:]):
        raise BadValue("Thousands and decimals cannot be told apart.")
    return Decimal("".join(groups) + "." + (part or "0")), doubtful


def _named(before: str, after: str) -> str | None:
    """The currency in the words around the number. Raises `BadValue` for other words."""
    code: str | None = None
    for piece in (before, _TRAILING_WORDS.sub("", after)):
        word = piece.strip(" +./*:-").lower()
        squeezed = word.replace(" ", "")
        if not squeezed:
            continue
        if squeezed in _SYMBOLS:
            code = _SYMBOLS[squeezed] or code
        elif re.fullmatch(r"[a-z]{3}", squeezed):
            code = known_currency(squeezed.upper())
        elif match := re.fullmatch(r"([a-z]{2,3})\s*[$€£]", word):
            code = {"us": "USD", "au": "AUD", "ca": "CAD"}.get(match[1], match[1].upper())
        else:
            raise BadValue("Not an amount of money.")
    return code if code is None or len(code) == 3 else None
