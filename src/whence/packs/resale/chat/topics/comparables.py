"""Why this price: how it was computed, and the listings with the most weight."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from whence.packs.resale.chat.basis import (
    DOSSIER,
    claimed,
    each_sentence,
    from_dossier,
    is_supported,
)
from whence.packs.resale.chat.listings import listing_words
from whence.packs.resale.flows.dossier_schema import ItemDossier
from whence.packs.resale.flows.state import COMP
from whence.sdk.chat import ByClaim, ByEvidence, RecordView, Statement, Topic
from whence.sdk.evidence import BundledEvidence

from .price import PATHS, no_price

SHOWN = 5
"""Comparables in one answer: enough to see the spread, few enough to read."""


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """The explanation of the computation, then the comparables with the most weight."""
    if body.price is None:
        return [*no_price(body), *_nearest(view)]
    target = view.claim(PATHS["target"])
    if target is None or not is_supported(view, PATHS["target"]):
        return claimed(view, PATHS["target"])
    statements = claimed(view, PATHS["target"])
    statements += each_sentence(target.note or "", (ByClaim(PATHS["target"]),))
    counts = body.comps
    total = f"{counts.found} listings were found; {counts.priced} of them set the price"
    excluded = f"{counts.excluded} were left out as different products"
    statements.append(Statement(f"{total}, and {excluded}.", DOSSIER))
    statements.append(Statement("The listings with the most weight:"))
    heaviest = sorted(body.price.used, key=lambda used: -used.share)[:SHOWN]
    by_id = {each.evidence.id: each for each in view.evidence}
    shown = [by_id[key] for used in heaviest if (key := UUID(used.evidence_id)) in by_id]
    return statements + [_listing(each) for each in shown]


def _nearest(view: RecordView) -> list[Statement]:
    near = [e for e in view.evidence if e.judgement.role == COMP and e.judgement.included]
    return [Statement("The closest listings:"), *map(_listing, near[:SHOWN])] if near else []


def _listing(entry: BundledEvidence) -> Statement:
    return Statement(f"{listing_words(entry)}.", (ByEvidence(entry.evidence.id),))


TOPIC = Topic(
    name="comparables",
    title="why this price, and its comparables",
    words=(
        r"\b(?:why|how come)\b(?!.*\b(?:demand|popular|sell-?through|compet\w+|condition|fees?)\b)",
        r"\bcomp(?:s|arables?|arisons?)?\b",
        r"\b(?:explain|reason(?:ing)?|justify|calculate[ds]?|computed?)\b|\bwork(?:ed)? out\b",
        r"\b(?:based on|come from|comes from|how did you|how do you know|proof|evidence)\b",
        r"\b(?:similar|other|these|those|same) (?:listings?|sales?|items?|ones|offers?)\b",
        r"\b(?:sold|sell|selling|go|went) for\b|\brecent sales?\b",
    ),
    answer=from_dossier(compose),
    example="Why this price?",
)
