"""Reads the JSON object in a model's answer: strictly, or as a last resort with `json-repair`.

`json-repair` guesses: it may close, drop or retype.  So it is used only if the second answer is not
JSON either, never on a truncated answer, and its result is validated like any other.
"""

from __future__ import annotations

import json
import math
import re
from typing import NoReturn

import json_repair
from pydantic import JsonValue, TypeAdapter, ValidationError

_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_OBJECT: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])


class Unreadable(ValueError):
    """The answer is not one JSON object; its text says why."""


def read_object(text: str) -> dict[str, JsonValue]:
    """The one JSON object in `text`: bare, in a code fence, or with words around it.

    Raises Unreadable for none, for several, for a key that stands twice, and for NaN and numbers
    beyond a float.
    """
    body = _body(text)
    try:
        value, end = _DECODER.raw_decode(body)
    except json.JSONDecodeError as error:
        raise Unreadable(f"not JSON: {error}") from error
    except RecursionError as error:
        raise Unreadable("the JSON is nested too deeply") from error
    if "{" in body[end:]:
        raise Unreadable("there is more than one JSON object")
    return _as_object(value)


def repaired_object(text: str) -> dict[str, JsonValue]:
    """The object as `json-repair` understands it; validate it, for values may have changed.

    Raises Unreadable for no object, several, and one that was cut off.
    """
    body = _body(text)
    if not body.endswith("}"):
        raise Unreadable("the JSON ends before its last bracket")
    try:
        value: object = json_repair.loads(body, skip_json_loads=True, strict=True)
    except (RecursionError, ValueError) as error:
        raise Unreadable("not JSON, and it cannot be repaired") from error
    return _as_object(value)


def _body(text: str) -> str:
    fenced = _FENCE.match(text)
    body = fenced.group(1) if fenced else text
    start = body.find("{")
    if start < 0:
        raise Unreadable("there is no JSON object")
    return body[start:].rstrip()


def _as_object(value: object) -> dict[str, JsonValue]:
    try:
        return _OBJECT.validate_python(value, strict=True)
    except ValidationError as error:
        raise Unreadable("the answer is not a JSON object") from error


def _no_constant(name: str) -> NoReturn:
    raise Unreadable(f"{name} is not a JSON value")


def _finite(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        raise Unreadable(f"{digits} is too large for a number")
    return number


def _no_key_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise Unreadable("a key stands twice in one object")
    return value


# `strict=False` lets line breaks stand inside strings, which changes no value.
_DECODER = json.JSONDecoder(
    strict=False,
    parse_constant=_no_constant,
    parse_float=_finite,
    object_pairs_hook=_no_key_twice,
)
