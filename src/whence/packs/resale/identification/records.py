"""The input and result of identification."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from whence.packs.resale.records import Gtin
from whence.packs.resale.sources.base import CatalogueEntry
from whence.sdk.values import Wire

GTIN_CONFIDENCE = 0.95
"""Confidence of a product named by a catalogue for the item's own barcode: codes are sometimes
reused, and catalogues sometimes err."""
DESCRIPTION_SHOWN = 2_000
"""Characters of the description that identification reads."""

Confidence = Annotated[float, Field(ge=0, le=1)]


class ProductLook(Wire):
    """Everything known about the item before it is identified."""

    title: str
    description: str = ""
    brand: str | None = None
    model: str | None = None
    mpn: str | None = None
    category: str | None = None
    attributes: dict[str, str] = Field(default_factory=dict)
    gtins: list[Gtin] = Field(default_factory=list)
    """The record's own GTIN first, then those read from photographs."""
    own_gtin: Gtin | None = None
    """The GTIN of the record, or of the owner's answer."""
    doubtful_gtins: list[Gtin] = Field(default_factory=list)
    """Those read from photographs whose text names nothing of the item."""
    printed: list[str] = Field(default_factory=list)
    """Lines of text read from photographs, the surest first."""
    catalogue: list[CatalogueEntry] = Field(default_factory=list)
    """Catalogue entries for these GTINs."""


class Alternative(Wire):
    """Another possible product, and the attribute that decides."""

    title: str
    attribute: str
    value: str
    reason: str


class ProductIdentification(Wire):
    """The product, as far as it is known."""

    title: str
    brand: str | None = None
    model: str | None = None
    mpn: str | None = None
    gtin: Gtin | None = None
    category: str | None = None
    variant: dict[str, str] = Field(default_factory=dict)
    """Attributes that distinguish variants: colour, capacity, size, edition."""
    confidence: Confidence
    reason: str
    alternatives: list[Alternative] = Field(default_factory=list)
