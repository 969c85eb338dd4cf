"""A listing in words, with its figures from the evidence."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from pydantic import ValidationError

from whence.packs.resale.records import Listing, ListingStatus
from whence.sdk.evidence import BundledEvidence

from .basis import amount, shortened

SHOWN_TITLE = 120
"""Characters of a listing's title; its reference has the rest."""
_STATUS = {
    ListingStatus.SOLD: "sold",
    ListingStatus.ACTIVE: "on offer",
    ListingStatus.ENDED: "ended unsold",
    ListingStatus.UNKNOWN: "seen, sold or not is unknown",
}


def listing_of(entry: BundledEvidence) -> Listing:
    """The typed listing of a piece of evidence."""
    return Listing.model_validate(entry.evidence.data)


def priced_at(entries: Sequence[BundledEvidence], figure: str) -> list[BundledEvidence]:
    """The listings at a price as people say it: 456.90 is `456.90`, else `457`, else `456`."""
    wanted = float(figure)
    prices = [(each, listing_of(each).price) for each in entries]
    readings: tuple[Callable[[float], float], ...] = (lambda price: price, round, math.floor)
    for reading in readings[: 1 if "." in figure else 3]:
        hits = [each for each, price in prices if price is not None and reading(price) == wanted]
        if hits:
            return hits
    return []


def listing_words(entry: BundledEvidence) -> str:
    """`“Title”: sold at 148.99 USD plus 9.50 USD shipping on 2026-10-31, in good condition`."""
    name = f"“{shortened(entry.evidence.title, SHOWN_TITLE)}”"
    try:
        listing = Listing.model_validate(entry.evidence.data)
    except ValidationError:
        return name
    parts = [_STATUS[listing.status]]
    if listing.price is not None:
        parts.append(f"at {amount(listing.price, listing.currency)}")
        if listing.shipping:
            parts.append(f"plus {amount(listing.shipping, listing.currency)} shipping")
    if listing.sold_at is not None and listing.status is ListingStatus.SOLD:
        parts.append(f"on {listing.sold_at:%Y-%m-%d}")
    if listing.marketplace:
        parts.append(f"({listing.marketplace})")
    if listing.condition is not None:
        parts.append(f"in condition {listing.condition.value.replace('_', ' ')}")
    return f"{name}: {' '.join(parts)}"
