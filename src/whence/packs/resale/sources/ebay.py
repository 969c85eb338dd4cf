"""eBay: active listings (Browse API) and sold ones (Marketplace Insights API).

Shapes: developer.ebay.com, Browse v1 `item_summary/search` and Marketplace Insights v1_beta
`item_sales/search`. Marketplace Insights is a limited release: eBay grants it per application, and
refuses either the token request (`invalid_scope`) or the call (403).
"""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from whence.packs.resale.settings import ResaleSettings, variable
from whence.sdk.errors import Misconfigured
from whence.sdk.http import (
    AccessDenied,
    CredentialsRefused,
    Fetcher,
    FetchError,
    Reach,
    RequestRefused,
    Throttled,
)

from .base import (
    MAX_LIMIT,
    Availability,
    CatalogueEntry,
    CompQuery,
    NotOffered,
    Offer,
    SearchResult,
)
from .ebay_rows import active, sold
from .rows import count_of, printed_code, read_rows, rows_of
from .tokens import AccessTokens, Token, read_token

_SCOPE = "https://api.ebay.com/oauth/api_scope"
_SOLD_SCOPE = f"{_SCOPE}/buy.marketplace.insights"
_MAX_QUERY = 100
"""Most characters of `q` (Browse API reference)."""
_ASK_AGAIN = 3600.0
"""Seconds until a refused Marketplace Insights is tried again; grants take days."""
_THROTTLED = 2001
"""errorId of "Too many requests" (eBay common errors, domain ACCESS)."""
_OPERATORS = re.compile(r"[(),*\"]")
"""In `q`, parentheses and commas mean OR, and `*` is refused."""


class NotGranted(Misconfigured):
    """eBay has not granted this application the Marketplace Insights API; ask eBay for it."""


@dataclass(frozen=True, slots=True)
class _Endpoint:
    path: str
    rows: str


_ACTIVE = _Endpoint("/buy/browse/v1/item_summary/search", "itemSummaries")
_SOLD = _Endpoint("/buy/marketplace_insights/v1_beta/item_sales/search", "itemSales")


class Ebay:
    """See the module."""

    id = "ebay"
    title = "eBay"
    offers = frozenset({Offer.ACTIVE, Offer.SOLD})

    def __init__(self, settings: ResaleSettings, fetcher: Fetcher) -> None:
        self._settings = settings
        self._base = settings.ebay_base_url.rstrip("/")
        own = settings.configured("ebay_base_url")
        self._fetcher = fetcher.within(Reach.only(self._base, allow_private=own))
        self._tokens = {
            Offer.ACTIVE: AccessTokens(lambda: self._mint(_SCOPE)),
            Offer.SOLD: AccessTokens(lambda: self._mint(_SOLD_SCOPE)),
        }
        self._refused_until = 0.0

    def availability(self) -> Availability:
        needed = ("ebay_client_id", "ebay_client_secret")
        missing = [field for field in needed if not getattr(self._settings, field)]
        if missing:
            names = " and ".join(map(variable, missing))
            return Availability(
                available=False,
                setting=variable(missing[0]),
                note=f"Set {names}, from the keys of an eBay developer account.",
            )
        if time.monotonic() < self._refused_until:
            return Availability(
                available=True,
                note="Active listings only: eBay has not granted this application the "
                "Marketplace Insights API, so sold listings are not available.",
            )
        return Availability(available=True)

    async def search(self, query: CompQuery, offer: Offer, limit: int) -> SearchResult:
        if offer not in self.offers:
            raise NotOffered
        limit = max(1, min(limit, MAX_LIMIT))
        if offer is Offer.ACTIVE:
            return await self._search(query, offer, _ACTIVE, limit)
        if time.monotonic() < self._refused_until:
            raise NotGranted
        try:
            return await self._search(query, offer, _SOLD, limit)
        except (AccessDenied, RequestRefused) as error:
            if not _not_granted(error):
                raise
            self._refused_until = time.monotonic() + _ASK_AGAIN
            raise NotGranted from error

    async def lookup(self, gtin: str) -> Sequence[CatalogueEntry]:
        raise NotOffered

    async def _search(
        self, query: CompQuery, offer: Offer, endpoint: _Endpoint, limit: int
    ) -> SearchResult:
        params = {"limit": str(limit), **_terms(query)}
        if self._settings.ebay_category_ids:
            params["category_ids"] = self._settings.ebay_category_ids

        async def call(token: str) -> JsonValue:
            return await self._fetcher.get_json(
                self._base + endpoint.path,
                params=params,
                headers={
                    "Authorization": f"Bearer {token}",
                    "X-EBAY-C-MARKETPLACE-ID": self._settings.ebay_marketplace,
                },
            )

        try:
            body = await self._tokens[offer].use(call)
        except AccessDenied as error:
            if f'"errorId":{_THROTTLED}'.encode() in error.body.replace(b" ", b""):
                raise Throttled(
                    "eBay's daily number of calls is used up; it is tried again later.",
                    host=error.host,
                    status=error.status,
                ) from error
            raise
        rows = rows_of(body, endpoint.rows, "eBay", proof="total")
        result = read_rows(rows, "itemId", sold if offer is Offer.SOLD else active)
        return SearchResult(result.listings[:limit], result.refused, count_of(body, "total"))

    async def _mint(self, scope: str) -> Token:
        secret = self._settings.ebay_client_secret
        if not self._settings.ebay_client_id or secret is None:
            raise Misconfigured(self.availability().note)
        pair = f"{self._settings.ebay_client_id}:{secret.get_secret_value()}"
        try:
            body = await self._fetcher.post_form(
                f"{self._base}/identity/v1/oauth2/token",
                {"grant_type": "client_credentials", "scope": scope},
                headers={"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"},
            )
        except CredentialsRefused as error:
            raise Misconfigured(
                f"eBay does not accept the keys in {variable('ebay_client_id')} and "
                f"{variable('ebay_client_secret')}; check them."
            ) from error
        return read_token(body, "eBay")


def _terms(query: CompQuery) -> dict[str, str]:
    if query.gtin:
        return {"gtin": printed_code(query.gtin)}
    words = _OPERATORS.sub(" ", query.text).split()
    text = " ".join(words)
    while len(text) > _MAX_QUERY and len(words) > 1:
        words.pop()
        text = " ".join(words)
    return {"q": text[:_MAX_QUERY]}


def _not_granted(error: FetchError) -> bool:
    return isinstance(error, AccessDenied) or b"invalid_scope" in error.body
