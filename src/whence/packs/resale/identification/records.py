"""What the item is: the look at it that goes in, the identification that comes out."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from whence.packs.resale.records import Gtin
from whence.packs.resale.sources.base import CatalogueEntry
from whence.sdk.values import Wire

GTIN_CONFIDENCE = 0.95
"""Confidence of a product that a catalogue names for the item's own barcode: codes are reused and
catalogues err, though seldom."""
DESCRIPTION_SHOWN = 2_000
"""Characters of the description that identification reads."""

Confidence = Annotated[float, Field(ge=0, le=1)]


class ProductLook(Wire):
    """Everything that is known about the item before it is named."""

    title: str
    description: str = ""
    brand: str | None = None
    model: str | None = None
    mpn: str | None = None
    category: str | None = None
    attributes: dict[str, str] = Field(default_factory=dict)
    gtins: list[Gtin] = Field(default_factory=list)
    """The record's own GTIN first, then those read from photographs."""
    printed: list[str] = Field(default_factory=list)
    """Lines of text read from photographs, the surest first."""
    catalogue: list[CatalogueEntry] = Field(default_factory=list)
    """What catalogues say about these GTINs."""


class Alternative(Wire):
    """Another thing that it may be, and the attribute that decides."""

    title: str
    attribute: str
    value: str
    reason: str


class ProductIdentification(Wire):
    """The product, as far as it can be told."""

    title: str
    brand: str | None = None
    model: str | None = None
    mpn: str | None = None
    gtin: Gtin | None = None
    category: str | None = None
    variant: dict[str, str] = Field(default_factory=dict)
    """Attributes that tell variants apart: colour, capacity, size, edition."""
    confidence: Confidence
    reason: str
    alternatives: list[Alternative] = Field(default_factory=list)
