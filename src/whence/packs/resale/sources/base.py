"""What every source is: an offer of sold listings, active listings or catalogue entries."""

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
    """A kind of answer that a source can give."""

    SOLD = "sold"
    ACTIVE = "active"
    LOOKUP = "lookup"


class NotOffered(Invalid):
    """This source does not offer that; its `offers` say what it does."""


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a source can be asked now, and what would change it."""

    available: bool
    setting: str | None = None
    """The environment variable that would enable it; None where nothing is missing."""
    note: str = ""
    """What a person should know: what is missing, limited, or not granted."""


@dataclass(frozen=True, slots=True)
class CompQuery:
    """What to look for: words, a GTIN, or both (then the GTIN goes first)."""

    text: str = ""
    gtin: str | None = None
    """A GTIN-14."""

    def __post_init__(self) -> None:
        if not self.text.strip() and not self.gtin:
            raise Invalid("A search needs words or a GTIN.")


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that a source sent and that cannot be true or cannot be read."""

    reason: str
    """Names the field and what is wrong with it."""
    raw_id: str
    """The row's own id where it has one, else its place (`row 3`)."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gave: listings, and the rows that were refused, with reasons."""

    listings: Sequence[Listing] = ()
    refused: Sequence[Refused] = ()


class CatalogueEntry(Wire):
    """What a catalogue says about one product."""

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
    """A place to ask. Errors are those of `Fetcher`; one source failing must fail no other."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def offers(self) -> frozenset[Offer]: ...

    def availability(self) -> Availability:
        """Whether it can be asked; asks nobody."""
        ...

    async def search(self, query: CompQuery, offer: Offer, limit: int) -> Found:
        """At most `limit` (1 to 200) listings, most relevant first as the source ranks them."""
        ...

    async def lookup(self, gtin: str) -> Sequence[CatalogueEntry]:
        """The products that carry this GTIN-14; empty when the catalogue has none."""
        ...
