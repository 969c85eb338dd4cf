"""Open Food Facts and its sisters for products, beauty and pet food: products by barcode.

Shape: openfoodfacts.github.io, API v2 `product/{code}`. One request with `product_type=all` covers
all four: the server redirects to the database that has the code.  They require a name and a contact
in the User-Agent, and allow 15 product reads a minute.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from whence.packs.resale.settings import ResaleSettings, variable
from whence.sdk.http import Absent, Fetcher, MalformedBody, Reach

from .base import Availability, CatalogueEntry, CompQuery, NotOffered, Offer, SearchResult
from .rows import Identifier, Title, Words, gtin14, printed_code, reason_of

_SISTERS = (
    "https://world.openfoodfacts.org",
    "https://world.openproductsfacts.org",
    "https://world.openbeautyfacts.org",
    "https://world.openpetfoodfacts.org",
)
_FIELDS = "code,product_name,generic_name,brands,categories,quantity,packaging,product_type"
_UPC_DIGITS, _EAN_DIGITS = 12, 13


class _Product(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    code: Identifier
    product_name: Title
    generic_name: Words = None
    brands: Words = None
    """Separated by commas, the most specific first."""
    categories: Words = None
    """Separated by commas, from general to special."""
    quantity: Words = None
    packaging: Words = None
    product_type: Words = None


class OpenFacts:
    """See the module."""

    id = "openfacts"
    title = "Open Food, Products, Beauty and Pet Food Facts"
    offers = frozenset({Offer.LOOKUP})

    def __init__(self, settings: ResaleSettings, fetcher: Fetcher) -> None:
        self._settings = settings
        self._base = settings.openfacts_base_url.rstrip("/")
        reach = Reach.only(*_SISTERS).with_hosts(
            self._base, allow_private=settings.configured("openfacts_base_url")
        )
        contact = settings.openfacts_contact or "no contact set"
        agent = f"whence/{version('whence')} ({contact})"
        self._fetcher = fetcher.within(reach, user_agent=agent)

    def availability(self) -> Availability:
        if not self._settings.openfacts:
            return Availability(
                available=False,
                setting=variable("openfacts"),
                note=f"Set {variable('openfacts')}=true to send barcodes to the Open Facts.",
            )
        if not self._settings.openfacts_contact:
            name = variable("openfacts_contact")
            return Availability(
                available=True, note=f"They ask for a contact: set {name} to an e-mail address."
            )
        return Availability(available=True)

    async def search(self, query: CompQuery, offer: Offer, limit: int) -> SearchResult:
        raise NotOffered

    async def lookup(self, gtin: str) -> Sequence[CatalogueEntry]:
        code = printed_code(gtin)
        # Their database stores UPC-A codes as EAN-13.
        code = code.zfill(_EAN_DIGITS) if len(code) == _UPC_DIGITS else code
        try:
            body = await self._fetcher.get_json(
                f"{self._base}/api/v2/product/{code}.json",
                params={"product_type": "all", "fields": _FIELDS},
            )
        except Absent:
            return []
        product = self._product(body)
        return [self._entry(product)] if product else []

    def _product(self, body: JsonValue) -> _Product | None:
        """The product of an answer; None for `status: 0` (not found) and for one without name."""
        if not isinstance(body, dict) or "status" not in body:
            raise MalformedBody("The Open Facts sent JSON without `status`.")
        product = body.get("product")
        if not isinstance(product, dict) or not product.get("product_name"):
            return None
        try:
            return _Product.model_validate(product)
        except ValidationError as error:
            raise MalformedBody(
                f"The Open Facts sent a product that cannot be read ({reason_of(error)})."
            ) from error

    def _entry(self, product: _Product) -> CatalogueEntry:
        attributes = {
            "quantity": product.quantity,
            "packaging": product.packaging,
            "description": product.generic_name,
        }
        return CatalogueEntry(
            source=self.id,
            source_id=product.code,
            title=product.product_name,
            brand=_part(product.brands, 0),
            category=_part(product.categories, -1),
            gtin=gtin14(product.code),
            attributes={name: text for name, text in attributes.items() if text},
            url=f"{self._site(product.product_type)}/product/{product.code}",
        )

    def _site(self, product_type: str | None) -> str:
        names = {"product": _SISTERS[1], "beauty": _SISTERS[2], "petfood": _SISTERS[3]}
        return names.get(product_type or "", _SISTERS[0])


def _part(text: str | None, place: int) -> str | None:
    parts = [part.strip() for part in (text or "").split(",") if part.strip()]
    return parts[place] if parts else None
