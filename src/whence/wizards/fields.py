"""A step's fields as they are drawn, and their values in words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from pydantic import BaseModel

from whence.wizards.definition import Hint, Step, wire_name
from whence.wizards.payload import Choice, FieldShown

SHORT_LIST = 6
"""Choices that are shown all at once; a longer list opens."""
LONG_TEXT = 300
"""Characters from which on a text gets a box of several lines."""
NOT_SAID = "not said"
_WIDGETS = {"integer": "number", "number": "number", "boolean": "yes_no", "array": "checkboxes"}

Schema = Mapping[str, Any]


@lru_cache(maxsize=512)
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of what a step takes, by the names that clients use."""
    return model.model_json_schema(by_alias=True)


def fields_of(step: Step) -> list[FieldShown]:
    """The step's fields in the model's order."""
    schema = schema_of(step.model)
    found: list[FieldShown] = []
    for name in step.model.model_fields:
        alias = wire_name(step.model, name)
        given = _plain(schema["properties"][alias], schema)
        hint = step.hints.get(name, Hint())
        choices = _choices(given, schema, hint)
        found.append(
            FieldShown(
                name=alias,
                label=hint.label or name.replace("_", " ").capitalize(),
                help=hint.help or schema["properties"][alias].get("description", ""),
                widget=hint.widget or _widget(given, len(choices)),
                unit=hint.unit,
                required=alias in schema.get("required", ()),
                choices=choices,
            )
        )
    return found


def in_words(field: FieldShown, value: Any) -> str:
    """A value as a person reads it."""
    if value is None or value in ("", []):
        return NOT_SAID
    if isinstance(value, list):
        return ", ".join(in_words(field, item) for item in cast("list[Any]", value))
    for choice in field.choices:
        if choice.value == value and isinstance(choice.value, bool) == isinstance(value, bool):
            return choice.label
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{value} {field.unit}".strip()


def _plain(given: Schema, schema: Schema) -> Schema:
    """A field's schema without references and without null."""
    if reference := given.get("$ref"):
        return _plain(schema["$defs"][reference.rpartition("/")[2]], schema)
    for one in given.get("anyOf", ()):
        if one.get("type") != "null":
            return _plain(one, schema)
    return given


def _choices(given: Schema, schema: Schema, hint: Hint) -> list[Choice]:
    if given.get("type") == "array":
        given = _plain(given.get("items", {}), schema)
    values = given.get("enum", [given["const"]] if "const" in given else [])
    return [
        Choice(value=value, label=hint.labels.get(str(value)) or str(value).replace("_", " "))
        for value in values
        if value is not None
    ]


def _widget(given: Schema, choices: int) -> str:
    kind = given.get("type", "")
    if kind in ("array", "boolean"):
        return _WIDGETS[kind]
    if choices:
        return "radio" if choices <= SHORT_LIST else "select"
    if given.get("format") == "date":
        return "date"
    if kind == "string" and given.get("maxLength", 0) > LONG_TEXT:
        return "textarea"
    return _WIDGETS.get(kind, "text")
