"""What a person sent for a step, as its model, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from whence.db.storable import storable
from whence.kernel.errors import Invalid
from whence.kernel.wire import Wire
from whence.wizards.definition import Notice, Step, wire_name

ANSWER_LIMIT = 50_000
"""Bytes of JSON that the answer to one step may have: a message of 20,000 letters and some."""
MOST_ERRORS = 50
"""Findings about one answer that are told; an answer of thousands of fields is only an attack."""
_A_NUMBER = "This has to be a number."
_WORDS = {"missing": "This has to be answered."}
"""Instead of Pydantic's words, by the type of its finding."""


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

    An empty text is no answer: that is what forms send for a field that was left out.
    """
    given = {name: value for name, value in responses.items() if value != ""}
    try:
        answer = step.model.model_validate_json(to_json(storable(given)))
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        return [
            _error(step, item["loc"], item["type"], item["msg"]) for item in found[:MOST_ERRORS]
        ]
    return _yes_for_numbers(step, given, answer) or answer


def _yes_for_numbers(step: Step, given: Mapping[str, Any], answer: BaseModel) -> list[AnswerError]:
    """Fields that want a number and were sent yes or no, which Pydantic takes for 1 or 0."""
    return [
        AnswerError(
            field=wire_name(step.model, name),
            code="number_type",
            message="This has to be a number.",
        )
        for name in step.model.model_fields
        if any(
            isinstance(sent, bool) and not isinstance(meant, bool)
            for sent, meant in zip(
                _several(given.get(wire_name(step.model, name), given.get(name))),
                _several(getattr(answer, name)),
                strict=False,
            )
        )
    ]


def _several(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def echoed(step: Step, responses: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent for the step's own fields, to be shown again."""
    names = {wire_name(step.model, name): name for name in step.model.model_fields}
    return {
        alias: responses.get(alias, responses.get(name))
        for alias, name in names.items()
        if alias in responses or name in responses
    }


def kept(answer: BaseModel) -> dict[str, Any]:
    """The answer as it is stored and sent back: JSON by the names that clients use."""
    return storable(answer.model_dump(mode="json", by_alias=True))


def told(step: Step, notices: Sequence[Notice]) -> list[AnswerError]:
    """A check's findings as clients see them."""
    return [
        AnswerError(
            field=wire_name(step.model, item.field) if item.field else None,
            code=item.code,
            message=item.message,
        )
        for item in notices
    ]


def _error(step: Step, location: Sequence[int | str], code: str, message: str) -> AnswerError:
    name = str(location[0]) if location else None
    # Pydantic names the field as it was sent, which may be by its own name.
    field = wire_name(step.model, name) if name in step.model.model_fields else name
    words = _WORDS.get(code, message.removeprefix("Value error, "))
    return AnswerError(field=field, code=code, message=words)
