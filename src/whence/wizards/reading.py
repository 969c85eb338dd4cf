"""Parses what a person sent for a step into its model, or lists the errors."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, to_json

from whence.db.statements import storable
from whence.kernel.dates import dates
from whence.kernel.errors import Invalid
from whence.kernel.field_errors import plain_words
from whence.kernel.wire import Wire
from whence.wizards.definition import Notice, Step, wire_name

ANSWER_LIMIT = 50_000
"""Bytes of JSON in the answer to one step: room for a text of 20,000 letters."""
MAX_ERRORS = 50
"""Errors reported for one answer; an answer with thousands of fields can only be an attack."""
_NOT_A_NUMBER = ("int_parsing", "float_parsing", "decimal_parsing")
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
"""A figure with commas for thousands: `1,600`."""
_WORDS = {
    "extra_forbidden": "This step has no such field.",
    **dict.fromkeys(("enum", "literal_error"), "Choose one of the options."),
    "too_short": "Choose at least {min_length}.",
    "too_long": "Choose at most {max_length}.",
}
"""What a form says in its own words, by pydantic's type of error."""
_NOT_A_DATE = ("date_parsing", "date_from_datetime_parsing", "date_from_datetime_inexact")


class TooLong(Invalid):
    """The answer to one step may have at most 50,000 bytes; shorten it."""


class AnswerError(Wire):
    """An error in an answer; `field` is null if it concerns the whole step."""

    field: str | None
    code: str
    message: str


def check_size(responses: Mapping[str, Any]) -> None:
    """Raise TooLong for an oversized answer."""
    if len(to_json(storable(responses))) > ANSWER_LIMIT:
        raise TooLong


def read(step: Step, responses: Mapping[str, Any]) -> BaseModel | list[AnswerError]:
    """The answer as the step's model, or its errors.

    Text without a visible character and null count as unanswered: forms send them for fields left
    empty.
    """
    filled_in = {name: value for name, value in responses.items() if not _is_unanswered(value)}
    try:
        answer = _validated(step, filled_in)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
        return [_error(step, item) for item in errors[:MAX_ERRORS]]
    return _yes_for_numbers(step, filled_in, answer) or answer


def _validated(step: Step, filled_in: Mapping[str, Any]) -> BaseModel:
    """The answer; a figure or a day that its field refuses is read as people write it."""
    try:
        return step.model.model_validate_json(to_json(storable(filled_in)))
    except ValidationError as error:
        refused = {one["loc"][0]: one["type"] for one in error.errors() if one["loc"]}
        plain = {
            name: _as_people_write(value, refused[name])
            if name in refused and isinstance(value, str)
            else value
            for name, value in filled_in.items()
        }
        if plain == filled_in:
            raise
        return step.model.model_validate_json(to_json(storable(plain)))


def _as_people_write(text: str, error: str) -> str:
    """`1,600` as `1600` for a number, `Dec 7, 2026` as `2026-12-07` for a day; others stay.

    A day needs its year, and one of two readings, such as 3/2/2026, stays as it is.
    """
    if error in _NOT_A_NUMBER and _GROUPED.fullmatch(text.strip()):
        return text.replace(",", "")
    if error in _NOT_A_DATE:
        written = dates(_plain_text(text))
        readings = {day for each in written for day in each.readings}
        if len(written) == len(readings) == 1 and written[0].text == _plain_text(text):
            year, month, number = readings.pop()
            if year and number:
                return date(year, month, number).isoformat()
    return text


def _plain_text(text: str) -> str:
    return text.strip().title().replace(" Of ", " of ")


def _is_unanswered(value: object) -> bool:
    """Spaces, controls and marks such as U+202E show nothing."""
    if not isinstance(value, str):
        return value is None
    return all(unicodedata.category(letter)[0] in "ZC" for letter in value)


def _yes_for_numbers(
    step: Step, responses: Mapping[str, Any], answer: BaseModel
) -> list[AnswerError]:
    """Errors for number fields that were sent true or false, which Pydantic takes for 1 or 0."""
    return [
        AnswerError(
            field=wire_name(step.model, name),
            code="number_type",
            message="Enter a number.",
        )
        for name in step.model.model_fields
        if any(
            isinstance(response, bool) and not isinstance(parsed, bool)
            for response, parsed in zip(
                _several(responses.get(wire_name(step.model, name), responses.get(name))),
                _several(getattr(answer, name)),
                strict=False,
            )
        )
    ]


def _several(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def own_values(step: Step, responses: Mapping[str, Any]) -> dict[str, Any]:
    """The values sent for the step's own fields, to show them again."""
    names = {wire_name(step.model, name): name for name in step.model.model_fields}
    return {
        alias: responses.get(alias, responses.get(name))
        for alias, name in names.items()
        if alias in responses or name in responses
    }


def stored_form(answer: BaseModel) -> dict[str, Any]:
    """The answer as it is stored and sent back: JSON with the names that clients use."""
    return storable(answer.model_dump(mode="json", by_alias=True))


def as_errors(step: Step, notices: Sequence[Notice]) -> list[AnswerError]:
    """A check's notices in the form that clients get."""
    return [
        AnswerError(
            field=wire_name(step.model, item.field) if item.field else None,
            code=item.code,
            message=item.message,
        )
        for item in notices
    ]


def _error(step: Step, detail: ErrorDetails) -> AnswerError:
    location, code = detail["loc"], detail["type"]
    name = str(location[0]) if location else None
    # Pydantic reports the name that was sent, which may be the model's own.
    field = wire_name(step.model, name) if name in step.model.model_fields else name
    message = _WORDS.get(code, "").format_map(detail.get("ctx", {})) or plain_words(detail)
    return AnswerError(field=field, code=code, message=message)
