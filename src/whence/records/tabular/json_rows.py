"""Rows of a JSON file: one object a line (JSONL), or one array of objects, read piece by piece."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import cast

from whence.kernel.errors import Invalid

from .header import header_key
from .raw import (
    MAX_LINE_CHARACTERS,
    BadLine,
    Meter,
    RawRow,
    bytes_read,
    lines,
    not_utf8,
    open_text,
    shorten,
)

CHUNK_CHARACTERS = 1 << 16
_WHITESPACE = " \t\r\n\ufeff\0"
_DECODER = json.JSONDecoder()

_SPREAD = "one JSON object over several lines"
ACCEPTED = "Write the records as an array, [{…}, {…}], or one object on each line."
_COUNTED = (
    "Several records stand on one line; the lines in this report count records: line 3 is the "
    "third element of the array."
)
_UNSTORABLE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
"""How text writes a NUL or a surrogate; two surrogates in their order are one character."""
_LIST_IN_OBJECT = re.compile(r'\{\s*"([^"]{1,80})"\s*:\s*\[')

Parsed = tuple[int, dict[str, object]] | BadLine


def read(
    path: Path, encoding: str, meter: Meter, *, is_array: bool, known: Collection[str] = ()
) -> tuple[tuple[str, ...], Iterator[RawRow | BadLine], tuple[str, ...]]:
    """Headers (all keys, in order of appearance), rows and notes of the JSON file.

    `known` are header keys.  Raises `Invalid` for one object around the records, naming the fix.
    """
    if not is_array:
        _check_not_spread(path, encoding)
    headers: dict[str, None] = {}
    last_line, by_element = 0, False
    first: dict[str, object] | None = None
    is_only = True
    for parsed in _objects(path, encoding, is_array=is_array):
        line = parsed.line if isinstance(parsed, BadLine) else parsed[0]
        by_element = by_element or (is_array and line == last_line)
        last_line = line
        if not isinstance(parsed, BadLine):
            headers.update(dict.fromkeys(parsed[1]))
            first, is_only = first or parsed[1], first is None
    if first is not None and is_only and not is_array:
        _check_not_wrapped(path, first, known)
    rows = _rows(path, encoding, tuple(headers), meter, is_array=is_array)
    if by_element:
        return tuple(headers), _by_element(rows), (_COUNTED,)
    return tuple(headers), rows, ()


def _check_not_spread(path: Path, encoding: str) -> None:
    """Refuse an object over several lines, which is no JSON Lines."""
    with open_text(path, encoding) as file:
        filled = (text for line in lines(file) if (text := line.strip(_WHITESPACE)))
        start = list(islice(filled, 2))
    if len(start) == 2 and _goes_on(start[0]) and not _is_object(start[1]):
        records = _LIST_IN_OBJECT.match("".join(start))
        around = f"one object with the records in '{records[1]}'" if records else _SPREAD
        raise Invalid(f"{path.name} is {around}. {ACCEPTED}")


def _check_not_wrapped(path: Path, only: dict[str, object], known: Collection[str]) -> None:
    """Refuse an object whose one list of objects is the records, unless it is a record itself."""
    if any(header_key(name) in known for name in only) or (not known and len(only) > 1):
        return
    for name, value in only.items():
        items = cast("list[object]", value) if isinstance(value, list) else []
        if items and all(isinstance(item, dict) for item in items):
            raise Invalid(
                f"{path.name} is one object with the records in '{shorten(name)}'. {ACCEPTED}"
            )


def _goes_on(line: str) -> bool:
    """Whether a line is the beginning of JSON that ends in a later one."""
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        return error.pos >= len(line)
    except (ValueError, RecursionError):
        return False
    return False


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _rows(
    path: Path, encoding: str, headers: tuple[str, ...], meter: Meter, *, is_array: bool
) -> Iterator[RawRow | BadLine]:
    for parsed in _objects(path, encoding, meter, is_array=is_array):
        if isinstance(parsed, BadLine):
            yield parsed
        else:
            line, values = parsed
            yield RawRow(line, [values.get(header) for header in headers])


def _by_element(rows: Iterator[RawRow | BadLine]) -> Iterator[RawRow | BadLine]:
    """The rows with their number in the array in place of their line."""
    for number, row in enumerate(rows, start=1):
        yield replace(row, line=number)


def _objects(
    path: Path, encoding: str, meter: Meter | None = None, *, is_array: bool
) -> Iterator[Parsed]:
    with open_text(path, encoding) as file:
        yield from _array(file, meter) if is_array else _per_line(file, meter)


def _per_line(file: TextIOWrapper, meter: Meter | None) -> Iterator[Parsed]:
    for number, line in enumerate(lines(file, meter), start=1):
        text = line.strip(_WHITESPACE)
        if not text:
            continue
        try:
            value: object = json.loads(text)
        except json.JSONDecodeError as error:
            yield BadLine(number, shorten(text), f"Not JSON: {error.msg} (column {error.colno}).")
        except (ValueError, RecursionError) as error:
            yield BadLine(number, shorten(text), _too_much(error))
        else:
            yield _object(number, value, text)


def _array(file: TextIOWrapper, meter: Meter | None) -> Iterator[Parsed]:
    """The elements of one array. After an element that is not JSON nothing more can be read."""
    line, step, is_at_end = 1, CHUNK_CHARACTERS, False
    while "[" not in (buffer := file.read(CHUNK_CHARACTERS)):
        line += buffer.count("\n")
    position = buffer.index("[") + 1
    line += buffer.count("\n", 0, position)
    while True:
        begins = position
        while position < len(buffer) and buffer[position] in _WHITESPACE + ",":
            position += 1
        line += buffer.count("\n", begins, position)
        if buffer[position : position + 1] == "]":
            return
        problem = "the array is not closed"
        if position < len(buffer):
            try:
                value, end = cast(tuple[object, int], _DECODER.raw_decode(buffer, position))
            except json.JSONDecodeError as error:
                problem = error.msg
            except (ValueError, RecursionError) as error:
                yield BadLine(line, shorten(buffer[position : position + 400]), _too_much(error))
                return
            else:
                # A number at the edge of the buffer may continue in the next chunk.
                if end < len(buffer) or is_at_end:
                    yield _object(line, value, buffer[position:end])
                    line += buffer.count("\n", position, end)
                    position, step = end, CHUNK_CHARACTERS
                    continue
        if is_at_end or len(buffer) - position > MAX_LINE_CHARACTERS:
            rest = shorten(buffer[position : position + 400])
            yield BadLine(line, rest, f"Not JSON from here on: {problem}.")
            return
        more = file.read(step)
        if meter is not None:
            meter.done = bytes_read(file)
        is_at_end = not more
        buffer, position = buffer[position:] + more, 0
        step *= 2


def _object(line: int, value: object, written: str) -> Parsed:
    if bad := not_utf8(written):
        return BadLine(line, shorten(written), bad)
    if not isinstance(value, dict):
        return BadLine(line, shorten(written), f"A JSON object is needed, not {_kind(value)}.")
    values = cast(dict[str, object], value)
    may_hold_unstorable = _UNSTORABLE.search(written) is not None
    for key, inner in values.items():
        if not _finite(inner):
            shown = shorten(json.dumps(inner, ensure_ascii=False))
            return BadLine(line, shown, f"{shorten(key)!r} is not a finite number.")
        if may_hold_unstorable and not (_storable(key) and _storable(inner)):
            return BadLine(
                line,
                shorten(written),
                f"{shorten(key)!r} holds a NUL character or half of a character pair "
                "(\\u0000, \\ud800 to \\udfff); remove it.",
            )
    return line, values


def _storable(value: object) -> bool:
    """Whether no text in a value holds a NUL or half a surrogate pair."""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= each <= "\udfff" for each in value)
    if isinstance(value, dict):
        values = cast(dict[str, object], value)
        return all(_storable(key) and _storable(inner) for key, inner in values.items())
    if isinstance(value, list):
        return all(map(_storable, cast(list[object], value)))
    return True


def _finite(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(_finite(inner) for inner in cast(dict[str, object], value).values())
    if isinstance(value, list):
        return all(_finite(inner) for inner in cast(list[object], value))
    return True


def _kind(value: object) -> str:
    if isinstance(value, list):
        return "an array"
    if value is None:
        return "null"
    return "a text" if isinstance(value, str) else "a single value"


def _too_much(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "Nested too deeply."
    return "Holds a number with too many digits."
