"""The proceeds of a price on each marketplace."""

from __future__ import annotations

from dataclasses import asdict

from whence.packs.resale.flows.dossier_schema import MarketplaceView
from whence.packs.resale.flows.priced import assumptions_of
from whence.packs.resale.pricing import fees
from whence.packs.resale.pricing.fee_table import read_fees
from whence.packs.resale.records import Amount, Currency
from whence.packs.resale.settings import ResaleSettings
from whence.sdk.access import Scope
from whence.sdk.tools import ToolContext, tool
from whence.sdk.values import Wire


class Sale(Wire):
    """A total price for the buyer, and the seller's costs, if known."""

    price: Amount
    currency: Currency = "USD"
    category: str | None = None
    shipping: Amount | None = None
    cost: Amount | None = None
    """What the seller paid for it."""


class SaleProceeds(Wire):
    marketplaces: list[MarketplaceView]


@tool(Scope.READ)
async def net_proceeds(arguments: Sale, context: ToolContext) -> SaleProceeds:
    """Net proceeds on each marketplace, best first, by the dated fee table."""
    settings = context.services.get(ResaleSettings)
    table = read_fees(settings.fee_table)
    sales = fees.net_proceeds(
        arguments.price,
        table,
        currency=arguments.currency,
        category=arguments.category,
        costs=fees.SellerCosts(
            shipping=arguments.shipping,
            typical_shipping=assumptions_of(settings).typical_shipping.get(arguments.currency),
            cost=arguments.cost,
        ),
    )
    return SaleProceeds(marketplaces=[MarketplaceView.model_validate(asdict(s)) for s in sales])
