"""Compares a price with the imported listings."""

from __future__ import annotations

from statistics import median
from typing import Annotated

from pydantic import Field

from whence.packs.resale.library.source import Library
from whence.packs.resale.records import Amount, Currency, GivenGtin, Listing, ListingStatus
from whence.packs.resale.sources.base import CompQuery, Offer
from whence.sdk.access import Scope
from whence.sdk.tools import ToolContext, tool
from whence.sdk.values import Wire

LOOKED_AT = 50
"""Listings of each kind to compare with: the nearest by words or code."""
CENTS = 2


class OtherPrice(Wire):
    """A total price for the buyer, and what it is for: words, a GTIN-14, or both."""

    price: Amount
    currency: Currency = "USD"
    text: Annotated[str, Field(max_length=300)] = ""
    gtin: GivenGtin | None = None


class Standing(Wire):
    """Sales, or current offers, on either side of the price; amounts include shipping."""

    listings: int
    at_or_above: int
    """How many of these cost at least the price."""
    below: int
    lowest: float | None
    median: float | None
    highest: float | None


class PriceStanding(Wire):
    """The position of the price.  Listings are found by similarity, so others may be among them."""

    price: float
    currency: str
    sold: Standing
    on_offer: Standing


@tool(Scope.READ)
async def compare_price(arguments: OtherPrice, context: ToolContext) -> PriceStanding:
    """Compare a price with imported listings: how many sold, or are on offer, above and below."""
    library = Library(context.unit)
    query = CompQuery(text=arguments.text, gtin=arguments.gtin)
    standings = {
        offer: (await library.search(query, offer, LOOKED_AT)).listings
        for offer in (Offer.SOLD, Offer.ACTIVE)
    }
    sold = [each for each in standings[Offer.SOLD] if each.status is ListingStatus.SOLD]
    active = [each for each in standings[Offer.ACTIVE] if each.status is ListingStatus.ACTIVE]
    return PriceStanding(
        price=arguments.price,
        currency=arguments.currency,
        sold=_standing(arguments, sold),
        on_offer=_standing(arguments, active),
    )


def _standing(price: OtherPrice, listings: list[Listing]) -> Standing:
    totals = sorted(
        each.price + (each.shipping or 0.0)
        for each in listings
        if each.price is not None and each.currency == price.currency
    )
    above = sum(total >= price.price for total in totals)
    return Standing(
        listings=len(totals),
        at_or_above=above,
        below=len(totals) - above,
        lowest=round(totals[0], CENTS) if totals else None,
        median=round(median(totals), CENTS) if totals else None,
        highest=round(totals[-1], CENTS) if totals else None,
    )
