"""What a sale leaves, and the floor that loses nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from whence.packs.resale.pricing.bands import NotEnough, PriceBands
from whence.packs.resale.pricing.fee_table import Marketplace
from whence.packs.resale.pricing.fees import (
    Proceeds,
    SellerCosts,
    least_profitable,
    net_proceeds,
)
from whence.packs.resale.pricing.params import BandParams
from whence.packs.resale.pricing.reasoning import money as words_of
from whence.packs.resale.records import Item

from .claims import FloorBasis, sale_settings
from .priced import costs_of, money, profitable_floor


@dataclass(frozen=True)
class Selling:
    """The bands with a floor that loses nothing, and the proceeds of the target."""

    bands: PriceBands | NotEnough
    sales: Sequence[Proceeds]
    costs: SellerCosts
    raised: FloorBasis | None
    """What the floor was raised by; None if it was not."""


def selling(
    item: Item,
    category: str | None,
    bands: PriceBands | NotEnough,
    params: BandParams,
    fees: Mapping[str, Marketplace],
    fee_evidence: Mapping[str, UUID],
) -> Selling:
    """The proceeds on each marketplace; without a price there are none."""
    costs = costs_of(item, params)
    if isinstance(bands, NotEnough):
        return Selling(bands, (), costs, None)
    target = money(bands.target.amount)
    sales = net_proceeds(target, fees, currency=item.currency, category=category, costs=costs)
    sale = least_profitable(sales)
    raised, sale = raise_floor(bands, sales)
    if sale is None:
        return Selling(bands, sales, costs, None)
    basis = FloorBasis(fee_evidence[sale.marketplace], sale_settings(sale, category, costs))
    return Selling(raised, sales, costs, basis)


def raise_floor(bands: PriceBands, sales: Sequence[Proceeds]) -> tuple[PriceBands, Proceeds | None]:
    """Bands whose floor loses nothing, and the sale that the floor was raised for, if it was."""
    sale = least_profitable(sales)
    amount = profitable_floor(bands.floor.amount, bands.target.amount, sale)
    if sale is None or amount <= bands.floor.amount:
        return bands, None
    floor = replace(bands.floor, amount=amount, reasoning=_reasoning(bands, amount, sale))
    return replace(bands, floor=floor), sale


def _reasoning(bands: PriceBands, amount: float, sale: Proceeds) -> str:
    old, new = words_of(bands.floor.amount, bands.currency), words_of(amount, bands.currency)
    spent = "fees, sending it and what you paid" if sale.cost is not None else "fees and sending it"
    raised = (
        f"Raised from {old} to {new}: below that, {spent} take more than the price on {sale.name}."
    )
    return f"{raised} {bands.floor.reasoning}"
