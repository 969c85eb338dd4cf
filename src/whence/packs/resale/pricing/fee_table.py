"""The dated fee table: shipped with the pack; a user's file can override single keys."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from whence.packs.resale.records import Amount, Currency
from whence.sdk.errors import Misconfigured
from whence.sdk.values import Wire

from .tables import explain

SHIPPED_FEES = Path(__file__).with_name("fees.toml")


class Rate(Wire):
    """A percentage of the part of the sale up to `up_to` (the last one: of the rest)."""

    percent: Annotated[float, Field(ge=0, lt=100)]
    up_to: Annotated[float, Field(gt=0)] | None = None
    below: Annotated[float, Field(gt=0)] | None = None
    """Like `up_to`, without the amount itself."""
    fixed: Amount | None = None
    """Replaces the fixed amount per order; only where one rate holds for the whole sale."""

    @property
    def bound(self) -> float | None:
        """Where its part or bracket ends."""
        return self.up_to if self.below is None else self.below

    def holds(self, price: float) -> bool:
        """Whether a sale for `price` is not beyond its bracket."""
        if self.below is not None:
            return price < self.below
        return self.up_to is None or price <= self.up_to

    @model_validator(mode="after")
    def _one_bound(self) -> Rate:
        if self.up_to is not None and self.below is not None:
            raise ValueError("give `up_to` or `below`, not both")
        return self


class SmallSale(Wire):
    """A fixed fee for sales of at most `up_to`."""

    up_to: Annotated[float, Field(gt=0)]
    amount: Amount


class CategoryFee(Wire):
    """Fees that differ for categories with one of `words` and none of `unless`."""

    words: Annotated[tuple[str, ...], Field(min_length=1)]
    """Each a word, or several that must all occur."""
    unless: tuple[str, ...] = ()
    rates: tuple[Rate, ...] | None = None
    whole: bool = False
    """Whether one rate, that of the total's bracket, holds for the whole sale."""
    least: Amount | None = None
    fixed: Amount | None = None


class Marketplace(Wire):
    """Fees of one marketplace, in its currency, for a seller without a subscription."""

    name: Annotated[str, Field(min_length=1)]
    currency: Currency
    effective: date
    source: Annotated[str, Field(min_length=1)]
    page: str | None = None
    """Address of the page that the figures are on."""
    read: date | None = None
    """The day on which they were read from it; None if they are not confirmed."""
    rates: Annotated[tuple[Rate, ...], Field(min_length=1)]
    whole: bool = False
    least: Amount = 0.0
    fixed: Amount = 0.0
    fixed_small: SmallSale | None = None
    flat_small: SmallSale | None = None
    on_shipping: bool = True
    label: Amount | None = None
    suits: tuple[str, ...] = ()
    category: dict[str, CategoryFee] = Field(default_factory=dict)
    enabled: bool = True

    @model_validator(mode="after")
    def _rates_in_order(self) -> Marketplace:
        for rates in (self.rates, *(c.rates for c in self.category.values() if c.rates)):
            bounds = [rate.bound for rate in rates]
            if bounds[-1] is not None or None in bounds[:-1]:
                raise ValueError("every rate but the last needs `up_to`, and the last has none")
            if bounds[:-1] != sorted({bound for bound in bounds if bound is not None}):
                raise ValueError("`up_to` of the rates must rise")
        return self


_TABLE = TypeAdapter(dict[str, Marketplace])


def read_fees(override: Path | None = None) -> dict[str, Marketplace]:
    """The enabled marketplaces by id.  `override` is a TOML file whose keys replace the shipped
    ones.

    It can disable a marketplace with `enabled = false`, or add one.  Raises `Misconfigured`, which
    names the file, the line or key, and the fix.
    """
    table = _load(SHIPPED_FEES)
    read = SHIPPED_FEES
    if override is not None:
        read = override
        table = {**table, **_merged(table, _load(override), override)}
    try:
        fees = _TABLE.validate_python(table)
    except ValidationError as problem:
        raise Misconfigured(explain(read, problem)) from problem
    return {key: marketplace for key, marketplace in fees.items() if marketplace.enabled}


def _load(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise Misconfigured(explain(path, problem)) from problem


def _merged(
    shipped: Mapping[str, object], own: Mapping[str, object], path: Path
) -> dict[str, object]:
    merged: dict[str, object] = {}
    for key, value in own.items():
        if not isinstance(value, dict):
            raise Misconfigured(
                f"{path.name}: {key} is outside a marketplace; "
                f"put it under a heading such as [ebay]."
            )
        base = shipped.get(key)
        merged[key] = {**base, **value} if isinstance(base, dict) else value
    return merged
