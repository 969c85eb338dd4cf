"""Parse eBay's item summaries and item sales into listings."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from whence.packs.resale.records import Condition, Listing, ListingStatus
from whence.sdk.values import camel

from .rows import Amount, CurrencyCode, Identifier, Link, Moment, PastMoment, Price, Title, Words

_CONDITIONS = {
    "1000": Condition.NEW,
    "1500": Condition.LIKE_NEW,
    "1750": Condition.LIKE_NEW,
    "2000": Condition.LIKE_NEW,
    "2010": Condition.LIKE_NEW,
    "2020": Condition.GOOD,
    "2030": Condition.GOOD,
    "2500": Condition.GOOD,
    "2750": Condition.LIKE_NEW,
    "2990": Condition.GOOD,
    "3000": Condition.GOOD,
    "3010": Condition.FAIR,
    "4000": Condition.GOOD,
    "5000": Condition.GOOD,
    "6000": Condition.FAIR,
    "7000": Condition.FOR_PARTS,
}
"""eBay's condition ids (Selling Integration Guide, item condition id and name values)."""


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=camel)


class _Money(_Row):
    value: Amount
    currency: CurrencyCode


class _PriceTag(_Row):
    value: Price
    currency: CurrencyCode


class _Shipping(_Row):
    shipping_cost: _Money | None = None


class _Category(_Row):
    category_name: Words = None


class _Image(_Row):
    image_url: Link = None


class _Item(_Row):
    item_id: Identifier
    title: Title
    condition_id: Words = None
    item_web_url: Link = None
    image: Annotated[
        _Image | None, BeforeValidator(lambda value: value if isinstance(value, dict) else None)
    ] = None
    categories: Annotated[
        list[_Category], BeforeValidator(lambda value: value if isinstance(value, list) else [])
    ] = Field(default_factory=list)


class _Summary(_Item):
    """A row of `itemSummaries`; `price` is missing for an auction that has only bids."""

    price: _PriceTag
    shipping_options: list[_Shipping] | None = None
    item_creation_date: Moment | None = None


class _Sale(_Item):
    """A row of `itemSales`; it has no shipping cost."""

    last_sold_price: _PriceTag
    last_sold_date: PastMoment


def active(row: JsonValue) -> Listing:
    """The listing in a row of `itemSummaries`; raises pydantic's `ValidationError`."""
    item = _Summary.model_validate(row)
    return _listing(
        item,
        item.price,
        status=ListingStatus.ACTIVE,
        shipping=_shipping(item),
        listed_at=item.item_creation_date,
    )


def sold(row: JsonValue) -> Listing:
    """The sale in a row of `itemSales`; raises what `active` raises."""
    item = _Sale.model_validate(row)
    return _listing(
        item, item.last_sold_price, status=ListingStatus.SOLD, sold_at=item.last_sold_date
    )


def _listing(item: _Item, price: _PriceTag, **fields: object) -> Listing:
    return Listing.model_validate(
        {
            "source": "ebay",
            "source_id": item.item_id,
            "title": item.title,
            "price": price.value,
            "currency": price.currency,
            "condition": _CONDITIONS.get(item.condition_id or ""),
            "marketplace": "ebay",
            "url": item.item_web_url,
            "image_url": item.image.image_url if item.image else None,
            "category": item.categories[0].category_name if item.categories else None,
            **fields,
        }
    )


def _shipping(item: _Summary) -> float | None:
    """The cheapest known cost in the price's currency; None if it is calculated later."""
    costs = [
        option.shipping_cost.value
        for option in item.shipping_options or []
        if option.shipping_cost and option.shipping_cost.currency == item.price.currency
    ]
    return min(costs, default=None)
