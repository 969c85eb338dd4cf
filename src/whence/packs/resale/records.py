"""The words of resale: items to sell, listings seen on marketplaces, and the values they take.

Amounts are in the currency beside them, finite, at least 0 and below 10 million; dates are UTC.
"""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from whence.sdk.records import Unit
from whence.sdk.values import Wire

from .gtins import as_gtin14

MAX_AMOUNT = 10_000_000
"""Above this a price is a typing mistake or an attack, not a price (any currency)."""

MAX_PHOTOS = 24
"""Photographs of one item: as many as the largest marketplace (eBay) takes for a listing."""

Amount = Annotated[float, Field(ge=0, lt=MAX_AMOUNT, allow_inf_nan=False)]


def as_currency(written: object) -> object:
    """A currency's code in capitals.  Raises `ValueError` for text that is none."""
    if not isinstance(written, str):
        return written
    code = written.strip().upper()
    if not re.fullmatch(r"[A-Z]{3}", code):
        raise ValueError("Enter the currency as a code of three letters, such as USD.")
    return code


Currency = Annotated[str, BeforeValidator(as_currency), Field(pattern=r"^[A-Z]{3}$")]
IN_CURRENCY = Unit(field="currency")
Gtin = Annotated[str, Field(pattern=r"^[0-9]{14}$")]
"""A GTIN-14 with a right check digit; shorter codes are padded with zeros on the left."""

GivenGtin = Annotated[str, Field(max_length=40), AfterValidator(as_gtin14)]
"""A GTIN as a person or program writes it (UPC, EAN-8, EAN-13, GTIN-14); becomes a `Gtin`."""

Name = Annotated[str, Field(max_length=500)]
"""A brand, model, part number or category; longer is a description in the wrong field."""
Attributes = Annotated[
    dict[
        Annotated[str, Field(min_length=1, max_length=100)], Annotated[str, Field(max_length=2_000)]
    ],
    Field(max_length=200),
]
"""Names and values that the owner adds, within what an import keeps too."""


class Condition(StrEnum):
    NEW = "new"
    LIKE_NEW = "like_new"
    GOOD = "good"
    FAIR = "fair"
    FOR_PARTS = "for_parts"


class LifecycleStatus(StrEnum):
    DRAFT = "draft"
    READY = "ready"
    LISTED = "listed"
    SOLD = "sold"
    ARCHIVED = "archived"


class AiReviewState(StrEnum):
    NONE = "none"
    RESEARCHING = "researching"
    NEEDS_REVIEW = "needs_review"
    REVIEWED = "reviewed"


class ListingStatus(StrEnum):
    SOLD = "sold"
    ACTIVE = "active"
    ENDED = "ended"
    """Ended unsold."""
    UNKNOWN = "unknown"
    """The file did not say; its price is read as an asking price."""


class ListingChoice(StrEnum):
    """The owner's own decision on a comparable, before any score."""

    EXCLUDE = "exclude"
    INCLUDE = "include"


class Media(Wire):
    """A photograph: where it came from and, once stored, the name of its file under uploads."""

    url: Annotated[str, Field(min_length=1, max_length=4_000)]
    stored: Annotated[str, Field(pattern=r"^[0-9a-f]{64}(\.[a-z0-9]{1,5})?$")] | None = None
    """The digest of its content and the ending of its name; never a path."""


ListingChoices = Annotated[
    dict[Annotated[str, Field(min_length=1, max_length=400)], ListingChoice], Field(max_length=500)
]
"""By `source:id` of a listing (`listing_key`)."""


def listing_key(source: str, source_id: str) -> str:
    """What names a listing in an item's choices."""
    return f"{source}:{source_id}"


class Item(Wire):
    """A thing somebody wants to sell."""

    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
    description: Annotated[str, Field(max_length=20_000)] = ""
    condition: Condition | None = None
    attributes: Attributes = Field(default_factory=dict)
    media: Annotated[list[Media], Field(max_length=MAX_PHOTOS)] = Field(default_factory=list)
    gtin: Annotated[GivenGtin | None, Field(title="Barcode")] = None
    brand: Name | None = None
    model: Name | None = None
    mpn: Annotated[Name | None, Field(title="Part number")] = None
    category: Name | None = None
    quantity: Annotated[int, Field(ge=0, le=1_000_000)] = 1
    default_price: Annotated[Amount | None, Field(title="Asking price"), IN_CURRENCY] = None
    cost: Annotated[Amount | None, Field(description="What you paid for it."), IN_CURRENCY] = None
    """What the owner paid for it, in `currency`."""
    shipping_cost: Annotated[
        Amount | None, Field(description="What sending it costs you."), IN_CURRENCY
    ] = None
    """What sending it costs the owner, in `currency`."""
    currency: Currency = "USD"
    lifecycle_status: Annotated[LifecycleStatus, Field(title="Status")] = LifecycleStatus.DRAFT
    listing_choices: ListingChoices = Field(
        default_factory=dict[str, ListingChoice], title="Listings that count"
    )
    """Listings that the owner counts or does not count as comparables, whatever their score."""
    ai_review_state: Annotated[AiReviewState, Field(title="AI review")] = AiReviewState.NONE


class Listing(Wire):
    """One offer or sale seen on a marketplace: the raw material of a comparable (comp)."""

    source: str
    """Adapter or import it came from: `library`, `ebay`, `amazon`, ..."""
    source_id: Annotated[str, Field(min_length=1, max_length=200)]
    """The id there; unique within the source."""
    title: Annotated[str, Field(min_length=1, max_length=1000)]
    description: Annotated[str, Field(max_length=20_000)] = ""
    status: ListingStatus = ListingStatus.UNKNOWN
    price: Amount | None = None
    shipping: Amount | None = None
    """Shipping paid by the buyer; None where unknown, 0 where free."""
    currency: Currency = "USD"
    condition: Condition | None = None
    listed_at: datetime | None = None
    sold_at: datetime | None = None
    """When it sold, or when it ended unsold."""
    marketplace: str | None = None
    url: str | None = None
    image_url: str | None = None
    """A picture of it, where the source names one."""
    gtin: Gtin | None = None
    brand: str | None = None
    model: str | None = None
    mpn: str | None = None
    category: str | None = None
    quantity: Annotated[int, Field(ge=1, le=1_000_000)] = 1
