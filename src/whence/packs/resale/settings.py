"""Settings of the resale pack, read from the environment (`WHENCE_RESALE_*`).

Every outside source is off until its credentials are set, or until it is switched on where it
needs none: nothing about an item leaves the machine unasked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from whence.sdk.errors import Misconfigured

from .thresholds import (
    ACTIVE_LISTINGS,
    CONFIDENT,
    KEPT_RELEVANCE,
    MAX_ITERATIONS,
    PRICED_RELEVANCE,
    QUERIES_PER_SEARCH,
    RECOMMENDED_EFFECT,
    SOLD_LISTINGS,
)

MAX_LISTINGS = 200
"""The largest page of eBay."""

BaseUrl = Annotated[str, Field(pattern=r"^https?://[^\s/?#@]+(/[^\s?#@]*)?$")]
ENV_PREFIX = "WHENCE_RESALE_"


class ResaleSettings(BaseSettings):
    """What an operator can set for the sources of the resale pack."""

    model_config = SettingsConfigDict(env_prefix=ENV_PREFIX, extra="ignore", frozen=True)

    ebay_client_id: str | None = None
    """App ID of an eBay developer key set (production)."""
    ebay_client_secret: SecretStr | None = None
    """Cert ID of the same key set."""
    ebay_marketplace: str = Field(default="EBAY_US", pattern=r"^EBAY_[A-Z]{2,10}$")
    """eBay site to search: `EBAY_US`, `EBAY_GB`, `EBAY_DE`, ..."""
    ebay_category_ids: str | None = Field(default=None, pattern=r"^\d+(,\d+)*$")
    """Categories to search in, separated by commas; eBay may require them for sold items."""
    ebay_base_url: BaseUrl = "https://api.ebay.com"
    """For the sandbox (`https://api.sandbox.ebay.com`) or a local server."""

    amazon_client_id: str | None = None
    """LWA client identifier of a Selling Partner API application."""
    amazon_client_secret: SecretStr | None = None
    """LWA client secret of the same application."""
    amazon_refresh_token: SecretStr | None = None
    """Refresh token of the selling partner who authorized the application."""
    amazon_marketplace_id: str = Field(default="ATVPDKIKX0DER", pattern=r"^[A-Z0-9]{10,20}$")
    """Amazon marketplace to search; the default is amazon.com."""
    amazon_base_url: BaseUrl = "https://sellingpartnerapi-na.amazon.com"
    """Endpoint of the marketplace's region (`-na`, `-eu`, `-fe`)."""
    amazon_token_url: BaseUrl = "https://api.amazon.com/auth/o2/token"
    """Where Login with Amazon hands out access tokens."""

    upcitemdb: bool = False
    """Look barcodes up at UPCitemdb without a key (trial: 100 requests a day)."""
    upcitemdb_key: SecretStr | None = None
    """Key of a paid UPCitemdb plan; switches the source on by itself."""
    upcitemdb_base_url: BaseUrl = "https://api.upcitemdb.com"
    """For a local server."""

    openfacts: bool = False
    """Look barcodes up at Open Food, Products, Beauty and Pet Food Facts."""
    openfacts_contact: str | None = Field(default=None, max_length=200, pattern=r"^[\x21-\x7e]+$")
    """E-mail or web address that the Open Facts may write to about our requests."""
    openfacts_base_url: BaseUrl = "https://world.openfoodfacts.org"
    """For a local server."""

    live_searches_per_day: int = Field(default=50, ge=0)
    """Searches a day in which conversations and API calls may ask the live sources; 0 for none."""
    research_new: bool = False
    """Research items as soon as they are created or imported."""
    refine_confidence: float = Field(default=CONFIDENT, ge=0, le=1)
    """Confidence of the target price from which research makes no further search."""
    refine_effect: float = Field(default=RECOMMENDED_EFFECT, ge=0, le=1)
    """Least effect of a missing answer, as a share of the price, that is worth a further search."""
    max_searches: int = Field(default=MAX_ITERATIONS, ge=1, le=10)
    """Most searches of a run, the first one included."""
    queries_per_search: int = Field(default=QUERIES_PER_SEARCH, ge=1, le=10)
    """Most queries of one search."""
    sold_listings: int = Field(default=SOLD_LISTINGS, ge=1, le=MAX_LISTINGS)
    """Sold listings requested from each source for each query."""
    active_listings: int = Field(default=ACTIVE_LISTINGS, ge=1, le=MAX_LISTINGS)
    """Active listings requested from each source for each query."""

    kept_relevance: float = Field(default=KEPT_RELEVANCE, ge=0, le=1)
    """Relevance from which a listing is kept as a comparable."""
    priced_relevance: float = Field(default=PRICED_RELEVANCE, ge=0.5, le=1, validate_default=True)
    """Relevance from which a comparable may move a price; at least `kept_relevance`."""

    fee_table: Path | None = None
    """TOML file whose keys replace those of the shipped table of marketplace fees."""
    assumptions: Path | None = None
    """TOML file that replaces the shipped price assumptions as a whole."""

    @field_validator("priced_relevance")
    @classmethod
    def _not_below_kept(cls, value: float, info: ValidationInfo) -> float:
        kept = info.data.get("kept_relevance", KEPT_RELEVANCE)
        if value < kept:
            raise ValueError(
                f"it is below {variable('kept_relevance')} ({kept:g}), "
                f"so listings that are left out would move prices"
            )
        return value

    def configured(self, field: str) -> bool:
        """Whether the operator set this field; only such base URLs may be private."""
        return field in self.model_fields_set


def read_settings() -> ResaleSettings:
    """The settings of the environment.  Raises Misconfigured naming the variable that is wrong."""
    try:
        return ResaleSettings()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = variable(str(first["loc"][0]))
        raise Misconfigured(f"The setting {name} is not valid: {first['msg']}.") from error


def variables() -> tuple[str, ...]:
    """Every environment variable that the pack reads."""
    return tuple(variable(field) for field in ResaleSettings.model_fields)


def variable(field: str) -> str:
    """The environment variable of a field, as `whence doctor` names it."""
    return f"{ENV_PREFIX}{field.upper()}"
