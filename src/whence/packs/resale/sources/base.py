"""The interface of a source of sold listings, active listings or catalogue entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from pydantic import Field

from whence.packs.resale.records import Gtin, Listing
from whence.sdk.errors import Invalid
from whence.sdk.values import Wire

MAX_LIMIT = 200
"""Listings one search may ask for: the largest page of eBay, more than any node needs."""


class Offer(StrEnum):
    """A kind of data a source can provide."""

    SOLD = "sold"
    ACTIVE = "active"
    LOOKUP = "lookup"


class NotOffered(Invalid):
    """This source does not offer that; see its `offers`."""


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a source can be used now, and how to enable it."""

    available: bool
    setting: str | None = None
    """The environment variable that would enable it; None if nothing is missing."""
    note: str = ""
    """A note for people: what is missing, limited, or not granted."""


@dataclass(frozen=True, slots=True)
class CompQuery:
    """A query: words, a GTIN, or both (then the GTIN is tried first)."""

    text: str = ""
    gtin: str | None = None
    """A GTIN-14."""

    def __post_init__(self) -> None:
        if not self.text.strip() and not self.gtin:
            raise Invalid("A search needs words or a GTIN.")


@dataclass(frozen=True, slots=True)
class Refused:
    """A row from a source that is implausible or cannot be parsed."""

    reason: str
    """Names the field and the error."""
    raw_id: str
    """The row's own id, or else its position (`row 3`)."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search: listings, and refused rows with reasons."""

    listings: Sequence[Listing] = ()
    refused: Sequence[Refused] = ()
    total: int | None = None
    """How many the source says it has for the query; None if it does not say."""


class CatalogueEntry(Wire):
    """A catalogue's entry for one product."""

    source: str
    source_id: str
    title: str
    brand: str | None = None
    model: str | None = None
    mpn: str | None = None
    category: str | None = None
    gtin: Gtin | None = None
    attributes: dict[str, str] = Field(default_factory=dict)
    url: str | None = None


class Source(Protocol):
    """A source. Its errors are those of `Fetcher`; one failing source must not fail the others."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def offers(self) -> frozenset[Offer]: ...

    def availability(self) -> Availability:
        """Whether it can be used; makes no request."""
        ...

    async def search(self, query: CompQuery, offer: Offer, limit: int) -> SearchResult:
        """At most `limit` (1 to 200) listings, most relevant first as the source ranks them."""
        ...

    async def lookup(self, gtin: str) -> Sequence[CatalogueEntry]:
        """The products with this GTIN-14; empty if the catalogue has none."""
        ...
