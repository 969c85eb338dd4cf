"""Outside values made such that PostgreSQL keeps them: what it cannot hold is taken out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from pydantic_core import to_jsonable_python


def storable_text(text: str) -> str:
    """A text without NUL, with `?` for half a surrogate pair; everything else stays verbatim."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def storable(value: Any) -> Any:
    """A value as JSON that `jsonb` accepts; numbers that are none (NaN, infinity) become null."""
    return _clean(to_jsonable_python(value, fallback=str, bytes_mode="base64"))


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, Any]", value)
        return {storable_text(key): _clean(item) for key, item in pairs.items()}
    if isinstance(value, list):
        return [_clean(item) for item in cast("list[Any]", value)]
    return value
