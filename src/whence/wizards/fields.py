"""How to draw a step's fields, and how to write their values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from pydantic import BaseModel

from whence.wizards.definition import Hint, Step, wire_name
from whence.wizards.payload import Choice, FieldShown

SHORT_LIST = 6
"""Choices shown all at once; a longer list becomes a drop-down."""
LONG_TEXT = 300
"""Characters above which a text field gets several lines."""
NOT_ANSWERED = "not answered"
_WIDGETS = {"integer": "number", "number": "number", "boolean": "yes_no", "array": "checkboxes"}

Schema = Mapping[str, Any]


@lru_cache(maxsize=512)
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a step's answer, with the names that clients use."""
    return model.model_json_schema(by_alias=True)


def fields_of(step: Step) -> list[FieldShown]:
    """The step's fields in the model's order."""
    schema = schema_of(step.model)
    fields: list[FieldShown] = []
    for name in step.model.model_fields:
        alias = wire_name(step.model, name)
        field_schema = _resolved(schema["properties"][alias], schema)
        hint = step.hints.get(name, Hint())
        choices = _choices(field_schema, schema, hint)
        fields.append(
            FieldShown(
                name=alias,
                label=hint.label or name.replace("_", " ").capitalize(),
                help=hint.help or schema["properties"][alias].get("description", ""),
                widget=hint.widget or _widget(field_schema, len(choices)),
                unit=hint.unit,
                required=alias in schema.get("required", ()),
                choices=choices,
            )
        )
    return fields


def format_value(field: FieldShown, value: Any) -> str:
    """A value in words for a person."""
    if value is None or value in ("", []):
        return NOT_ANSWERED
    if isinstance(value, list):
        return ", ".join(format_value(field, item) for item in cast("list[Any]", value))
    for choice in field.choices:
        if choice.value == value and isinstance(choice.value, bool) == isinstance(value, bool):
            return choice.label
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{value} {field.unit}".strip()


def _resolved(field_schema: Schema, schema: Schema) -> Schema:
    """A field's schema without references and without null."""
    if reference := field_schema.get("$ref"):
        return _resolved(schema["$defs"][reference.rpartition("/")[2]], schema)
    for one in field_schema.get("anyOf", ()):
        if one.get("type") != "null":
            return _resolved(one, schema)
    return field_schema


def _choices(field_schema: Schema, schema: Schema, hint: Hint) -> list[Choice]:
    if field_schema.get("type") == "array":
        field_schema = _resolved(field_schema.get("items", {}), schema)
    values = field_schema.get("enum", [field_schema["const"]] if "const" in field_schema else [])
    return [
        Choice(value=value, label=hint.labels.get(str(value)) or str(value).replace("_", " "))
        for value in values
        if value is not None
    ]


def _widget(field_schema: Schema, choices: int) -> str:
    kind = field_schema.get("type", "")
    if kind in ("array", "boolean"):
        return _WIDGETS[kind]
    if choices:
        return "radio" if choices <= SHORT_LIST else "select"
    if field_schema.get("format") == "date":
        return "date"
    if kind == "string" and field_schema.get("maxLength", 0) > LONG_TEXT:
        return "textarea"
    return _WIDGETS.get(kind, "text")
