"""The body of an item's dossier, version 1, as on the wire."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from whence.packs.resale.identification.records import ProductIdentification
from whence.sdk.values import Wire

SCHEMA_VERSION = 1


class BandView(Wire):
    amount: float
    confidence: float
    reasoning: str


class UsedView(Wire):
    """A comparable behind the price, adjusted to the item's condition, with its `share` of the
    weight."""

    evidence_id: str
    amount: float
    share: float
    is_bound: bool = False
    """Whether it found no buyer: it bounds the price from above, and has no share beside prices."""


class LeftOutView(Wire):
    evidence_id: str
    reason: str


class PriceView(Wire):
    """Three bands; amounts in `currency`, shipping included."""

    currency: str
    floor: BandView
    target: BandView
    ceiling: BandView
    effective_size: float
    width: float
    used: list[UsedView]
    trimmed: list[LeftOutView]
    left_out: list[LeftOutView]


class NotEnoughView(Wire):
    """Why there is no price, and what would help."""

    reason: str
    would_settle: list[str]


class SignalView(Wire):
    name: str
    value: float | None
    unit: str
    period_days: int | None
    source: str
    n: int
    words: str
    low: float | None = None
    high: float | None = None
    """The range of the figure where only a sample of the market was fetched."""


class HintView(Wire):
    field: str
    importance: str
    question: str | None
    why: str
    effect: float | None
    amount: float | None
    currency: str


class MarketplaceView(Wire):
    """The proceeds of a sale at the target; `effective` is the date of the fees, `read` the day on
    which they were read from `page` (None: they are not confirmed)."""

    marketplace: str
    name: str
    currency: str
    price: float
    fee: float
    shipping: float
    cost: float | None = None
    """What the seller paid for it, if known."""
    net: float
    break_even: float | None = None
    """The lowest price from which nothing is lost."""
    recommended: bool
    reason: str
    effective: date
    source: str
    page: str | None = None
    read: date | None = None


class SearchView(Wire):
    """One query to a source and what it had; `total` is how many listings it says there are."""

    query: str
    offer: str
    found: int
    refused: list[str] = Field(default_factory=list[str])
    error: str | None = None
    total: int | None = None
    limit: int | None = None


class SourceView(Wire):
    """A source: whether it was available, its results, and its errors."""

    id: str
    title: str
    available: bool
    setting: str | None
    note: str
    found: int
    refused: list[str]
    errors: list[str]
    searches: list[SearchView] = Field(default_factory=list[SearchView])


class PhotoView(Wire):
    name: str
    barcodes: list[str]
    text: list[str]
    problem: str | None


class SeenView(Wire):
    """What a vision model saw: a suggestion that never overrides the owner's condition."""

    condition: int | None
    condition_notes: str
    features: list[str]
    completeness: str
    method: str


class CountsView(Wire):
    found: int
    included: int
    priced: int
    excluded: int


class ItemDossier(Wire):
    """All conclusions of research about an item."""

    identification: ProductIdentification
    identification_method: str
    identified_at: str | None = None
    """When the item was identified, if an earlier run did that and this one only priced it."""
    price: PriceView | None
    not_enough: NotEnoughView | None
    demand: list[SignalView]
    missing: list[HintView]
    marketplaces: list[MarketplaceView]
    comps: CountsView
    sources: list[SourceView]
    photos: list[PhotoView]
    seen: SeenView | None
    queries: list[str]
    iterations: int
    fallbacks: list[str]
    not_done: list[str]
    """What an incomplete run did not do: it ended early, or a source did not answer."""
    as_of: str
