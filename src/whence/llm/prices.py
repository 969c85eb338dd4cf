"""What a model's tokens cost, from a small dated table that the operator may replace."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from whence.kernel.errors import Misconfigured
from whence.kernel.field_errors import message

PER = 1_000_000
_RELEASE = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$")
_Dollars = Annotated[Decimal, Field(ge=0, allow_inf_nan=False)]


class _PriceFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    as_of: date
    usd_per_million: dict[str, tuple[_Dollars, _Dollars]]


@dataclass(frozen=True)
class Prices:
    """US dollars for a million tokens, (in, out), by `provider:name`."""

    as_of: date
    table: Mapping[str, tuple[Decimal, Decimal]]

    def cost(self, model: str, tokens_in: int, tokens_out: int) -> Decimal | None:
        """US dollars for these tokens, or None where the price of `model` is unknown."""
        provider = model.partition(":")[0]
        for name in (model, _RELEASE.sub("", model), f"{provider}:*"):
            if price := self.table.get(name):
                return (price[0] * tokens_in + price[1] * tokens_out) / PER
        return None


def load_prices(own: Path | None = None) -> Prices:
    """The shipped table, with the entries of the operator's file `own` (if there is one) on top.

    Raises Misconfigured when a file is not a price table.
    """
    shipped = _read(Path(__file__).with_name("prices.toml"))
    if own is None or not own.is_file():
        return Prices(shipped.as_of, shipped.usd_per_million)
    newer = _read(own)
    return Prices(newer.as_of, {**shipped.usd_per_million, **newer.usd_per_million})


def _read(path: Path) -> _PriceFile:
    try:
        with path.open("rb") as file:
            return _PriceFile.model_validate(tomllib.load(file, parse_float=Decimal))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        problem = f"{path} is not a price table (as_of, [usd_per_million] name = [in, out])"
        fix = "Correct the file, or remove it to use whence's own prices."
        raise Misconfigured(f"{problem}: {_reason(error)}. {fix}") from error


def _reason(error: tomllib.TOMLDecodeError | ValidationError) -> str:
    """What is wrong first, on one line."""
    if isinstance(error, tomllib.TOMLDecodeError):
        return str(error)
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {message(first, _PriceFile, first['loc'])}"
