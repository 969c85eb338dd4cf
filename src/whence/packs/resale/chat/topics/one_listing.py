"""Single listings: the dearest, the cheapest, and the one at a price."""

from __future__ import annotations

import re
from collections.abc import Sequence
from uuid import UUID

from whence.packs.resale.chat.basis import DOSSIER, from_dossier, sentence
from whence.packs.resale.chat.listing_choices import comps_in
from whence.packs.resale.chat.listings import listing_of, listing_words, priced_at
from whence.packs.resale.flows.dossier_schema import ItemDossier
from whence.packs.resale.records import ListingStatus
from whence.sdk.chat import ByEvidence, RecordView, Statement, Topic
from whence.sdk.evidence import BundledEvidence

SHOWN = 3
"""Listings of one price in an answer."""
_ONE = r"(?:ones?|listings?|comps?|comparables?|sales?|offers?)"
_AT = rf"\b{_ONE}\s+(?:\w+\s+){{0,2}}?(?:at|for|of)\s+[$€£]?(?P<at>\d[\d,]*(?:\.\d+)?)"
_CURRENCY = r"(?:usd|eur|gbp|dollars?|bucks?|euros?|[$€£])"
_PRICED = (
    r"\b(?:the|that|this)\s+[$€£]?(?P<at>\d[\d,]*(?:\.\d+)?)\s*"
    rf"{_CURRENCY}?\s*{_ONE}\b"
)
_DEAREST = r"\b(?:most expensive|dearest|priciest|highest(?:[- ]priced)?|(?:for|costs?) the most)\b"
_CHEAPEST = r"\b(?:least expensive|cheapest|lowest(?:[- ]priced)?|(?:for|costs?) the least)\b"
_EXTREMES = tuple(
    pattern
    for extreme in (_DEAREST, _CHEAPEST)
    for pattern in (rf"{extreme}.*\b{_ONE}\b", rf"\b{_ONE}\b.*{extreme}")
)
_SOLD = re.compile(r"\b(?:sold|sales?|went|go)\b", re.I)
_ON_OFFER = re.compile(r"\b(?:on offer|active|for sale|right now|currently|available)\b", re.I)


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """The listings at the price, or the dearest or cheapest of those that were kept."""
    for pattern in (_PRICED, _AT):
        if match := re.search(pattern, question, re.I):
            return _at_price(view, match["at"])
    kept = [each for each in comps_in(view) if each.judgement.included]
    if _SOLD.search(question):
        kept = [each for each in kept if _has_status(each, ListingStatus.SOLD)]
    elif _ON_OFFER.search(question):
        kept = [each for each in kept if _has_status(each, ListingStatus.ACTIVE)]
    priced = [each for each in kept if listing_of(each).price is not None]
    if not priced:
        return [Statement("The research kept no listing of that kind.", DOSSIER)]
    dearest = re.search(_DEAREST, question, re.I) is not None
    entry = (max if dearest else min)(priced, key=lambda each: listing_of(each).price or 0.0)
    lead = "most expensive" if dearest else "cheapest"
    by = (ByEvidence(entry.evidence.id), *DOSSIER)
    statements = [Statement(sentence(f"The {lead} one is {listing_words(entry)}"), by)]
    return [*statements, *_not_used(entry, body)]


def _at_price(view: RecordView, words: str) -> list[Statement]:
    hits = priced_at(comps_in(view), words.replace(",", ""))
    if not hits:
        return [Statement("The research has no listing at that price.", DOSSIER)]
    return [_judged(each) for each in hits[:SHOWN]]


def _judged(entry: BundledEvidence) -> Statement:
    words = listing_words(entry)
    if not entry.judgement.included:
        words = f"{words}; left out: {entry.judgement.reason}"
    return Statement(sentence(words), (ByEvidence(entry.evidence.id),))


def _not_used(entry: BundledEvidence, body: ItemDossier) -> list[Statement]:
    trimmed = body.price.trimmed if body.price else []
    return [
        Statement(sentence(f"It was not used for the price: {each.reason}"), DOSSIER)
        for each in trimmed
        if UUID(each.evidence_id) == entry.evidence.id
    ]


def _has_status(entry: BundledEvidence, status: ListingStatus) -> bool:
    return listing_of(entry).status is status


TOPIC = Topic(
    name="one listing",
    title="one listing: the cheapest, or the one at a price",
    words=(*_EXTREMES, _AT, _PRICED),
    answer=from_dossier(compose),
    example="Which listing is the most expensive?",
    decides=(*_EXTREMES, _AT, _PRICED),
)
