"""A tool's result as sources that an answer may cite and as text for the model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pydantic import BaseModel, JsonValue, TypeAdapter

from whence.chat.citing.fencing import one_line
from whence.chat.citing.sources import Source, SourceBook
from whence.llm.prompts import fenced
from whence.llm.tool_messages import ToolSpec
from whence.tools.tool import Tool

MAX_ITEMS = 30
"""Items of one result shown to the model; tools that find more have a limit argument."""
MAX_ITEM_CHARACTERS = 2_000
"""Characters of one item as shown to the model (about 570 tokens)."""
MAX_TITLE_CHARACTERS = 120
_PLAIN: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)
_SCHEMA: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])


@dataclass(frozen=True)
class RenderedResult:
    """A tool's result: the text for the model and a short summary."""

    text: str
    summary: str


def spec_of(tool: Tool) -> ToolSpec:
    """The specification of a tool for the model."""
    return ToolSpec(tool.name, tool.description, _schema_of(tool.arguments))


@cache
def _schema_of(arguments: type[BaseModel]) -> dict[str, JsonValue]:
    return _SCHEMA.validate_python(arguments.model_json_schema())


def render_result(tool: Tool, result: BaseModel, book: SourceBook) -> RenderedResult:
    """Add a result's items to the book, one source each, and render them with their markers."""
    plain = _PLAIN.validate_python(result.model_dump(mode="json", by_alias=True))
    items, rest = _parts(plain)
    items_shown = items[:MAX_ITEMS]
    pieces: list[JsonValue] = [*items_shown, rest] if rest or not items_shown else list(items_shown)
    lines: list[str] = []
    for number, piece in enumerate(pieces, start=1):
        content = _words(piece)
        source = Source("tool", _title(tool, piece, number), content, url=_url(piece))
        mark = book.add(tool.name, source)
        lines.append(f"{mark} {_cut(one_line(content))}")
    if left_out := len(items) - len(items_shown):
        lines.append(f"({left_out} more were left out; narrow the request.)")
    return RenderedResult(fenced(tool.name, "\n".join(lines)), _summary(items, rest))


def _parts(plain: JsonValue) -> tuple[list[JsonValue], JsonValue]:
    """The items of a result, and everything else in it."""
    if isinstance(plain, list):
        return plain, None
    if not isinstance(plain, dict):
        return [], plain
    items: list[JsonValue] = []
    rest: dict[str, JsonValue] = {}
    for name, value in plain.items():
        if isinstance(value, list) and value and isinstance(value[0], (dict, list)):
            items += value
        elif value is not None and not (isinstance(value, list) and not value and items):
            rest[name] = value
    if items and all(value == [] for value in rest.values()):
        rest = {}
    return items, rest or None


def _words(piece: JsonValue) -> str:
    if isinstance(piece, Mapping):
        return "; ".join(f"{name}: {_word(v)}" for name, v in piece.items() if v is not None)
    return _word(piece) if piece is not None else "nothing was found"


def _word(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence) and not value:
        return "none"
    return json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_ITEM_CHARACTERS else f"{text[:MAX_ITEM_CHARACTERS]} [cut]"


def _title(tool: Tool, piece: JsonValue, number: int) -> str:
    if isinstance(piece, Mapping):
        for name in ("title", "name"):
            if isinstance(text := piece.get(name), str) and text.strip():
                return " ".join(text.split())[:MAX_TITLE_CHARACTERS]
    return f"{tool_title(tool.name)}, {number}"


def _url(piece: JsonValue) -> str | None:
    url = piece.get("url") if isinstance(piece, Mapping) else None
    return url if isinstance(url, str) and url.startswith(("https://", "http://")) else None


def _summary(items: list[JsonValue], rest: JsonValue) -> str:
    if not items:
        return "nothing found" if rest is None or _empty(rest) else "1 result"
    return "1 result" if len(items) == 1 else f"{len(items)} results"


def _empty(rest: JsonValue) -> bool:
    return isinstance(rest, Mapping) and all(value == [] for value in rest.values())


def tool_title(name: str) -> str:
    """A tool's name for people: `search_listings` becomes "Search listings"."""
    return name.replace("_", " ").strip().capitalize()
