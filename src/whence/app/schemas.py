"""JSON schemas of records and of packs' models, as clients get them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from whence.records.kind import SubjectKind

Schema = dict[str, Any]


def schema_of(model: type[BaseModel], *, answered: bool = False) -> Schema:
    """The schema of what a client sends, or (`answered`) gets."""
    return model.model_json_schema(mode="serialization" if answered else "validation")


def record_schema(kind: SubjectKind) -> Schema:
    """The schema of a record; `x-labels` of a field is what people call its choices."""
    schema, wire = schema_of(kind.view, answered=True), wire_names(kind.record)
    for name, labels in kind.display.choices.items():
        schema["properties"][wire[name]]["x-labels"] = dict(labels)
    return schema


def wire_names(model: type[BaseModel]) -> dict[str, str]:
    """The fields of a model by their Python names, with their wire names."""
    return {name: info.serialization_alias or name for name, info in model.model_fields.items()}
