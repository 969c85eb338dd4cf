"""Rows of a JSON file: one object a line (JSONL), or one array of objects, read piece by piece."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import cast

from .raw import MAX_LINE_CHARACTERS, BadLine, Meter, RawRow, bytes_read, lines, shorten

CHUNK_CHARACTERS = 1 << 16
_WHITESPACE = " \t\r\n\ufeff\0"
_DECODER = json.JSONDecoder()

Parsed = tuple[int, dict[str, object]] | BadLine


def read(
    path: Path, encoding: str, meter: Meter, *, is_array: bool
) -> tuple[tuple[str, ...], Iterator[RawRow | BadLine], tuple[str, ...]]:
    """Headers (all keys, in order of appearance), rows and notes of the JSON file."""
    headers: dict[str, None] = {}
    for parsed in _objects(path, encoding, is_array=is_array):
        if not isinstance(parsed, BadLine):
            headers.update(dict.fromkeys(parsed[1]))
    rows = _rows(path, encoding, tuple(headers), meter, is_array=is_array)
    return tuple(headers), rows, ()


def _rows(
    path: Path, encoding: str, headers: tuple[str, ...], meter: Meter, *, is_array: bool
) -> Iterator[RawRow | BadLine]:
    for parsed in _objects(path, encoding, meter, is_array=is_array):
        if isinstance(parsed, BadLine):
            yield parsed
        else:
            line, values = parsed
            yield RawRow(line, [values.get(header) for header in headers])


def _objects(
    path: Path, encoding: str, meter: Meter | None = None, *, is_array: bool
) -> Iterator[Parsed]:
    with path.open(encoding=encoding, errors="replace") as file:
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
            yield _object(number, value)


def _array(file: TextIOWrapper, meter: Meter | None) -> Iterator[Parsed]:
    """The elements of one array. After an element that is not JSON nothing more can be read."""
    line, step, ended = 1, CHUNK_CHARACTERS, False
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
                if end < len(buffer) or ended:
                    yield _object(line, value)
                    line += buffer.count("\n", position, end)
                    position, step = end, CHUNK_CHARACTERS
                    continue
        if ended or len(buffer) - position > MAX_LINE_CHARACTERS:
            rest = shorten(buffer[position : position + 400])
            yield BadLine(line, rest, f"Not JSON from here on: {problem}.")
            return
        more = file.read(step)
        if meter is not None:
            meter.done = bytes_read(file)
        ended = not more
        buffer, position = buffer[position:] + more, 0
        step *= 2


def _object(line: int, value: object) -> Parsed:
    if not isinstance(value, dict):
        return BadLine(line, shorten(value), f"A JSON object is needed, not {_kind(value)}.")
    values = cast(dict[str, object], value)
    for key, inner in values.items():
        if not _finite(inner):
            return BadLine(line, shorten(inner), f"{key!r} is not a finite number.")
    return line, values


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
