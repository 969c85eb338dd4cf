"""The excluded listings, with the research's reason for each."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from whence.packs.resale.chat.basis import DOSSIER, from_dossier, sentence
from whence.packs.resale.chat.listings import listing_words
from whence.packs.resale.flows.dossier_schema import ItemDossier
from whence.packs.resale.flows.state import COMP
from whence.sdk.chat import ByEvidence, RecordView, Statement, Topic
from whence.sdk.evidence import BundledEvidence

SHOWN = 8
"""Listings named one by one; the rest is counted, and is in the dossier."""


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """Listings of other products first, then those excluded from the price."""
    out = [e for e in view.evidence if e.judgement.role == COMP and not e.judgement.included]
    counts = body.comps
    if not out:
        statements = [
            Statement(f"None of the {counts.found} listings found was left out.", DOSSIER)
        ]
    else:
        statements = [
            Statement(f"{counts.excluded} of {counts.found} listings were left out.", DOSSIER)
        ]
    statements += [_reasoned(each) for each in out[:SHOWN]]
    if len(out) > SHOWN:
        statements.append(
            Statement("The others are in the dossier, each with its reason.", DOSSIER)
        )
    return statements + _set_aside(view, body)


def _reasoned(entry: BundledEvidence) -> Statement:
    words = f"{listing_words(entry)}; left out: {entry.judgement.reason}"
    return Statement(sentence(words), (ByEvidence(entry.evidence.id),))


def _set_aside(view: RecordView, body: ItemDossier) -> list[Statement]:
    if body.price is None:
        return []
    by_id = {each.evidence.id: each for each in view.evidence}
    trimmed = [(by_id.get(UUID(t.evidence_id)), t.reason) for t in body.price.trimmed]
    statements = [
        Statement(
            sentence(f"{listing_words(entry)}; not used for the price: {reason}"),
            (ByEvidence(entry.evidence.id), *DOSSIER),
        )
        for entry, reason in trimmed[:SHOWN]
        if entry is not None
    ]
    unpriced = body.comps.included - body.comps.priced
    if unpriced:
        words = "are kept as evidence, but are not similar enough to set the price"
        statements.append(
            Statement(f"Others of the {body.comps.included} that stayed {words}.", DOSSIER)
        )
    return statements


TOPIC = Topic(
    name="excluded",
    title="listings that were left out, and why",
    words=(
        (
            r"\b(?:bad|poor|wrong|rubbish|useless|no good)\b.{0,20}\b(?:comps?|comparables|"
            r"listings|matches)\b|\b(?:comps?|comparables|listings|matches)\b.{0,20}"
            r"\b(?:bad|poor|wrong|rubbish|useless|no good)\b"
        ),
        r"\b(?:left|leave|leaving|threw|throw|take|took) (?:\w+ ){0,3}out\b",
        r"\bexclu(?:de|ded|ding|sion|sions)\b",
        r"\b(?:ignored?|skip(?:ped)?|reject(?:ed)?|discard(?:ed)?|filter(?:ed)?|dismiss(?:ed)?)\b",
        r"\b(?:not|n't|didn't|wasn't|weren't) (?:use[d]?|count(?:ed)?|includ(?:e|ed))\b",
        r"\bwhich (?:listings|ones)\b",
        r"\boutliers?\b",
    ),
    answer=from_dossier(compose),
    example="Which listings did you leave out, and why?",
)
