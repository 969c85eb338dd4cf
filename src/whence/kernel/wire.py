"""The base of every model that crosses the wire: camelCase outside, snake_case inside."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from whence.kernel.text import camel


class Wire(BaseModel):
    """Frozen, strict about unknown fields, camelCase in JSON (snake_case is accepted too)."""

    model_config = ConfigDict(
        alias_generator=camel,
        populate_by_name=True,
        from_attributes=True,
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        json_schema_serialization_defaults_required=True,
    )
