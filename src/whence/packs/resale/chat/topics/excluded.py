"""Which listings were left out, each with the reason that the research gave."""

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
"""Listings told one by one; the rest is counted, and stands in the dossier."""


def tell(look: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """Listings of something else first, then those set aside when the price was computed."""
    out = [e for e in look.evidence if e.judgement.role == COMP and not e.judgement.included]
    counts = body.comps
    if not out:
        said = [Statement(f"None of the {counts.found} listings found was left out.", DOSSIER)]
    else:
        said = [Statement(f"{counts.excluded} of {counts.found} listings were left out.", DOSSIER)]
    said += [_reasoned(each) for each in out[:SHOWN]]
    if len(out) > SHOWN:
        said.append(Statement("The others stand in the dossier, each with its reason.", DOSSIER))
    return said + _set_aside(look, body)


def _reasoned(found: BundledEvidence) -> Statement:
    words = f"{listing_words(found)}; left out: {found.judgement.reason}"
    return Statement(sentence(words), (ByEvidence(found.evidence.id),))


def _set_aside(look: RecordView, body: ItemDossier) -> list[Statement]:
    if body.price is None:
        return []
    by_id = {each.evidence.id: each for each in look.evidence}
    trimmed = [(by_id.get(UUID(t.evidence_id)), t.reason) for t in body.price.trimmed]
    said = [
        Statement(
            sentence(f"{listing_words(found)}; no part of the price: {reason}"),
            (ByEvidence(found.evidence.id), *DOSSIER),
        )
        for found, reason in trimmed[:SHOWN]
        if found is not None
    ]
    kept = body.comps.included - body.comps.priced
    if kept:
        words = "are kept as evidence, and are not alike enough to set the price"
        said.append(Statement(f"Others of the {body.comps.included} that stayed {words}.", DOSSIER))
    return said


TOPIC = Topic(
    name="excluded",
    title="listings that were left out, and why",
    words=(
        r"\b(?:left|leave|leaving|threw|throw|take|took) (?:\w+ ){0,3}out\b",
        r"\bexclu(?:de|ded|ding|sion|sions)\b",
        r"\b(?:ignored?|skip(?:ped)?|reject(?:ed)?|discard(?:ed)?|filter(?:ed)?|dismiss(?:ed)?)\b",
        r"\b(?:not|n't|didn't|wasn't|weren't) (?:use[d]?|count(?:ed)?|includ(?:e|ed))\b",
        r"\bwhich (?:listings|ones)\b",
        r"\boutliers?\b",
    ),
    answer=from_dossier(tell),
    example="Which listings did you leave out, and why?",
)
