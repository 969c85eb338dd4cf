"""A Pydantic model as the JSON schema that every provider's schema mode accepts.

The modes accept a small common subset of JSON Schema (all properties required, no additional ones,
in some no lengths or bounds).  Dropped constraints go into the description for the model to read;
Pydantic checks them afterwards in any case.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pydantic import BaseModel, JsonValue

_BOUNDS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "pattern",
    "format",
)
Node = dict[str, JsonValue]


@dataclass(frozen=True)
class OutputSchema:
    """A provider-ready schema; `strict` says whether it fits the modes that guarantee it."""

    name: str
    schema: Node
    strict: bool


@cache
def output_schema(model: type[BaseModel]) -> OutputSchema:
    """The schema of `model` for its input (aliases as on the wire)."""
    loose: list[str] = []
    schema = _node(model.model_json_schema(mode="validation"), loose)
    return OutputSchema(model.__name__, schema, not loose)


def _node(node: Node, loose: list[str]) -> Node:
    if "$ref" in node and "$defs" not in node:
        return {"$ref": node["$ref"]}
    out: Node = {key: node[key] for key in ("type", "$ref", "enum") if key in node}
    if "const" in node:
        out["enum"] = [node["const"]]
    variants = node.get("anyOf") or node.get("oneOf") or node.get("allOf")
    if isinstance(variants, list):
        out["anyOf"] = [_node(each, loose) for each in variants if isinstance(each, dict)]
    properties = node.get("properties")
    if isinstance(properties, dict):
        named = {
            key: _node(each, loose) for key, each in properties.items() if isinstance(each, dict)
        }
        out |= {"properties": {**named}, "required": [*named], "additionalProperties": False}
    elif node.get("type") == "object":
        loose.append("mapping")
        values = node.get("additionalProperties")
        out["additionalProperties"] = _node(values, loose) if isinstance(values, dict) else True
    _items(node, out, loose)
    definitions = node.get("$defs")
    if isinstance(definitions, dict):
        out["$defs"] = {k: _node(v, loose) for k, v in definitions.items() if isinstance(v, dict)}
    if not out:
        loose.append("anything")
    if words := _description(node):
        out["description"] = words
    return out


def _items(node: Node, out: Node, loose: list[str]) -> None:
    tuple_items, items = node.get("prefixItems"), node.get("items")
    if isinstance(tuple_items, list):
        out["items"] = {"anyOf": [_node(i, loose) for i in tuple_items if isinstance(i, dict)]}
    elif isinstance(items, dict):
        out["items"] = _node(items, loose)
    elif node.get("type") == "array":
        loose.append("list of anything")


def _description(node: Node) -> str:
    bounds = [f"{key} {node[key]}" for key in _BOUNDS if key in node and "(?" not in str(node[key])]
    words = node.get("description")
    text = words if isinstance(words, str) else ""
    return f"{text} ({', '.join(bounds)})".strip() if bounds else text
