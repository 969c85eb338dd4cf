"""What a person sent for a step, as its model, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, to_json

from whence.db.storable import storable
from whence.kernel.errors import Invalid
from whence.kernel.wire import Wire
from whence.wizards.definition import Notice, Step, wire_name

ANSWER_LIMIT = 50_000
"""Bytes of JSON that the answer to one step may have: a message of 20,000 letters and some."""
MAX_ERRORS = 50
"""Findings about one answer that are told; an answer of thousands of fields is only an attack."""
_A_NUMBER = "This has to be a number."
_WORDS = {
    "missing": "This has to be answered.",
    "extra_forbidden": "There is no such field in this step.",
    "enum": "This is none of the choices.",
    "literal_error": "This is none of the choices.",
    "string_type": "This has to be text.",
    "string_pattern_mismatch": "This is not written in the form that is asked for.",
    "list_type": "This has to be a list.",
    **dict.fromkeys(("bool_type", "bool_parsing"), "This has to be yes or no."),
    **dict.fromkeys(
        ("int_type", "int_parsing", "int_parsing_size", "int_from_float"),
        "This has to be a whole number.",
    ),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), _A_NUMBER),
    **dict.fromkeys(
        (
            "date_type",
            "date_parsing",
            "date_from_datetime_parsing",
            "date_from_datetime_inexact",
        ),
        "This has to be a day that there is, written as 2026-03-02.",
    ),
    "greater_than": "This has to be more than {gt}.",
    "greater_than_equal": "This has to be at least {ge}.",
    "less_than": "This has to be less than {lt}.",
    "less_than_equal": "This has to be at most {le}.",
    "string_too_short": "This has to have at least {min_length} characters.",
    "string_too_long": "This has to have at most {max_length} characters.",
    "too_short": "At least {min_length} of them are needed.",
    "too_long": "At most {max_length} of them can be given.",
}
"""Instead of Pydantic's words, by the type of its finding; a name stands for a limit of its."""


class TooLong(Invalid):
    """The answer to one step has more than 50,000 bytes; send less."""


class AnswerError(Wire):
    """What is wrong with an answer; `field` is null where it is about the whole step."""

    field: str | None
    code: str
    message: str


def check_size(responses: Mapping[str, Any]) -> None:
    """Raise TooLong for what is more than an answer."""
    if len(to_json(storable(responses))) > ANSWER_LIMIT:
        raise TooLong


def read(step: Step, responses: Mapping[str, Any]) -> BaseModel | list[AnswerError]:
    """The answer as the step's model, or what keeps it from being one.

    An empty text and null are no answer: that is what forms send for a field that was left out.
    """
    filled_in = {name: value for name, value in responses.items() if value not in ("", None)}
    try:
        answer = step.model.model_validate_json(to_json(storable(filled_in)))
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
        return [_error(step, item) for item in errors[:MAX_ERRORS]]
    return _yes_for_numbers(step, filled_in, answer) or answer


def _yes_for_numbers(
    step: Step, responses: Mapping[str, Any], answer: BaseModel
) -> list[AnswerError]:
    """Fields that want a number and were sent yes or no, which Pydantic takes for 1 or 0."""
    return [
        AnswerError(
            field=wire_name(step.model, name),
            code="number_type",
            message="This has to be a number.",
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
    """What was sent for the step's own fields, to be shown again."""
    names = {wire_name(step.model, name): name for name in step.model.model_fields}
    return {
        alias: responses.get(alias, responses.get(name))
        for alias, name in names.items()
        if alias in responses or name in responses
    }


def stored_form(answer: BaseModel) -> dict[str, Any]:
    """The answer as it is stored and sent back: JSON by the names that clients use."""
    return storable(answer.model_dump(mode="json", by_alias=True))


def as_errors(step: Step, notices: Sequence[Notice]) -> list[AnswerError]:
    """A check's findings as clients see them."""
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
    # Pydantic names the field as it was sent, which may be by its own name.
    field = wire_name(step.model, name) if name in step.model.model_fields else name
    message = _WORDS.get(code, "").format_map(detail.get("ctx", {}))
    message = message or detail["msg"].removeprefix("Value error, ")
    return AnswerError(field=field, code=code, message=message)
