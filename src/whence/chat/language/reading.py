"""Parses a value in words into the record's JSON, by the field's own type."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from whence.chat.language.figures import read_number
from whence.chat.language.reading_dates import read_date
from whence.kernel.errors import Invalid
from whence.kernel.text import quoted
from whence.kernel.words import CURRENCY_NAMES, CURRENCY_SIGNS, NUMBERS

MIN_PROSE_LIMIT = 1_000
"""A field that accepts this many characters holds prose; a title accepts fewer."""
_YES = frozenset({"yes", "y", "true", "on", "yeah", "yep", "correct", "it does", "it is"})
_NO = frozenset({"no", "n", "false", "off", "nope", "not", "it doesn't", "it isn't"})
NOTHING = frozenset(
    {"none", "nothing", "null", "empty", "unknown", "blank", "not known", "unset", "n/a"}
)
_CURRENCIES = {
    **CURRENCY_SIGNS,
    "us$": "USD",
    **{name: CURRENCY_SIGNS[sign] for name, sign in CURRENCY_NAMES.items()},
}
DOLLARS = frozenset(["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP"])
"""Currencies that are written with a plain `$` where they are used."""
_AMOUNT = re.compile(
    r"(?P<sign>-|minus )?(?P<before>us\$|[$€£]|[a-z]{3}(?=\s*\d))?\s*(?P<digits>\d[\d.,'’]*)\s*"
    r"(?P<times>k\b|thousand|million)?\s*(?P<after>[$€£%]|[a-z]+)?",
    re.I,
)
_ORDERED = re.compile(
    r"\s*(?:the|this|that|these|those|it|them|him|her|my|our|your|his|their)\b", re.I
)
_POLITE = re.compile(r"^(?:(?:please|pls|just|now|then|and|also|kindly|can you)\s+)+", re.I)
_PAST = re.compile(r"(?:ed|sold|bought|gone)$", re.I)
_INVALID_DATE_ERRORS = frozenset({"date_parsing", "date_type", "date_from_datetime_parsing"})
"""Pydantic's error types for an invalid date."""


def read_value(
    record: BaseModel, field: str, words: str, today: date, label: str | None = None
) -> Any:
    """The value of a field in words, valid for that field; raises Invalid with a message.

    `label` is what people call the field; by default its own name.
    """
    label = label or field.replace("_", " ")
    if words.lower() in NOTHING and not _choices(record, field):
        return empty_value(record, field, label)
    value: Any = words
    for kind in _kinds(type(record).model_fields[field].annotation):
        if kind is type(None):
            continue
        value = _read(kind, words, field, record, today, label)
        break
    return valid(type(record), field, value, words, label)


def valid(
    record: type[BaseModel], field: str, value: Any, words: str, label: str | None = None
) -> Any:
    """A value in the field's JSON; raises Invalid with the reason from the field's own rules."""
    adapter: TypeAdapter[Any] = TypeAdapter(record.model_fields[field].rebuild_annotation())
    try:
        return adapter.dump_python(adapter.validate_python(value), mode="json")
    except ValidationError as error:
        error_detail = error.errors(include_url=False, include_context=False)[0]
        reason = error_detail["msg"].removeprefix("Value error, ").rstrip(".")
        if error_detail["type"] in _INVALID_DATE_ERRORS:
            reason = "that is not a valid date; write it as 2026-03-02"
        label = label or field.replace("_", " ")
        raise Invalid(f"The {label} cannot be {quoted(words)}: {reason}.", field=field) from error


def empty_value(record: BaseModel, field: str, label: str | None = None) -> Any:
    """The value of an emptied field; raises Invalid if it cannot be empty."""
    annotation = type(record).model_fields[field].annotation
    for value in (None, "", [], {}):
        try:
            return valid(type(record), field, value, "")
        except Invalid:
            continue
    label = label or field.replace("_", " ")
    raise Invalid(f"The {label} cannot be empty.", field=field, kind=str(annotation))


def takes(record: BaseModel, field: str, *kinds: type) -> bool:
    """Whether a field holds values of one of these types (booleans are not numbers)."""
    allowed = list(_kinds(type(record).model_fields[field].annotation))
    return any(_is(kind, *kinds) and (bool in kinds or not _is(kind, bool)) for kind in allowed)


def is_words(record: BaseModel, field: str) -> bool:
    """Whether a field holds free text, not a number or one of several choices."""
    return takes(record, field, str) and not _choices(record, field)


def has_choices(record: BaseModel, field: str) -> bool:
    """Whether a field holds one of several choices."""
    return bool(_choices(record, field))


