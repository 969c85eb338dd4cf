"""Reads JSON from a model's answer and mends its punctuation, never its values.

`json-repair` is generous: it guesses, drops and closes.  What it returns counts only when every
key, word and number of the answer is still there, unchanged, and nothing was cut off.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

import json_repair
from pydantic import JsonValue, TypeAdapter, ValidationError

_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_WORD = re.compile(r"[\w.+\-]+")
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_KEY = re.compile(r"[\"']([A-Za-z_]\w*)[\"']\s*:|[{,]\s*([A-Za-z_]\w*)\s*:")
_FOREIGN_LITERAL = re.compile(r"[:,\[]\s*(None|True|False|NaN|-?Infinity|undefined)\b")
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_PLAIN = re.compile(r"[\s\w{}\[\],:.+\-]*")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([nrtbf])|(.))", re.DOTALL)
_OBJECT: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])


@dataclass(frozen=True)
class Reading:
    """The JSON object of an answer; `mended` when its punctuation had to be repaired."""

    value: dict[str, JsonValue]
    mended: bool


class Unreadable(ValueError):
    """The answer holds no JSON object that can be read without guessing."""


def read_object(text: str) -> Reading:
    """The one JSON object in `text`: bare, in a code fence, or with words around it.

    Raises Unreadable for none, for several, for one that is cut off, for a key that stands twice,
    for NaN and numbers beyond a float, and where mending would change more than punctuation.
    """
    fenced = _FENCE.match(text)
    body = (fenced.group(1) if fenced else text).strip().lstrip("\ufeff")
    start = body.find("{")
    if start < 0:
        raise Unreadable("there is no JSON object")
    try:
        value, end = _DECODER.raw_decode(body, start)
    except json.JSONDecodeError as error:
        return Reading(_mended(body[start:], error), mended=True)
    except RecursionError as error:
        raise Unreadable("the JSON is nested too deeply") from error
    if "{" in body[end:]:
        raise Unreadable("there is more than one JSON object")
    return Reading(_as_object(value), mended=False)


def _mended(damaged: str, error: json.JSONDecodeError) -> dict[str, JsonValue]:
    if _is_cut_off(damaged):
        raise Unreadable(f"the JSON ends before its last bracket ({error})")
    damaged = damaged[: damaged.rfind("}") + 1]
    if _FOREIGN_LITERAL.search(damaged):
        raise Unreadable(f"a value is not JSON ({error})")
    try:
        repaired = _as_object(json_repair.loads(damaged, skip_json_loads=True))
        same = _same_values(damaged, repaired)
    except (RecursionError, ValueError) as failed:
        raise Unreadable(f"not JSON: {error}") from failed
    if not same:
        raise Unreadable(f"not JSON, and mending it would change a value ({error})")
    return repaired


def _same_values(damaged: str, repaired: dict[str, JsonValue]) -> bool:
    """Whether brackets, keys, strings, words and numbers are the same in both, and all there is."""
    keys, leaves = [*_keys(repaired)], [*_leaves(repaired)]
    strings = [leaf for leaf in leaves if isinstance(leaf, str)]
    words = [leaf if isinstance(leaf, str) else json.dumps(leaf) for leaf in leaves]
    named = _KEY.findall(damaged)
    quoted_keys = [quoted for quoted, bare in named if not bare]
    return (
        _PLAIN.fullmatch(_STRING.sub("", damaged)) is not None
        and _brackets(damaged) == _brackets(json.dumps(repaired, ensure_ascii=False))
        and Counter(keys) == Counter(quoted or bare for quoted, bare in named)
        and Counter(_strings(damaged)) == Counter([*quoted_keys, *strings])
        and Counter(_words(_unescaped(damaged))) == Counter(_words(" ".join([*keys, *words])))
    )


def _strings(text: str) -> Iterable[str]:
    """What stands between quotes, double or single, in turn from the left."""
    for literal in _STRING.findall(text):
        inner = literal[1:-1]
        if literal[0] == "'":
            inner = inner.replace("\\'", "'").replace('"', '\\"')
        yield str(json.loads(f'"{inner}"', strict=False))


def _is_cut_off(text: str) -> bool:
    """Whether brackets or a string are still open at the end."""
    outside = _brackets(text)
    opened = sum(1 if mark in "{[" else -1 for mark in outside if mark != '"')
    return outside.endswith('"') or opened > 0


def _brackets(text: str) -> str:
    """The brackets outside strings, and a `"` at the end where a string is still open."""
    found: list[str] = []
    quoted, escaped = False, False
    for char in text:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = quoted
        elif char == '"':
            quoted = not quoted
        elif not quoted and char in "{}[]":
            found.append(char)
    return "".join(found) + ('"' if quoted else "")


def _unescaped(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        code, space, other = match.groups()
        return chr(int(code, 16)) if code else " " if space else str(other)

    return _ESCAPE.sub(plain, text)


def _words(text: str) -> list[str]:
    """Words and numbers; numbers as floats see them, so that 1.50 is 1.5 but 007 is not 7."""
    found = _WORD.findall(text)
    return [repr(float(word)) if _NUMBER.fullmatch(word) else word for word in found]


def _keys(value: JsonValue) -> Iterable[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner)


def _leaves(value: JsonValue) -> Iterable[str | float | bool | None]:
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value


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
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable("a key stands twice in one object")
    return found


# `strict=False` lets line breaks stand inside strings, which changes no value.
_DECODER = json.JSONDecoder(
    strict=False,
    parse_constant=_no_constant,
    parse_float=_finite,
    object_pairs_hook=_no_key_twice,
)
