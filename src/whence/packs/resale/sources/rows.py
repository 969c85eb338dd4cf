"""Parse a source's rows one by one: numbers strictly, refused rows with a reason.

Field types for the adapters' Pydantic models, and the loop that separates valid from refused rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, JsonValue, ValidationError
from stdnum import ean

from whence.packs.resale.records import MAX_AMOUNT, Listing
from whence.sdk.http import MalformedBody
from whence.sdk.text import clean
from whence.sdk.values import now

from .base import Refused, SearchResult

MAX_ID = 200
MAX_TITLE = 1000
"""Characters, as in `Listing`; marketplaces allow 80 (eBay) to 500, so more is not a title."""
MAX_WORDS = 500
"""Characters kept of a descriptive field (brand, category, attribute)."""
MAX_LINK = 2000
_FUTURE = timedelta(days=1)
"""How far in the future a sale may be; time zones and clocks differ by less."""
_AMOUNT = re.compile(r"\d{1,12}(\.\d{1,6})?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_SHOWN = 40

T = TypeVar("T")


def _shown(value: object) -> str:
    return repr(value if len(str(value)) <= _SHOWN else f"{str(value)[:_SHOWN]}…")


def _amount(value: object) -> float:
    if value is None:
        raise ValueError("missing")
    match value:
        case bool():
            number = None
        case int() | float():
            number = float(value)
        case str() if _AMOUNT.fullmatch(value.strip()):
            number = float(value)
        case _:
            number = None
    if number is None:
        raise ValueError(f"{_shown(value)} is not an amount")
    if not 0 <= number < MAX_AMOUNT:
        raise ValueError(f"{_shown(value)} is not between 0 and {MAX_AMOUNT:,}")
    return number


def _price(value: object) -> float:
    number = _amount(value)
    if number == 0:
        raise ValueError("0 is not a price")
    return number


def _identifier(value: object) -> str:
    text = clean(str(value)) if isinstance(value, str | int) and value is not True else ""
    if not text:
        raise ValueError("missing")
    if len(text) > MAX_ID:
        raise ValueError(f"longer than {MAX_ID} characters")
    return text


def _title(value: object) -> str:
    text = " ".join(clean(value).split()) if isinstance(value, str) else ""
    if not text:
        raise ValueError("missing")
    if len(text) > MAX_TITLE:
        raise ValueError(f"longer than {MAX_TITLE:,} characters")
    return text


def _words(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    return " ".join(clean(value).split())[:MAX_WORDS].strip() or None


def _currency(value: object) -> str:
    if not isinstance(value, str) or not _CURRENCY.fullmatch(value):
        raise ValueError(f"{_shown(value)} is not a currency code")
    return value


def _moment(value: object) -> datetime:
    if not isinstance(value, str):
        raise ValueError(f"{_shown(value)} is not a date")
    try:
        read = datetime.fromisoformat(value)
    except ValueError as error:
        raise ValueError(f"{_shown(value)} is not a date") from error
    return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)


def _past(value: object) -> datetime:
    read = _moment(value)
    if read > now() + _FUTURE:
        raise ValueError(f"{_shown(value)} is in the future")
    return read


def _link(value: object) -> str | None:
    if not isinstance(value, str) or not value.startswith(("https://", "http://")):
        return None
    text = clean(value)
    return text if len(text) <= MAX_LINK and not any(map(str.isspace, text)) else None


Amount = Annotated[float, BeforeValidator(_amount)]
"""At least 0 and below `MAX_AMOUNT`, from a number or plain digits; anything else refuses the row.
"""
Price = Annotated[float, BeforeValidator(_price)]
"""An amount above 0."""
Identifier = Annotated[str, BeforeValidator(_identifier)]
Title = Annotated[str, BeforeValidator(_title)]
Words = Annotated[str | None, BeforeValidator(_words)]
"""Descriptive text; other types count as absent, as nothing is calculated from it."""
CurrencyCode = Annotated[str, BeforeValidator(_currency)]
Moment = Annotated[datetime, BeforeValidator(_moment)]
PastMoment = Annotated[datetime, BeforeValidator(_past)]
Link = Annotated[str | None, BeforeValidator(_link)]


def gtin14(code: str | None) -> str | None:
    """A GTIN-14 from a UPC, EAN or GTIN with a valid check digit, else None."""
    digits = (code or "").strip()
    if not digits.isascii() or not ean.is_valid(digits) or not digits.strip("0"):
        return None
    return digits.zfill(14)


def printed_code(gtin: str) -> str:
    """The code as printed on the package: EAN-8, UPC-A (12), EAN-13 or GTIN-14."""
    digits = gtin.lstrip("0")
    return digits.zfill(8 if len(digits) <= 8 else max(12, len(digits)))


def rows_of(body: JsonValue, key: str, host: str, *, proof: str) -> Sequence[JsonValue]:
    """The rows under `key`; empty if only `proof` (a field of every valid response) is present.

    Raises `MalformedBody` if the response does not have the documented shape.
    """
    if isinstance(body, dict):
        rows = body.get(key)
        if isinstance(rows, list):
            return rows
        if rows is None and proof in body:
            return []
    raise MalformedBody(f"{host} sent JSON without `{key}`; its format has changed.", host=host)


def count_of(body: JsonValue, key: str) -> int | None:
    """The count under `key`; None if there is none that can be one."""
    value = body.get(key) if isinstance(body, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def read_rows(
    rows: Sequence[JsonValue], key: str, build: Callable[[JsonValue], Listing]
) -> SearchResult:
    """Each row as a listing; `key` is the field that identifies a refused one."""
    return SearchResult(*read_each(rows, key, build))


def read_each(
    rows: Sequence[JsonValue], key: str, build: Callable[[JsonValue], T]
) -> tuple[list[T], list[Refused]]:
    """Build each row; returns the built rows, and the refused ones with reasons."""
    parsed: list[T] = []
    refused: list[Refused] = []
    for place, row in enumerate(rows, start=1):
        try:
            parsed.append(build(row))
        except ValidationError as error:
            refused.append(Refused(reason_of(error), raw_id(row, key, place)))
    return parsed, refused


def raw_id(row: JsonValue, key: str, place: int) -> str:
    """The row's own id if it has one, else its position (from 1)."""
    own = row.get(key) if isinstance(row, dict) else None
    text = clean(str(own))[:MAX_ID] if isinstance(own, str | int) else ""
    return text or f"row {place}"


def reason_of(error: ValidationError) -> str:
    """The first error of a row: the field and the problem."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    words = first["msg"].removeprefix("Value error, ")
    if first["type"] == "missing":
        words = "missing"
    return f"{field}: {words}" if field else f"not a row: {words}"
