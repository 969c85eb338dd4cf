"""What the item is: brand, model, barcode and variant, and the basis for that."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.resale.chat.basis import DOSSIER, claimed, from_dossier, sentence, shortened
from whence.packs.resale.flows.claims import IDENTITY_FIELDS
from whence.packs.resale.flows.dossier_schema import ItemDossier
from whence.packs.resale.thresholds import WEAK_IDENTITY
from whence.sdk.chat import RecordView, Statement, Topic

GENUINE = (
    r"\b(?:genuine|authentic(?:ity)?|fakes?|counterfeits?|replicas?|knock-?offs?|legit|"
    r"(?:the )?real (?:thing|deal|ones?))\b"
)
_NAMES = {"gtin": "barcode (GTIN)", "mpn": "part number"}


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """The name, each field with its claim, the confidence, and alternatives."""
    named = body.identification
    statements = [Statement(f"It was identified as “{shortened(named.title)}”.", DOSSIER)]
    if re.search(GENUINE, question, re.I):
        statements.insert(
            0, Statement("Whether it is genuine was not examined; have it looked at.")
        )
    for field in IDENTITY_FIELDS:
        value: str | None = getattr(named, field)
        name = _NAMES.get(field, field)
        path = f"identification.{field}"
        if value and view.claim(path):
            statements += claimed(view, path, f"Its {name} is {value}.")
        elif value:
            statements.append(
                Statement(f"Its {name} may be {value}; no evidence quotes it.", DOSSIER)
            )
    if named.gtin is None:
        statements.append(Statement("No barcode of it is known.", DOSSIER))
    if named.variant:
        words = ", ".join(f"{key} {value}" for key, value in named.variant.items())
        statements.append(Statement(f"Its variant: {words}.", DOSSIER))
    weak = (
        " It is weak, so comparables of other products may be among them."
        if (named.confidence <= WEAK_IDENTITY)
        else ""
    )
    statements.append(Statement(sentence(f"This rests on: {named.reason}"), DOSSIER))
    if weak:
        statements.append(Statement(weak.strip(), DOSSIER))
    for other in named.alternatives:
        what = f"It may also be {other.title} ({other.attribute} {other.value}): {other.reason}"
        statements.append(Statement(sentence(what), DOSSIER))
    return statements


TOPIC = Topic(
    name="identification",
    title="what it is, and its barcode",
    words=(
        r"\bwhat (?:is|was|exactly is) (?:it|this|that)\b(?! worth)|\bwhat am i selling\b",
        r"\b(?:brand|make|made|makes|maker|manufacturer|model|mpn|part number|category)\b",
        r"\b(?:bar ?code|gtin|upc|ean)\b",
        r"\b(?:variant|version|edition|colou?r|size|capacity|black|white|silver)\b",
        r"\b(?:identif(?:y|ied|ication)|recogni[sz]ed?|which (?:one|product|kind) is)\b",
        r"\b(?:right product|same product)\b",
        GENUINE,
    ),
    answer=from_dossier(compose),
    example="What is it, exactly?",
)
