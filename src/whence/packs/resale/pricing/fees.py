"""Net proceeds: what the seller keeps of a sale at the target price, on each marketplace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from .fee_table import CategoryFee, Marketplace, Rate
from .reasoning import money

CLOSE_TO_BEST = 0.05
"""Marketplaces within this share of the best proceeds are recommended too: a quicker or safer sale
is worth more than the difference."""


@dataclass(frozen=True, slots=True)
class Proceeds:
    """One marketplace: amounts in `currency`; `net` is after fee and shipping."""

    marketplace: str
    name: str
    currency: str
    price: float
    """The buyer's total."""
    fee: float
    shipping: float
    net: float
    recommended: bool
    reason: str
    effective: date
    source: str


def net_proceeds(
    price: float,
    fees: Mapping[str, Marketplace],
    *,
    currency: str = "USD",
    category: str | None = None,
    shipping: float | None = None,
) -> list[Proceeds]:
    """Proceeds of selling for `price` (the buyer's total, shipping included), best first.

    `shipping` is the seller's cost of sending it; None leaves it out, with a note.  Marketplaces in
    another currency are not listed.
    """
    words = set(re.findall(r"[a-z]+", (category or "").lower()))
    sales = [
        _sale(key, place, price, words, shipping)
        for key, place in fees.items()
        if place.currency == currency
    ]
    sales.sort(key=lambda sale: (-sale.net, sale.key))
    best = max((sale.net for sale in sales if sale.suits), default=0.0)
    return [_proceeds(sale, best) for sale in sales]


def sale_fee(price: float, place: Marketplace, category: CategoryFee | None = None) -> float:
    """The fee on a sale whose fee base is `price`, never more than the price itself."""
    if place.flat_small is not None and price <= place.flat_small.up_to:
        return min(price, place.flat_small.amount)
    rates, least, fixed = place.rates, place.least, place.fixed
    if place.fixed_small is not None and price <= place.fixed_small.up_to:
        fixed = place.fixed_small.amount
    if category is not None:
        rates = category.rates or rates
        least = least if category.least is None else category.least
        fixed = fixed if category.fixed is None else category.fixed
    return min(price, max(_by_parts(price, rates), least) + fixed)


def category_fee(place: Marketplace, words: set[str]) -> CategoryFee | None:
    """The marketplace's first category with one of the item's category words."""
    for fee in place.category.values():
        if words & {word.lower() for word in fee.words}:
            return fee
    return None


@dataclass(frozen=True, slots=True)
class _Sale:
    key: str
    place: Marketplace
    price: float
    fee: float
    sent: float
    counted: bool
    """Whether the seller's shipping cost is known."""
    suits: bool

    @property
    def net(self) -> float:
        return self.price - self.fee - self.sent


def _sale(
    key: str, place: Marketplace, price: float, words: set[str], shipping: float | None
) -> _Sale:
    sent = (shipping or 0.0) if place.label is None else place.label
    base = price if place.on_shipping else max(0.0, price - sent)
    return _Sale(
        key=key,
        place=place,
        price=price,
        fee=sale_fee(base, place, category_fee(place, words)),
        sent=sent,
        counted=shipping is not None or place.label is not None,
        suits=not place.suits or bool(words & {word.lower() for word in place.suits}),
    )


def _by_parts(price: float, rates: tuple[Rate, ...]) -> float:
    fee = below = 0.0
    for rate in rates:
        upper = price if rate.up_to is None else min(price, rate.up_to)
        fee += max(0.0, upper - below) * rate.percent / 100
        below = max(below, upper)
    return fee


def _proceeds(sale: _Sale, best: float) -> Proceeds:
    place = sale.place
    near = sale.net > 0 and sale.net >= best * (1 - CLOSE_TO_BEST)
    fees = f"fees take {money(sale.fee, place.currency)} of {money(sale.price, place.currency)}"
    if place.label is not None:
        fees += f", and its shipping label takes {money(place.label, place.currency)}"
    if not sale.suits:
        reason = f"Not for this kind of item (it is for {', '.join(place.suits[:3])}); {fees}"
    elif sale.net <= 0:
        reason = f"Nothing is left after fees and shipping; {fees}"
    elif near:
        lead = "The best" if sale.net >= best else f"Within {CLOSE_TO_BEST:.0%} of the best"
        reason = f"{lead}: {fees}"
    else:
        reason = f"{money(best - sale.net, place.currency)} less than the best; {fees}"
    if not sale.counted:
        reason += "; your shipping cost is not included"
    return Proceeds(
        marketplace=sale.key,
        name=place.name,
        currency=place.currency,
        price=sale.price,
        fee=sale.fee,
        shipping=sale.sent,
        net=sale.net,
        recommended=sale.suits and near,
        reason=f"{reason}.",
        effective=place.effective,
        source=place.source,
    )
