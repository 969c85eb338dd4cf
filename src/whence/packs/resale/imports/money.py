"""Prices: amounts from 0 to below 10 million."""

from __future__ import annotations

from dataclasses import dataclass

from whence.packs.resale.records import MAX_AMOUNT
from whence.sdk.tabular import BadValue
from whence.sdk.tabular import amount as amount_of


@dataclass(frozen=True, slots=True)
class Money:
    """A price, and its currency where the text names one."""

    amount: float
    currency: str | None = None
    doubtful: bool = False
    """Thousands or decimals could not be told apart for certain."""


def money(value: object, currency: str | None = None) -> Money:
    """The price in a cell; `currency` is what the row says beside it.

    Raises `BadValue` for negative, infinite and absurd amounts, ranges, and what is no amount.
    """
    price = amount_of(value, currency)
    if price.value >= MAX_AMOUNT:
        raise BadValue(f"{MAX_AMOUNT:,} or more is not a price.")
    return Money(float(price.value), price.currency, price.is_doubtful)
