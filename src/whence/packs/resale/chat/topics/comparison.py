"""Another version of the item: its listings, as far as the research met any."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.resale.chat.basis import DOSSIER, from_dossier, item_of, sentence
from whence.packs.resale.chat.listing_choices import comps_in
from whence.packs.resale.chat.listings import listing_words
from whence.packs.resale.flows.dossier_schema import ItemDossier
from whence.sdk.chat import ByEvidence, RecordView, Statement, Topic

SHOWN = 4
_OTHER = (
    r"\bcompare (?:it|this|that|mine|them)\b.*?\b(?:with|to|and|against)\b (?P<other>.+)",
    r"\b(?:vs\.?|versus)\s+(?P<other>.+)",
    r"\bdifference (?:between (?:it|this|mine) and|to|from) (?P<other>.+)",
    r"\b(?:better|worse|cheaper|dearer|more expensive) than (?P<other>.+)",
)
_EMPTY = frozenset(
    {
        *("the", "a", "an", "one", "ones", "version", "versions", "edition", "model", "type"),
        *("other", "its", "it", "this", "that", "of", "please", "with", "and", "in", "same"),
    }
)
_WORD = re.compile(r"[^\W_]+")


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """Listings whose titles have the words for the other version."""
    match = next(match for each in _OTHER if (match := re.search(each, question, re.I)))
    words = [each for each in _WORD.findall(match["other"].lower()) if each not in _EMPTY]
    own = {*_WORD.findall(item_of(view).title.lower())}
    named = [each for each in words if each not in own] or words
    lead = "This research is about this item only, so I cannot compare it with another product."
    advice = "Add the other product as an item and research it, too."
    near = [
        each
        for each in comps_in(view)
        if named and {*named} <= {*_WORD.findall(each.evidence.title.lower())}
    ]
    listings = [
        Statement(sentence(listing_words(each)), (ByEvidence(each.evidence.id), *DOSSIER))
        for each in near[:SHOWN]
    ]
    if not listings:
        return [Statement(lead, DOSSIER), Statement(advice)]
    return [Statement(lead, DOSSIER), Statement("Listings it met with these words:"), *listings]


TOPIC = Topic(
    name="comparison",
    title="listings of another version",
    words=_OTHER,
    answer=from_dossier(compose),
    example="Compare it with the white one.",
    decides=_OTHER,
)
