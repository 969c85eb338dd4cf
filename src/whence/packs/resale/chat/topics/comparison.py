"""Another product or version: what would settle a comparison, and listings the research met."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.resale.chat.basis import DOSSIER, claimed, from_dossier, item_of, sentence
from whence.packs.resale.chat.listing_choices import comps_in
from whence.packs.resale.chat.listings import listing_words
from whence.packs.resale.flows.dossier_schema import ItemDossier
from whence.sdk.chat import ByEvidence, RecordView, Statement, Topic

from .price import PATHS

SHOWN = 4
_OTHER = (
    r"\bcompare (?:it|this|that|mine|them)\b.*?\b(?:with|to|and|against)\b (?P<other>.+)",
    r"\b(?:vs\.?|versus)\s+(?P<other>.+)",
    r"\bdifference (?:between (?:it|this|mine) and|to|from) (?P<other>.+)",
    r"\b(?:better|worse|cheaper|dearer|more expensive) than (?P<other>.+)",
)
_THAN_MINE = (
    r"\b(?:is|are|was|were|would|do|does)\b (?P<other>.+?) (?:be |go(?:ing)? |sell(?:ing)? |for |"
    r"worth |cost |bring |fetch |get )+(?:more|less|as much|higher|lower)\b"
    r"(?: (?:than|as) (?:mine|this|it|ours|that))?\W*$"
)
"""`are the XM5 worth more than mine`"""
_EMPTY = frozenset(
    {
        *("the", "a", "an", "one", "ones", "version", "versions", "edition", "model", "type"),
        *("other", "its", "it", "this", "that", "of", "please", "with", "and", "in", "same"),
        *("what", "whats", "which", "how", "much", "about", "is", "are", "was", "would", "will"),
        *("does", "do", "worth", "more", "less", "than", "mine", "my", "yours", "value", "price"),
        *("cost", "costs", "better", "worse", "cheaper", "or", "so", "hm", "ok", "if", "had"),
        *("i", "used", "on", "for", "bring", "fetch", "against", "to", "compare", "compared"),
        *("dearer", "expensive", "them", "they", "there", "difference", "between", "from", "vs"),
    }
)
_OTHERS_WORTH = _THAN_MINE.replace("(?P<other>.+?)", r"(?!(?:it|this|that|mine|they|i|we)\b)\S.*?")
"""The same of anything but the item."""
SETTLED = (
    "To settle it, add the other product as an item and research it. With a language model this "
    "chat can also search the configured sources for it, and cites what they offer."
)
_WORD = re.compile(r"[^\W_]+")


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """That another product's worth cannot be known here, what would settle it, and listings whose
    titles have the words for it."""
    named = _named(view, question)
    other = f"“{' '.join(named)}”" if named else "another product"
    statements = [
        Statement(
            f"I cannot know what {other} is worth: this research is about this item only.", DOSSIER
        )
    ]
    near = [
        each
        for each in comps_in(view)
        if named and {*named} <= {*_WORD.findall(each.evidence.title.lower())}
    ]
    if near:
        statements.append(Statement("Listings it met with these words:"))
        statements += [
            Statement(sentence(listing_words(each)), (ByEvidence(each.evidence.id), *DOSSIER))
            for each in near[:SHOWN]
        ]
    mine = claimed(view, PATHS["target"])
    return [*statements, Statement(SETTLED), *mine]


def _named(view: RecordView, question: str) -> list[str]:
    """The words for the other product, without those that the item's title has as well."""
    match = next(
        (match for each in (*_OTHER, _THAN_MINE) if (match := re.search(each, question, re.I))),
        None,
    )
    text = match["other"] if match is not None else question
    words = [each for each in _WORD.findall(text.lower().replace("'s", "")) if each not in _EMPTY]
    own = {*_WORD.findall(item_of(view).title.lower())}
    return [each for each in words if each not in own] or words


TOPIC = Topic(
    name="comparison",
    title="another product or version",
    words=_OTHER,
    answer=from_dossier(compose),
    example="Compare it with the white one.",
    decides=(*_OTHER, _OTHERS_WORTH),
)
