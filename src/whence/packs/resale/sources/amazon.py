"""Amazon Selling Partner API: catalogue entries by barcode, and active offers with their prices.

Shapes: the published models `catalogItems_2022-04-01.json` and `productPricing_2022-05-01.json`
(amzn/selling-partner-api-models), and developer-docs.amazon.com/sp-api for the access token.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from whence.packs.resale.records import Listing
from whence.packs.resale.settings import ResaleSettings, variable
from whence.sdk.errors import Misconfigured
from whence.sdk.http import CredentialsRefused, Fetcher, FetchError, Reach, RequestRefused

from .amazon_rows import Product, failed, offers_of, product
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
from .rows import printed_code, read_each, rows_of
from .tokens import AccessTokens, Token, read_token

_CATALOGUE = "/catalog/2022-04-01/items"
_SUMMARY = "/products/pricing/2022-05-01/items/competitiveSummary"
_BATCH = f"/batches{_SUMMARY}"
_MAX_PRODUCTS = 20
"""Products in one page of the catalogue and in one batch of prices (both references)."""
_IDENTIFIER_TYPES = {8: "EAN", 12: "UPC", 13: "EAN", 14: "GTIN"}
"""Amazon's `identifiersType` by the length of the printed code."""


class Amazon:
    """See the module."""

    id = "amazon"
    title = "Amazon"
    offers = frozenset({Offer.ACTIVE, Offer.LOOKUP})

    def __init__(self, settings: ResaleSettings, fetcher: Fetcher) -> None:
        self._settings = settings
        self._base = settings.amazon_base_url.rstrip("/")
        self._fetcher = fetcher.within(
            Reach.only(self._base, allow_private=settings.configured("amazon_base_url")).with_hosts(
                settings.amazon_token_url, allow_private=settings.configured("amazon_token_url")
            )
        )
        self._tokens = AccessTokens(self._mint)

    def availability(self) -> Availability:
        for field in ("amazon_client_id", "amazon_client_secret", "amazon_refresh_token"):
            if not getattr(self._settings, field):
                return Availability(
                    available=False,
                    setting=variable(field),
                    note=f"Set {variable(field)} from an authorized Selling Partner API "
                    "application.",
                )
        return Availability(available=True)

    async def search(self, query: CompQuery, offer: Offer, limit: int) -> SearchResult:
        """Offers of the products in the catalogue's result, spread evenly over the products."""
        if offer is not Offer.ACTIVE:
            raise NotOffered
        limit = max(1, min(limit, MAX_LIMIT))
        products, refused = await self._catalogue(query, min(limit, _MAX_PRODUCTS))
        if not products:
            return SearchResult((), refused)
        each = -(-limit // len(products))
        listings: list[Listing] = []
        for priced in await self._prices(products):
            listings.extend(priced.listings[:each])
            refused.extend(priced.refused)
        return SearchResult(listings[:limit], refused)

    async def lookup(self, gtin: str) -> Sequence[CatalogueEntry]:
        products, _ = await self._catalogue(CompQuery(gtin=gtin), _MAX_PRODUCTS)
        return [product.entry(self.id, gtin, self._settings) for product in products]

    async def _catalogue(self, query: CompQuery, size: int) -> tuple[list[Product], list[Refused]]:
        params = {
            "marketplaceIds": self._settings.amazon_marketplace_id,
            "includedData": "summaries,identifiers",
            "pageSize": str(size),
        }
        if query.gtin:
            code = printed_code(query.gtin)
            params |= {"identifiers": code, "identifiersType": _IDENTIFIER_TYPES[len(code)]}
        else:
            # A comma separates keywords here; each keyword may be several words.
            params["keywords"] = " ".join(query.text.replace(",", " ").split())

        async def call(token: str) -> JsonValue:
            return await self._fetcher.get_json(
                self._base + _CATALOGUE, params=params, headers={"x-amz-access-token": token}
            )

        body = await self._tokens.use(call, expired=_expired)
        rows = rows_of(body, "items", "Amazon", proof="numberOfResults")
        market = self._settings.amazon_marketplace_id
        return read_each(rows[:size], "asin", lambda row: product(row, market))

    async def _prices(self, products: Sequence[Product]) -> Sequence[SearchResult]:
        value: JsonValue = {
            "requests": [
                {
                    "asin": product.asin,
                    "marketplaceId": self._settings.amazon_marketplace_id,
                    "includedData": ["featuredBuyingOptions", "lowestPricedOffers"],
                    "lowestPricedOffersInputs": [
                        {"itemCondition": "New", "offerType": "Consumer"},
                        {"itemCondition": "Used", "offerType": "Consumer"},
                    ],
                    "uri": _SUMMARY,
                    "method": "GET",
                }
                for product in products
            ]
        }

        async def call(token: str) -> JsonValue:
            return await self._fetcher.post_json(
                self._base + _BATCH, value, headers={"x-amz-access-token": token}
            )

        body = await self._tokens.use(call, expired=_expired)
        by_asin = {product.asin: product for product in products}
        answers: list[SearchResult] = []
        for place, answer in enumerate(rows_of(body, "responses", "Amazon", proof="responses")):
            failure = failed(answer, place + 1)
            if failure is not None:
                answers.append(SearchResult((), [failure]))
            else:
                answers.append(offers_of(answer, by_asin, self._settings))
        return answers

    async def _mint(self) -> Token:
        settings = self._settings
        secret, refresh = settings.amazon_client_secret, settings.amazon_refresh_token
        if not settings.amazon_client_id or secret is None or refresh is None:
            raise Misconfigured(self.availability().note)
        try:
            body = await self._fetcher.post_form(
                settings.amazon_token_url,
                {
                    "grant_type": "refresh_token",
                    "refresh_token": refresh.get_secret_value(),
                    "client_id": settings.amazon_client_id,
                    "client_secret": secret.get_secret_value(),
                },
            )
        except (CredentialsRefused, RequestRefused) as error:
            raise Misconfigured(
                f"Amazon does not accept the credentials in {variable('amazon_client_id')}, "
                f"{variable('amazon_client_secret')} and {variable('amazon_refresh_token')}; "
                "check them, or authorize the application again."
            ) from error
        return read_token(body, "Amazon")


def _expired(error: FetchError) -> bool:
    """Amazon answers 403, not 401, for an expired access token."""
    return b"expired" in error.body
