"""UPCitemdb: products by barcode, and shops' offers for them.

Shapes: devs.upcitemdb.com and upcitemdb.com/wp/docs/main/development (responses). Without a key,
the trial endpoint answers 100 requests a day.  The source sends barcodes to a third party, so it is
off by default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from whence.packs.resale.records import Condition, Listing, ListingStatus
from whence.packs.resale.settings import ResaleSettings, variable
from whence.sdk.http import Absent, Fetcher, Reach, RequestRefused
from whence.sdk.values import now

from .base import (
    MAX_LIMIT,
    Availability,
    CatalogueEntry,
    CompQuery,
    NotOffered,
    Offer,
    Refused,
    SearchResult,
)
from .rows import (
    Amount,
    CurrencyCode,
    Identifier,
    Link,
    Price,
    Title,
    Words,
    gtin14,
    printed_code,
    read_each,
    read_rows,
    rows_of,
)

_CONDITIONS = {
    "new": Condition.NEW,
    "like new": Condition.LIKE_NEW,
    "refurbished": Condition.GOOD,
    "used": Condition.GOOD,
}
_NOT_A_CODE = b"INVALID_UPC"
_STILL_ACTIVE = timedelta(days=90)
"""Offers last seen longer ago may be gone; their price still counts as an asking price."""
_MAX_UNIX_TIME = 4_102_444_800
"""The year 2100; a later `updated_t` is not a time."""


def _shipping_cost(value: object) -> object:
    """`Free Shipping` is 0; other texts (`Free with $49`, `See site`) are not certain."""
    if not isinstance(value, str):
        return value
    text = value.strip().removeprefix("$")
    if text.lower() in {"free shipping", "free"}:
        return 0
    return text if text[:1].isdigit() or text[:1] == "-" else None


def _unix_time(value: object) -> datetime | None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < _MAX_UNIX_TIME:
        return None
    return datetime.fromtimestamp(value, UTC)


class _Offer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    merchant: Identifier
    domain: Words = None
    title: Title
    currency: Annotated[CurrencyCode, BeforeValidator(lambda value: value or "USD")] = "USD"
    """Empty means US dollars (their documentation)."""
    price: Price
    shipping: Annotated[Amount | None, BeforeValidator(_shipping_cost)] = None
    condition: Words = None
    link: Link = None
    updated_t: Annotated[datetime | None, BeforeValidator(_unix_time)] = None


class _Item(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    ean: Identifier
    title: Title
    upc: Words = None
    gtin: Words = None
    brand: Words = None
    model: Words = None
    category: Words = None
    color: Words = None
    size: Words = None
    dimension: Words = None
    weight: Words = None
    offers: Annotated[list[JsonValue], BeforeValidator(lambda value: value or [])] = Field(
        default_factory=list
    )

    def code(self) -> str | None:
        """Its GTIN-14."""
        return gtin14(self.ean) or gtin14(self.upc) or gtin14(self.gtin)


class UpcItemDb:
    """See the module."""

    id = "upcitemdb"
    title = "UPCitemdb"
    offers = frozenset({Offer.ACTIVE, Offer.LOOKUP})

    def __init__(self, settings: ResaleSettings, fetcher: Fetcher) -> None:
        self._settings = settings
        self._base = settings.upcitemdb_base_url.rstrip("/")
        own = settings.configured("upcitemdb_base_url")
        self._fetcher = fetcher.within(Reach.only(self._base, allow_private=own))

    def availability(self) -> Availability:
        if self._settings.upcitemdb_key:
            return Availability(available=True)
        if self._settings.upcitemdb:
            return Availability(
                available=True,
                note=f"Trial: 100 requests a day; {variable('upcitemdb_key')} lifts that.",
            )
        return Availability(
            available=False,
            setting=variable("upcitemdb"),
            note=f"Set {variable('upcitemdb')}=true to send barcodes to upcitemdb.com.",
        )

    async def search(self, query: CompQuery, offer: Offer, limit: int) -> SearchResult:
        """The shops' offers for a barcode; a query of words alone returns nothing."""
        if offer is not Offer.ACTIVE:
            raise NotOffered
        if not query.gtin:
            return SearchResult()
        limit = max(1, min(limit, MAX_LIMIT))
        items, refused = await self._items(query.gtin)
        listings: list[Listing] = []
        for item in items:
            result = read_rows(item.offers, "merchant", partial(_listing, item))
            listings.extend(result.listings)
            refused.extend(result.refused)
        return SearchResult(listings[:limit], refused)

    async def lookup(self, gtin: str) -> Sequence[CatalogueEntry]:
        items, _ = await self._items(gtin)
        return [self._entry(item) for item in items]

    async def _items(self, gtin: str) -> tuple[list[_Item], list[Refused]]:
        key = self._settings.upcitemdb_key
        headers: Mapping[str, str] = (
            {"user_key": key.get_secret_value(), "key_type": "3scale"} if key else {}
        )
        path = "/prod/v1/lookup" if key else "/prod/trial/lookup"
        try:
            body = await self._fetcher.get_json(
                self._base + path, params={"upc": printed_code(gtin)}, headers=headers
            )
        except Absent:
            return [], []
        except RequestRefused as error:
            if _NOT_A_CODE in error.body:
                return [], []
            raise
        rows = rows_of(body, "items", "UPCitemdb", proof="code")
        return read_each(rows, "ean", _Item.model_validate)

    def _entry(self, item: _Item) -> CatalogueEntry:
        attributes = {
            "color": item.color,
            "size": item.size,
            "dimension": item.dimension,
            "weight": item.weight,
        }
        return CatalogueEntry(
            source=self.id,
            source_id=item.ean,
            title=item.title,
            brand=item.brand,
            model=item.model,
            category=item.category,
            gtin=item.code(),
            attributes={name: text for name, text in attributes.items() if text},
            url=f"https://www.upcitemdb.com/upc/{item.upc or item.ean}",
        )


def _listing(item: _Item, row: JsonValue) -> Listing:
    offer = _Offer.model_validate(row)
    seen = offer.updated_t
    active = seen is not None and now() - seen <= _STILL_ACTIVE
    return Listing(
        source="upcitemdb",
        source_id=f"{item.ean[:40]}:{offer.merchant[:100]}:{(offer.condition or '')[:40]}",
        title=offer.title,
        status=ListingStatus.ACTIVE if active else ListingStatus.UNKNOWN,
        price=offer.price,
        shipping=offer.shipping,
        currency=offer.currency,
        condition=_CONDITIONS.get((offer.condition or "").lower()),
        listed_at=seen,
        marketplace=offer.domain or offer.merchant,
        url=offer.link,
        gtin=item.code(),
        brand=item.brand,
        model=item.model,
        category=item.category,
    )
