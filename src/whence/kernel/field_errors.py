"""What is wrong with input, field by field: pydantic's errors in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

_OURS = "Value error, "
"""What pydantic puts before the message of a validator of ours."""


@dataclass(frozen=True)
class FieldFault:
    """A field of the input, and what is wrong with it."""

    field: str
    """Its dotted path, such as `payload.filters`; "" for the input as a whole."""
    message: str

    def as_json(self) -> dict[str, str]:
        """As in a problem document."""
        return {"field": self.field, "message": self.message}

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


def faults_of(
    error: ValidationError, model: type[BaseModel], within: str = "", whole: str = ""
) -> list[FieldFault]:
    """The errors of a `model` that could not be validated.

    `within` is the field of the input that holds the model's values; `whole` names the input in an
    error that is about no single field.
    """
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    faults: list[FieldFault] = []
    for item in errors:
        path = (within, *map(str, item["loc"])) if within else tuple(map(str, item["loc"]))
        faults.append(FieldFault(".".join(path) or whole, message(item, model, item["loc"])))
    return faults


def sentence(faults: Sequence[FieldFault], most: int = 3) -> str:
    """The first faults in one line, and the number of the others."""
    more = f" (and {len(faults) - most} more)" if len(faults) > most else ""
    return "; ".join(map(str, faults[:most])) + more


def message(
    item: Mapping[str, Any], model: type[BaseModel] | None, location: Sequence[object]
) -> str:
    """One of pydantic's errors in plain words; `location` is its place within `model`.

    An unknown field is answered with the fields that there are.
    """
    if item["type"] != "extra_forbidden":
        return str(item["msg"]).removeprefix(_OURS)
    known = ", ".join(_fields_beside(model, location)) if model else ""
    return f"there is no such field; there are {known}" if known else "there is no such field"


def names_of(model: type[BaseModel]) -> list[str]:
    """The fields of a model, as they are named on the wire, sorted."""
    return sorted(field.alias or name for name, field in model.model_fields.items())


def _fields_beside(model: type[BaseModel], location: Sequence[object]) -> list[str]:
    models = [model]
    for part in location[:-1]:
        models = _below(models, part)
    return sorted({name for each in models for name in names_of(each)})


def _below(models: list[type[BaseModel]], part: object) -> list[type[BaseModel]]:
    """The models in a field of these models; the same ones for an index or the tag of a union."""
    annotations = [
        field.annotation
        for model in models
        for name, field in model.model_fields.items()
        if part in (name, field.alias)
    ]
    return [each for one in annotations for each in _models_in(one)] if annotations else models


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [each for argument in get_args(annotation) for each in _models_in(argument)]
