"""The dated table of pricing assumptions: shipped with the pack, replaceable by the user's copy."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError, model_validator

from whence.packs.resale.records import Condition, Currency
from whence.sdk.errors import Misconfigured
from whence.sdk.values import Wire

from .tables import explain

SHIPPED = Path(__file__).with_name("assumptions.toml")

Factor = Annotated[float, Field(gt=0, le=2)]
"""Price relative to the same thing new; more than 2 is treated as a typing error."""


class Market(Wire):
    """A market and the spread of its prices for the same product."""

    words: Annotated[tuple[str, ...], Field(min_length=1)]
    """Category words of items that belong to this market."""
    spread: Annotated[float, Field(gt=0, le=2)]
    """Laplace scale of the log ratio of two shops' prices."""


class Assumptions(Wire):
    """Condition factors, typical shipping and market spreads, and the day from which they apply."""

    effective: date
    note: str = ""
    condition: dict[Condition, Factor]
    typical_shipping: dict[Currency, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    market: dict[str, Market] = Field(default_factory=dict)

    def market_of(self, category: str | None) -> tuple[str, Market] | None:
        """The first market with a word in the category, with its name; None if there is none."""
        words = set(re.findall(r"[^\W\d_]+", (category or "").lower()))
        for name, market in self.market.items():
            if words & {word.lower() for word in market.words}:
                return name, market
        return None

    @model_validator(mode="after")
    def _every_condition(self) -> Assumptions:
        missing = [value.value for value in Condition if value not in self.condition]
        if missing:
            raise ValueError(f"[condition] lacks {', '.join(missing)}; give each a factor")
        return self


@cache
def shipped_assumptions() -> Assumptions:
    """The table shipped with the pack."""
    return read_assumptions(SHIPPED)


def read_assumptions(path: Path) -> Assumptions:
    """Read a user's table; raises `Misconfigured`, which names the file, the key and the fix."""
    try:
        return Assumptions.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as problem:
        raise Misconfigured(explain(path, problem)) from problem
