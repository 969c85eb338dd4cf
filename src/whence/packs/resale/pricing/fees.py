"""Net proceeds: what the seller keeps of a sale, on each marketplace, and from which price on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from .fee_categories import category_fee, suits
from .fee_table import CategoryFee, Marketplace, Rate
from .reasoning import money

CLOSE_TO_BEST = 0.05
"""Marketplaces within this share of the best proceeds are recommended too: a quicker or safer sale
is worth more than the difference."""

_HALVINGS = 50
_ROUNDING = 1e-6
"""Cents by which a bisection may miss."""


@dataclass(frozen=True, slots=True)
class SellerCosts:
    """What a sale costs the seller besides fees."""

    shipping: float | None = None
    """Sending it; None if unknown, and then `typical_shipping` is assumed."""
    typical_shipping: float | None = None
    cost: float | None = None
    """What the seller paid for it; None if unknown, and then nothing is subtracted."""

    @property
    def sending(self) -> float:
        """The shipping that is counted."""
        return (self.typical_shipping or 0.0) if self.shipping is None else self.shipping


NO_COSTS = SellerCosts()


@dataclass(frozen=True, slots=True)
class Proceeds:
    """One marketplace: amounts in `currency`; `net` is after fee, shipping and own cost."""

    marketplace: str
    name: str
    currency: str
    price: float
    """The buyer's total."""
    fee: float
    shipping: float
    cost: float | None
    """What the seller paid for it, if known."""
    net: float
    break_even: float
    """The lowest price from which nothing is lost; 0 where nothing is known to be lost."""
    recommended: bool
    reason: str
    effective: date
    source: str
    page: str | None
    read: date | None
    """The day on which the fees were read from their page; None if they are not confirmed."""


def net_proceeds(
    price: float,
    fees: Mapping[str, Marketplace],
    *,
    currency: str = "USD",
    category: str | None = None,
    costs: SellerCosts = NO_COSTS,
) -> list[Proceeds]:
    """Proceeds of selling for `price` (the buyer's total, shipping included), best first; of equal
    ones, those whose fees are confirmed.

    Marketplaces in another currency are not listed.
    """
    sales = [
        _Sale(key, place, price, category_fee(place, category), suits(place, category), costs)
        for key, place in fees.items()
        if place.currency == currency
    ]
    sales.sort(key=lambda sale: (-sale.net, sale.place.read is None, sale.key))
    best = max((sale.net for sale in sales if sale.is_suitable), default=0.0)
    return [_proceeds(sale, best) for sale in sales]


def least_profitable(sales: Sequence[Proceeds]) -> Proceeds | None:
    """The recommended marketplace on which the lowest price is still profitable."""
    recommended = [sale for sale in sales if sale.recommended]
    return min(recommended, key=lambda sale: (sale.break_even, sale.marketplace), default=None)


def sale_fee(price: float, place: Marketplace, category: CategoryFee | None = None) -> float:
    """The fee on a sale whose fee base is `price`, never more than the price itself."""
    if place.flat_small is not None and price <= place.flat_small.up_to:
        return min(price, place.flat_small.amount)
    rates, least, fixed, whole = place.rates, place.least, place.fixed, place.whole
    if place.fixed_small is not None and price <= place.fixed_small.up_to:
        fixed = place.fixed_small.amount
    if category is not None:
        if category.rates is not None:
            rates, whole = category.rates, category.whole
        least = least if category.least is None else category.least
        fixed = fixed if category.fixed is None else category.fixed
    if whole:
        rate = next(rate for rate in rates if rate.holds(price))
        fixed = fixed if rate.fixed is None else rate.fixed
        return min(price, max(price * rate.percent / 100, least) + fixed)
    return min(price, max(_by_parts(price, rates), least) + fixed)


@dataclass(frozen=True, slots=True)
class _Sale:
    key: str
    place: Marketplace
    price: float
    category: CategoryFee | None
    is_suitable: bool
    costs: SellerCosts

    @property
    def sending(self) -> float:
        """The marketplace's own label, or what sending costs the seller."""
        return self.costs.sending if self.place.label is None else self.place.label

    @property
    def fee(self) -> float:
        return self._fee(self.price)

    @property
    def net(self) -> float:
        return self._net(self.price)

    @property
    def break_even(self) -> float:
        """The least price with a net of 0, by bisection: fees are steps and parts."""
        spent = self.sending + (self.costs.cost or 0.0)
        low, high = 0.0, 10 * (spent + 1)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._net(middle) >= 0 else (middle, high)
        return high

    def _fee(self, price: float) -> float:
        base = price if self.place.on_shipping else max(0.0, price - self.sending)
        return sale_fee(base, self.place, self.category)

    def _net(self, price: float) -> float:
        return price - self._fee(price) - self.sending - (self.costs.cost or 0.0)


def _by_parts(price: float, rates: tuple[Rate, ...]) -> float:
    fee = below = 0.0
    for rate in rates:
        upper = price if rate.bound is None else min(price, rate.bound)
        fee += max(0.0, upper - below) * rate.percent / 100
        below = max(below, upper)
    return fee


def _proceeds(sale: _Sale, best: float) -> Proceeds:
    place = sale.place
    near = sale.net > 0 and sale.net >= best * (1 - CLOSE_TO_BEST)
    return Proceeds(
        marketplace=sale.key,
        name=place.name,
        currency=place.currency,
        price=sale.price,
        fee=sale.fee,
        shipping=sale.sending,
        cost=sale.costs.cost,
        net=sale.net,
        break_even=math.ceil(sale.break_even * 100 - _ROUNDING) / 100,
        recommended=sale.is_suitable and near,
        reason=_reason(sale, best, is_near=near),
        effective=place.effective,
        source=place.source,
        page=place.page,
        read=place.read,
    )


def _reason(sale: _Sale, best: float, *, is_near: bool) -> str:
    place = sale.place
    if not sale.is_suitable:
        lead = f"Not for this kind of item (it is for {', '.join(place.suits[:3])})"
    elif sale.net <= 0:
        lead = "Nothing is left after fees and costs"
    elif is_near:
        lead = "The best" if sale.net >= best else f"Within {CLOSE_TO_BEST:.0%} of the best"
    else:
        lead = f"{money(best - sale.net, place.currency)} less than the best"
    parts = [f"fees take {money(sale.fee, place.currency)} of {money(sale.price, place.currency)}"]
    parts += [_sending(sale), _cost(sale)]
    parts += ["these fees are not confirmed"] if place.read is None else []
    return f"{lead}: {'; '.join(part for part in parts if part)}."


def _sending(sale: _Sale) -> str:
    amount = money(sale.sending, sale.place.currency)
    if sale.place.label is not None:
        return f"its shipping label takes {amount}"
    if sale.costs.shipping is not None:
        return f"sending it takes {amount}"
    if sale.costs.typical_shipping is None:
        return "what sending it costs you is unknown and not included"
    return f"sending it is assumed to take {amount}"


def _cost(sale: _Sale) -> str:
    if sale.costs.cost is None:
        return ""
    return f"you paid {money(sale.costs.cost, sale.place.currency)} for it"
