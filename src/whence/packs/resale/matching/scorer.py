"""Score listings for a product: 0 to 1 each, with the deciding reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whence.packs.resale.records import Condition, Item, Listing
from whence.packs.resale.thresholds import KEPT_RELEVANCE

from .catalogue import Catalogue
from .exclusions import Exclusion, exclusion
from .features import Comparison, compare
from .model import weights
from .profile import Profile, profile
from .reasons import reason

THRESHOLD = KEPT_RELEVANCE
"""A listing with at least this score counts as the product."""
GTIN_AGREES = 0.98
"""Minimum score if both sides have the same GTIN, which identifies one product."""
GTIN_DIFFERS = 0.1
"""Maximum score if the GTINs of both sides differ."""
SAME_WORDS = 0.9
"""Share of each text's weight found in the other from which two texts count as equivalent."""
SAME_WORDS_SCORE = 0.75
"""Minimum score of equivalent texts without a contradiction, however common their words are."""
ONLY_NUMBER = 0.3
"""Maximum score if a bare number is all that both texts share: `52104` is a wall file, a brake pad
and a toy."""
VAGUE_ITEM = 0.65
"""Maximum score for an item that names a brand and a kind at most (`Lumora desk lamp`): listings of
any model would match it, so they are kept and set no price."""


@dataclass(frozen=True)
class Product:
    """The known facts about the product."""

    title: str
    brand: str | None = None
    model: str | None = None
    mpn: str | None = None
    gtin: str | None = None
    category: str | None = None
    description: str = ""
    price: float | None = None
    currency: str = "USD"
    condition: Condition | None = None

    @classmethod
    def of(cls, item: Item) -> Product:
        """The owner's statements about the item."""
        return cls(
            title=item.title,
            brand=item.brand,
            model=item.model,
            mpn=item.mpn,
            gtin=item.gtin,
            category=item.category,
            description=item.description,
            price=item.default_price,
            currency=item.currency,
            condition=item.condition,
        )


@dataclass(frozen=True)
class Relevance:
    """How likely a listing is the product, and why."""

    score: float
    """0 to 1; `THRESHOLD` and above is kept."""
    reason: str
    exclusion: Exclusion | None = None
    """Why it must not set a price although it names the product (a lot, parts only, ...)."""


def score_all(
    product: Product, listings: Sequence[Listing], catalogue: Catalogue
) -> list[Relevance]:
    """Score listings of one catalogue for one product, in the order given."""
    wanted = read(product, catalogue)
    return [_relevance(product, wanted, listing, catalogue) for listing in listings]


def identity(record: Product | Listing) -> str:
    """Brand, model and part number: what a title may leave out."""
    return " ".join(part for part in (record.brand, record.model, record.mpn) if part)


def read(record: Product | Listing, catalogue: Catalogue) -> Profile:
    """The profile of a record's title and identity."""
    return profile(
        record.title,
        catalogue,
        f"{record.brand or ''} {record.model or ''}",
        record.description,
        record.mpn or "",
    )


def text_of(record: Product | Listing) -> str:
    """All words of a record that a catalogue counts."""
    return f"{record.title} {identity(record)}".strip()


def compared(product: Product, wanted: Profile, listing: Listing, offered: Profile) -> Comparison:
    """The comparison behind a score, for deriving or explaining the weights."""
    same_money = product.currency == listing.currency
    return compare(wanted, offered, product.price, listing.price if same_money else None)


def _relevance(
    product: Product, wanted: Profile, listing: Listing, catalogue: Catalogue
) -> Relevance:
    offered = read(listing, catalogue)
    comparison = compared(product, wanted, listing, offered)
    model = weights()
    score = model.score(model.log_odds(comparison.row))
    if comparison.vague:
        score = min(score, VAGUE_ITEM)
    if comparison.says_the_same(SAME_WORDS):
        score = max(score, SAME_WORDS_SCORE)
    if comparison.only_number:
        score = min(score, ONLY_NUMBER)
    excluded = exclusion(product.title, listing.title)
    if product.gtin and listing.gtin:
        if product.gtin == listing.gtin:
            return Relevance(max(score, GTIN_AGREES), f"GTIN {product.gtin} agrees", excluded)
        words = f"GTIN contradicts: {product.gtin} vs {listing.gtin}"
        return Relevance(min(score, GTIN_DIFFERS), words, excluded)
    return Relevance(score, reason(comparison, wanted, offered, score), excluded)
