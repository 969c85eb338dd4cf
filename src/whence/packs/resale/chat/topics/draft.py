"""A draft of a listing: only what the record states and research supports, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.resale.chat.basis import from_dossier, is_supported, item_of, shortened
from whence.packs.resale.flows.dossier_schema import ItemDossier
from whence.sdk.chat import ByClaim, ByRecord, RecordView, Statement, Topic

SHOWN_NOTES = 600
"""Characters of the owner's description that a draft takes over."""
_FIELDS = (("brand", "Brand"), ("model", "Model"), ("mpn", "Part number"))
_INTERNAL = re.compile(
    r"\b(?:shelf|shelves|bin|rack|drawer|bay|aisle|location|stored|storage|warehouse|sku|stock|"
    r"inventory|id|ref|reference|cost|costs|paid|purchased?|bought|acquired|supplier|vendor|"
    r"consign(?:or|ed|ment)|invoice|receipt|lot|batch|internal|private|remarks?|margin|profit|"
    r"floor price|minimum price|import(?:ed)?)\b",
    re.I,
)
"""Names of attributes that are the owner's business, and no buyer's."""
IDENTITY = ("identification.brand", "identification.model", "identification.title")


def answer(view: RecordView, question: str) -> Sequence[Statement]:
    """A draft for buyers, from the record's fields and the supported claims about the item."""
    item = item_of(view)
    statements = [
        Statement("Draft of a listing, to be checked before you use it:"),
        Statement(f"{item.title.rstrip('. ')}.", (ByRecord("title"),)),
    ]
    for field, label in _FIELDS:
        value = getattr(item, field)
        if value:
            statements.append(Statement(f"{label}: {value}.", (ByRecord(field),)))
    if item.condition is not None:
        words = item.condition.value.replace("_", " ")
        statements.append(Statement(f"Condition: {words}.", (ByRecord("condition"),)))
    for name, value in item.attributes.items():
        if _INTERNAL.search(name):
            continue
        statements.append(Statement(f"{name}: {shortened(value)}.", (ByRecord("attributes"),)))
    if item.description:
        words = shortened(item.description, SHOWN_NOTES).rstrip(" .")
        statements.append(Statement(f"{words}.", (ByRecord("description"),)))
    return [*statements, *_researched(view, question)]


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """The supported claims about what the item is, where the record does not say it already."""
    item = item_of(view)
    supported = [
        path
        for path in IDENTITY
        if is_supported(view, path) and not getattr(item, path.removeprefix("identification."))
    ]
    claims = (view.claim(path) for path in supported)
    return [Statement(each.statement, (ByClaim(each.path),)) for each in claims if each is not None]


_researched = from_dossier(compose)
TOPIC = Topic(
    name="draft",
    title="a draft of a listing",
    words=(
        r"\b(?:write|draft|compose|suggest|create|prepare)\b.*\b(?:listing|description|ad|text)\b",
        r"\b(?:listing|description) (?:text|draft)\b",
    ),
    answer=answer,
    example="Write me a listing description.",
    answers_requests=True,
)
