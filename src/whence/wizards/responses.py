"""The answers to a step as clients send them: an object by field, or a list of pairs."""

from __future__ import annotations

from typing import Annotated, Any, cast

from pydantic import BeforeValidator, ValidationError, WithJsonSchema

from whence.kernel.wire import Wire

MAX_ANSWERS = 200
"""Pairs in one list; the largest step that ships has about twenty fields."""


class QuestionAnswer(Wire):
    """The answer to one field of a step."""

    question_id: str
    """The name of the field in the step's `schema`."""
    value: Any = None


def _by_field(responses: object) -> object:
    """A list of `{questionId, value}` as an object; anything else unchanged."""
    if not isinstance(responses, list):
        return responses
    pairs = cast("list[object]", responses)
    if len(pairs) > MAX_ANSWERS:
        raise ValueError(f"at most {MAX_ANSWERS} answers")
    values: dict[str, Any] = {}
    for number, pair in enumerate(pairs):
        try:
            answer = QuestionAnswer.model_validate(pair)
        except ValidationError as error:
            raise ValueError(f"entry {number} must be {{questionId, value}}") from error
        if answer.question_id in values:
            raise ValueError(f"'{answer.question_id}' is answered twice")
        values[answer.question_id] = answer.value
    return values


_BY_FIELD = {"type": "object", "additionalProperties": True}
_PAIRS = {
    "type": "array",
    "maxItems": MAX_ANSWERS,
    "items": {
        "type": "object",
        "properties": {"questionId": {"type": "string"}, "value": {}},
        "required": ["questionId"],
        "additionalProperties": False,
    },
}
Responses = Annotated[
    dict[str, Any],
    BeforeValidator(_by_field),
    WithJsonSchema({"anyOf": [_BY_FIELD, _PAIRS]}),
]
"""A step's answers by field; clients may send `[{questionId, value}]` as well."""
