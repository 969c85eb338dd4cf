"""What is wrong with input, field by field: pydantic's errors in plain words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

_OURS = "Value error, "
"""What pydantic puts before the message of a validator of ours."""
_DATE = "Enter a valid date, such as 2026-03-02."
_WORDS: Mapping[str, str] = {
    "missing": "This field is required.",
    "string_type": "Enter text.",
    "string_pattern_mismatch": "This does not have the required format.",
    "string_too_short": "Enter at least {min_length}.",
    "string_too_long": "Enter at most {max_length}.",
    **dict.fromkeys(("list_type", "tuple_type", "set_type"), "Enter a list."),
    "too_short": "Give at least {min_length}.",
    "too_long": "Give at most {max_length}.",
    **dict.fromkeys(("enum", "literal_error"), "Choose one of {expected}."),
    **dict.fromkeys(("bool_type", "bool_parsing"), "Answer yes or no."),
    **dict.fromkeys(
        ("int_type", "int_parsing", "int_parsing_size", "int_from_float"),
        "Enter a whole number.",
    ),
    **dict.fromkeys(
        ("float_type", "float_parsing", "decimal_type", "decimal_parsing", "finite_number"),
        "Enter a number.",
    ),
    "decimal_max_places": "Enter at most {decimal_places} digits after the point.",
    "greater_than": "Enter a value greater than {gt}.",
    "greater_than_equal": "Enter a value of at least {ge}.",
    "less_than": "Enter a value less than {lt}.",
    "less_than_equal": "Enter a value of at most {le}.",
    **dict.fromkeys(
        (
            "date_type",
            "date_parsing",
            "date_from_datetime_parsing",
            "date_from_datetime_inexact",
        ),
        _DATE,
    ),
    **dict.fromkeys(
        ("datetime_type", "datetime_parsing", "datetime_from_date_parsing"),
        "Enter a valid date and time, such as 2026-03-02T09:30:00Z.",
    ),
    **dict.fromkeys(("uuid_type", "uuid_parsing"), "This is not a valid id."),
}
"""Plain words by pydantic's type of error; names in braces are its limits."""
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_CAPITALS = re.compile(r"\^\[A-Z\]\{(\d+)\}\$")


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
        return f"{self.field}: {self.message.removesuffix('.')}"


def faults_of(
    error: ValidationError, model: type[BaseModel], within: str = "", whole: str = ""
) -> list[FieldFault]:
    """The errors of a `model` that could not be validated.

    `within` is the field of the input that holds the model's values; `whole` names the input in an
    error that is about no single field.
    """
    errors = error.errors(include_url=False, include_input=False)
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
        return plain_words(item)
    known = ", ".join(_fields_beside(model, location)) if model else ""
    return f"there is no such field; there are {known}" if known else "there is no such field"


def plain_words(item: Mapping[str, Any]) -> str:
    """One of pydantic's errors as a person reads it; a rare one in pydantic's own words."""
    context = item.get("ctx", {})
    capitals = _CAPITALS.fullmatch(str(context.get("pattern", "")))
    if capitals:
        return f"Enter {capitals[1]} capital letters."
    words = _WORDS.get(item["type"])
    if words is None:
        return str(item["msg"]).removeprefix(_OURS)
    unit = "character" if str(item["type"]).startswith("string_") else ""
    try:
        return words.format_map({name: _limit(limit, unit) for name, limit in context.items()})
    except KeyError:  # its limits were left out
        return str(item["msg"])


def _limit(limit: object, unit: str) -> str:
    if isinstance(limit, str) and _ISO.fullmatch(limit):
        limit = date.fromisoformat(limit)
    if isinstance(limit, date):
        return f"{limit:%B} {limit.day}, {limit.year}"
    return f"{limit} {unit}{'' if limit == 1 else 's'}" if unit else str(limit)


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
