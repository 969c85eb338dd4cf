"""Parse Amazon's catalogue items and offers."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, JsonValue, ValidationError

from whence.packs.resale.records import Condition, Listing, ListingStatus
from whence.packs.resale.settings import ResaleSettings
from whence.sdk.values import camel

from .base import CatalogueEntry, Refused, SearchResult
from .rows import (
    Amount,
    CurrencyCode,
    Identifier,
    Price,
    Title,
    Words,
    gtin14,
    raw_id,
    read_rows,
    reason_of,
)

_OK = 200
_SITES = {
    "ATVPDKIKX0DER": "www.amazon.com",
    "A2EUQ1WTGCTBG2": "www.amazon.ca",
    "A1AM78C64UM0Y8": "www.amazon.com.mx",
    "A1F83G8C2ARO7P": "www.amazon.co.uk",
    "A1PA6795UKMFR9": "www.amazon.de",
    "A13V1IB3VIYZZH": "www.amazon.fr",
    "APJ6JRA9NG5V4": "www.amazon.it",
    "A1RKKUPIHCS9HX": "www.amazon.es",
}
"""Web sites by marketplace id (SP-API, marketplace ids); products of other marketplaces get no
link."""

_CONDITIONS = {
    "new": Condition.NEW,
    "oem": Condition.NEW,
    "openbox": Condition.LIKE_NEW,
    "mint": Condition.LIKE_NEW,
    "likenew": Condition.LIKE_NEW,
    "verygood": Condition.GOOD,
    "good": Condition.GOOD,
    "refurbished": Condition.GOOD,
    "refurbishedwarranty": Condition.GOOD,
    "acceptable": Condition.FAIR,
    "poor": Condition.FAIR,
}
"""Values of `condition` and `subCondition` in the pricing API."""


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=camel)


class _Identifier(_Row):
    identifier: Words = None


class _Identifiers(_Row):
    identifiers: list[_Identifier] = Field(default_factory=list)


class _Class(_Row):
    display_name: Words = None


class _Summary(_Row):
    marketplace_id: Words = None
    item_name: Title
    brand: Words = None
    manufacturer: Words = None
    model_number: Words = None
    part_number: Words = None
    color: Words = None
    size: Words = None
    style: Words = None
    browse_classification: _Class | None = None


class Product(_Row):
    """An item of the catalogue, with the summary of our marketplace."""

    asin: Identifier
    summaries: list[_Summary] = Field(min_length=1)
    identifiers: list[_Identifiers] = Field(default_factory=list)

    @property
    def summary(self) -> _Summary:
        return self.summaries[0]

    def gtins(self) -> list[str]:
        """Every GTIN-14 that the catalogue lists for it."""
        codes = (
            identifier.identifier for group in self.identifiers for identifier in group.identifiers
        )
        return [gtin for gtin in map(gtin14, codes) if gtin]

    def entry(self, source: str, gtin: str, settings: ResaleSettings) -> CatalogueEntry:
        """The catalogue entry, with the requested GTIN if the catalogue lists it."""
        gtins, summary = self.gtins(), self.summary
        attributes = {
            name: text
            for name, text in (
                ("color", summary.color),
                ("size", summary.size),
                ("style", summary.style),
                ("manufacturer", summary.manufacturer),
            )
            if text
        }
        return CatalogueEntry(
            source=source,
            source_id=self.asin,
            title=summary.item_name,
            brand=summary.brand,
            model=summary.model_number,
            mpn=summary.part_number,
            category=_category(summary),
            gtin=gtin if gtin in gtins or not gtins else gtins[0],
            attributes=attributes,
            url=_link(self.asin, settings),
        )


class _Money(_Row):
    # The published example has both `amount` and `Amount`, `currencyCode` and `CurrencyCode`.
    amount: Amount = Field(validation_alias=AliasChoices("amount", "Amount"))
    currency: CurrencyCode = Field(validation_alias=AliasChoices("currencyCode", "CurrencyCode"))


class _PriceTag(_Money):
    amount: Price = Field(validation_alias=AliasChoices("amount", "Amount"))


class _Shipping(_Row):
    shipping_option_type: Words = None
    price: _Money


class _Offer(_Row):
    seller_id: Identifier
    listing_price: _PriceTag
    condition: Words = None
    sub_condition: Words = None
    fulfillment_type: Words = None
    shipping_options: list[_Shipping] = Field(default_factory=list)


class _Featured(_Row):
    segmented_featured_offers: list[JsonValue] = Field(default_factory=list)


class _Lowest(_Row):
    offers: list[JsonValue] = Field(default_factory=list)


class _Body(_Row):
    asin: Identifier
    featured_buying_options: list[_Featured] = Field(default_factory=list)
    lowest_priced_offers: list[_Lowest] = Field(default_factory=list)


class _Status(_Row):
    status_code: int


class _Answer(_Row):
    status: _Status
    body: _Body


class _Outcome(_Row):
    status: _Status


def product(row: JsonValue, marketplace: str) -> Product:
    """A catalogue item with the summary for `marketplace`."""
    parsed = Product.model_validate(row)
    own = [part for part in parsed.summaries if part.marketplace_id == marketplace]
    return parsed.model_copy(update={"summaries": own}) if own else parsed


def failed(answer: JsonValue, place: int) -> Refused | None:
    """Why one part of a batch has no prices, or None if it has."""
    try:
        outcome = _Outcome.model_validate(answer)
        if outcome.status.status_code == _OK:
            _Answer.model_validate(answer)
            return None
    except ValidationError as error:
        return Refused(reason_of(error), f"row {place}")
    body = answer.get("body") if isinstance(answer, dict) else None
    return Refused(f"Amazon answered {outcome.status.status_code}", raw_id(body, "asin", place))


def offers_of(
    answer: JsonValue, products: Mapping[str, Product], settings: ResaleSettings
) -> SearchResult:
    """The offers for a product without repeats: lowest prices first, then the featured ones."""
    body = _Answer.model_validate(answer).body
    rows = [row for part in body.lowest_priced_offers for row in part.offers]
    rows += [row for part in body.featured_buying_options for row in part.segmented_featured_offers]
    requested_product = products.get(body.asin)
    if requested_product is None:
        return SearchResult((), [Refused("asin: was not asked for", body.asin)])
    result = read_rows(rows, "sellerId", lambda row: _listing(row, requested_product, settings))
    once = {listing.source_id: listing for listing in reversed(result.listings)}
    listings = [once.pop(row.source_id) for row in result.listings if row.source_id in once]
    return SearchResult(listings, result.refused)


def _listing(row: JsonValue, requested_product: Product, settings: ResaleSettings) -> Listing:
    offer, summary = _Offer.model_validate(row), requested_product.summary
    condition = offer.sub_condition or offer.condition or ""
    own_currency = [
        option.price.amount
        for option in offer.shipping_options
        if option.price.currency == offer.listing_price.currency
    ]
    return Listing(
        source="amazon",
        source_id=":".join(
            (requested_product.asin, offer.seller_id, condition, offer.fulfillment_type or "")
        ),
        title=summary.item_name,
        status=ListingStatus.ACTIVE,
        price=offer.listing_price.amount,
        shipping=min(own_currency, default=None),
        currency=offer.listing_price.currency,
        condition=_CONDITIONS.get(condition.replace(" ", "").lower()),
        marketplace="amazon",
        url=_link(requested_product.asin, settings),
        gtin=next(iter(requested_product.gtins()), None),
        brand=summary.brand,
        model=summary.model_number,
        mpn=summary.part_number,
        category=_category(summary),
    )


def _category(summary: _Summary) -> str | None:
    return summary.browse_classification.display_name if summary.browse_classification else None


def _link(asin: str, settings: ResaleSettings) -> str | None:
    site = _SITES.get(settings.amazon_marketplace_id)
    return f"https://{site}/dp/{asin}" if site and asin.isalnum() else None
