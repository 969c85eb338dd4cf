"""What a message keeps of the results of its tools: all of a small one, the beginning of others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pydantic import BaseModel, JsonValue, TypeAdapter
from pydantic_core import to_json

from whence.chat.transcript.views import CalledTool

RESULT_LIMIT = 8_000
"""Bytes of JSON kept of one result: about twenty listings."""
MESSAGE_LIMIT = 64_000
"""Bytes of JSON kept of all results of one message; later results beyond it are left out."""
_SIZES = ((30, 1_000), (10, 500), (5, 200), (2, 100))
"""Entries of each list or object, and characters of each text, to try one after the other."""
_PLAIN: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)


def kept(result: BaseModel) -> tuple[JsonValue, bool]:
    """The result as JSON within `RESULT_LIMIT`, and whether parts of it were left out."""
    plain = _PLAIN.validate_python(result.model_dump(mode="json", by_alias=True))
    if len(to_json(plain)) <= RESULT_LIMIT:
        return plain, False
    for entries, characters in _SIZES:
        shortened = _shortened(plain, entries, characters)
        if len(to_json(shortened)) <= RESULT_LIMIT:
            return shortened, True
    return None, True


def within_message(calls: Sequence[CalledTool]) -> list[CalledTool]:
    """The calls of one message, without results beyond `MESSAGE_LIMIT`."""
    room, bounded = MESSAGE_LIMIT, list[CalledTool]()
    for call in calls:
        size = len(to_json(call.result))
        if size > room:
            bounded.append(call.model_copy(update={"result": None, "result_cut": True}))
        else:
            room -= size
            bounded.append(call)
    return bounded


def _shortened(value: JsonValue, entries: int, characters: int) -> JsonValue:
    match value:
        case str():
            return value if len(value) <= characters else f"{value[:characters]}…"
        case list():
            return [_shortened(each, entries, characters) for each in value[:entries]]
        case dict():
            first = islice(value.items(), entries)
            return {name: _shortened(each, entries, characters) for name, each in first}
        case _:
            return value