def is_prose(record: BaseModel, field: str) -> bool:
    """Whether a field holds several sentences, not a name or a short line."""
    info = type(record).model_fields[field]
    constraints = [*info.metadata, *_constraints(info.annotation)]
    limits = [limit for each in constraints if (limit := getattr(each, "max_length", None))]
    has_pattern = any(getattr(each, "pattern", None) for each in constraints)
    long = all(limit >= MIN_PROSE_LIMIT for limit in limits)
    return is_words(record, field) and long and not has_pattern


def choice(record: BaseModel, field: str, words: str) -> Any | None:
    """The one choice of the field that the words name; None if they name none or several."""
    text = _normalized(words)
    choices = _choices(record, field)
    if text in choices:
        return choices[text]
    inside = [
        each
        for each in choices
        if re.search(rf"\b{re.escape(each)}\b", text)
        and not is_an_order(each, _POLITE.sub("", text).removeprefix(each))
    ]
    longest = [a for a in inside if not any(a != b and a in b for b in inside)]
    return choices[longest[0]] if len(longest) == 1 else None


def is_an_order(choice: str, rest: str) -> bool:
    """Whether a choice is the verb of what follows: `forward the letter`, but not `sold it`."""
    return _ORDERED.match(rest) is not None and _PAST.search(choice) is None


def _choices(record: BaseModel, field: str) -> dict[str, Any]:
    choices: dict[str, Any] = {}
    for kind in _kinds(type(record).model_fields[field].annotation):
        values: tuple[Any, ...] = ()
        if isinstance(kind, type) and issubclass(kind, Enum):
            values = tuple(member.value for member in kind)
        elif get_origin(kind) is Literal:
            values = get_args(kind)
        choices |= {_normalized(str(value)): value for value in values}
    return choices


def _read(kind: Any, words: str, field: str, record: BaseModel, today: date, label: str) -> Any:
    if get_origin(kind) is Literal or _is(kind, Enum):
        value = choice(record, field, words)
        if value is None:
            choices = ", ".join(_choices(record, field))
            raise Invalid(
                f"The {label} cannot be {quoted(words)}. Choose one of: {choices}.", field=field
            )
        return value
    if _is(kind, BaseModel, dict):
        raise Invalid(f"The {label} has several parts; change it on the record.", field=field)
    value = words
    if get_origin(kind) in {list, tuple, set, frozenset}:
        value = [each.strip() for each in re.split(r",|\band\b", words) if each.strip()]
    elif _is(kind, bool):
        text = _normalized(words)
        value = text in _YES if text in _YES | _NO else words
    elif _is(kind, int, float, Decimal):
        value = read_amount(words, label, getattr(record, "currency", None))
    elif _is(kind, date):
        value = read_date(words, today) or words
    return value


def _is(kind: Any, *kinds: type) -> bool:
    kind = get_origin(kind) or kind
    return isinstance(kind, type) and issubclass(kind, kinds)


def read_amount(words: str, label: str, currency: str | None) -> Decimal:
    """A number or an amount of money; raises Invalid for another currency than the record's."""
    text = words.strip().lower()
    if text in NUMBERS:
        return Decimal(NUMBERS.index(text))
    match = _AMOUNT.fullmatch(text)
    readings = read_number(match["digits"].rstrip(".,")) if match else []
    if match is None or len(readings) != 1:
        raise Invalid(
            f"The {label} cannot be {quoted(words)}; give a number, such as 40 or 1,200.50."
        )
    for unit in (match["before"], match["after"]):
        code = _CURRENCIES.get(unit or "", (unit or "").upper())
        if code == "USD" and unit not in {"usd", "us$"} and currency in DOLLARS:
            continue
        if currency and (unit in _CURRENCIES or len(code) == 3) and code != currency.upper():
            raise Invalid(
                f"The {label} is in {currency}; {quoted(words)} is not. Give it in {currency}."
            )
    times = {None: 1, "k": 1000, "thousand": 1000, "million": 10**6}[match["times"]]
    [number] = readings
    amount = Decimal(number.numerator) / Decimal(number.denominator) * times
    return -amount if match["sign"] else amount


def _constraints(annotation: Any) -> Iterator[Any]:
    """The constraints on the types an annotation allows: for `Name | None`, those of `Name`."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        for each in arguments[1:]:
            yield from getattr(each, "metadata", (each,))
        yield from _constraints(arguments[0])
    elif origin in {Union, types.UnionType}:
        for each in arguments:
            yield from _constraints(each)


def _kinds(annotation: Any) -> Iterator[Any]:
    """The types an annotation allows, without their constraints."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _kinds(get_args(annotation)[0])
    elif origin in {Union, types.UnionType}:
        for each in get_args(annotation):
            yield from _kinds(each)
    else:
        yield annotation


def _normalized(words: str) -> str:
    return " ".join(re.sub(r"[_\-\s]+", " ", words.lower()).strip(" .!").split())
