"""Which of the barcodes that were read is the item's own; the others are alternatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from whence.packs.resale.matching.languages import JOINING
from whence.packs.resale.matching.profile import looks_like_code
from whence.packs.resale.matching.tokens import is_measure, words
from whence.packs.resale.sources.base import CatalogueEntry

from .records import Alternative, ProductLook

MAX_CODES = 4
LABEL_WORDS = 5
"""Least words on a photograph to judge what it shows; fewer are a logo or misread."""
WORD_LETTERS = 4
"""Least letters of a word that counts: shorter ones are in every text."""
SAME_WORD = 85
"""Similarity (0 to 100) from which two words count as one: OCR misreads letters."""
NAMING_WORDS = 4
"""Words of a title that name a product well enough to contradict a catalogue."""


@dataclass(frozen=True)
class Catalogued:
    """A barcode of the item, and what catalogues say of it."""

    gtin: str
    entries: Sequence[CatalogueEntry]
    has_rival: bool
    """Whether another code on the photographs fits the item as well."""


def catalogued(look: ProductLook) -> Catalogued | None:
    """The item's barcode that a catalogue lists: its own, else the one that fits it best."""
    fits = {
        gtin: _shared(entries, look)
        for gtin in look.gtins
        if (entries := _entries(look, gtin)) and not _contradicts(gtin, look)
    }
    if not fits:
        return None
    best = max(fits, key=lambda gtin: (gtin == look.own_gtin, fits[gtin]))
    rivals = [gtin for gtin in fits if gtin != best and fits[gtin] >= fits[best]]
    return Catalogued(best, _entries(look, best), bool(rivals) and best != look.own_gtin)


def settled(look: ProductLook) -> str | None:
    """The item's own barcode, else the only one on its photographs that may be its own."""
    if look.own_gtin:
        return look.own_gtin
    possible = [
        gtin
        for gtin in look.gtins
        if gtin not in look.doubtful_gtins and not _contradicts(gtin, look)
    ]
    return possible[0] if len(possible) == 1 else None


def other_codes(look: ProductLook, chosen: str | None) -> list[Alternative]:
    """The barcodes that were read and not chosen, each with the reason."""
    return [
        Alternative(
            title=next((entry.title for entry in _entries(look, gtin)), look.title),
            attribute="gtin",
            value=gtin,
            reason=_reason(look, gtin, chosen),
        )
        for gtin in look.gtins
        if gtin != chosen
    ][:MAX_CODES]


def is_of_another(look_words: str, printed: Sequence[str]) -> bool:
    """Whether a photograph's text is a label that names nothing of the item."""
    shown = _naming(" ".join(printed))
    if len(shown) < LABEL_WORDS:
        return False
    wanted = _naming(look_words)
    return bool(wanted) and not any(
        fuzz.ratio(one, other) >= SAME_WORD for one in wanted for other in shown
    )


def _reason(look: ProductLook, gtin: str, chosen: str | None) -> str:
    if _contradicts(gtin, look):
        sources = ", ".join(sorted({entry.source for entry in _entries(look, gtin)}))
        return f"this barcode is on a photograph, but {sources} lists another product under it"
    if gtin in look.doubtful_gtins:
        return "this barcode is on a photograph whose text names nothing of the item"
    if chosen is None:
        return "one of several barcodes on its photographs"
    return "another barcode was read on the photographs"


def _entries(look: ProductLook, gtin: str) -> list[CatalogueEntry]:
    return [entry for entry in look.catalogue if entry.gtin in (gtin, None)]


def _contradicts(gtin: str, look: ProductLook) -> bool:
    """Whether catalogues name a product for a code that shares no word with the item's name."""
    entries = _entries(look, gtin)
    if gtin == look.own_gtin or not entries or _shared(entries, look):
        return False
    title = words(look.title)
    return bool(
        look.brand or look.model or len(title) >= NAMING_WORDS or any(map(looks_like_code, title))
    )


def _shared(entries: Sequence[CatalogueEntry], look: ProductLook) -> int:
    """How many words of the item's name are in the catalogues' entries."""
    parts = [part for e in entries for part in (e.title, e.brand, e.model, e.mpn) if part]
    listed = set(words(" ".join(parts)))
    name = " ".join(part for part in (look.title, look.brand, look.model, look.mpn) if part)
    shared = listed.intersection(words(name)) - JOINING
    return sum(not is_measure(word) and len(word) > 1 for word in shared)


def _naming(text: str) -> set[str]:
    """The words that can name a product: long ones, and codes."""
    return {
        word
        for word in words(text)
        if (word.isalpha() and len(word) >= WORD_LETTERS) or looks_like_code(word)
    }
