"""Parses an owner's answer about what an item is: a barcode's number, a brand, a model."""

from __future__ import annotations

import re
from dataclasses import dataclass

from whence.packs.resale.gtins import as_gtin14

from .spelling import compact

_SPACED_CODE = re.compile(r"\d[\d \-]{6,18}\d")
"""A barcode's number as printed, in groups."""
_AROUND = {"a", "an", "the", "it", "it's", "its", "is", "and", "by", "from"}
_LABELS = {"brand", "model", "barcode", "number", "code", "gtin", "ean", "upc"}
_SAID_AROUND = frozenset(_AROUND | _LABELS)
"""Words of an answer that name neither."""


@dataclass(frozen=True)
class Stated:
    """An owner's answer: the text, and what it names."""

    words: str = ""
    gtin: str | None = None
    brand: str | None = None
    model: str | None = None

    @property
    def lines(self) -> list[str]:
        """The answer as evidence, with its GTIN in stored form."""
        return [self.words, *([f"GTIN: {self.gtin}"] if self.gtin else [])]


def stated(words: str, brand: str | None) -> Stated:
    """Parse the answer to "what brand and model is it, or what number is under its barcode?".

    `brand` is the record's brand; then all remaining words are the model.
    """
    gtin, written = _code(words)
    remaining = [word.strip(".,;:!\"'()") for word in words.replace(written, " ", 1).split()]
    named = [word for word in remaining if word and word.lower() not in _SAID_AROUND]
    if brand:
        brand_key = compact(brand)
        model = " ".join(word for word in named if compact(word) not in brand_key)
        return Stated(words, gtin, None, model or None)
    if not named:
        return Stated(words, gtin)
    first, rest = named[0], " ".join(named[1:]) or None
    if any(c.isdigit() for c in first):
        return Stated(words, gtin, brand=rest, model=first)
    return Stated(words, gtin, brand=first, model=rest)


def _code(words: str) -> tuple[str | None, str]:
    """The first GTIN, and how it is written; a number with a wrong check digit does not count."""
    for written in [*words.split(), *_SPACED_CODE.findall(words)]:
        try:
            return as_gtin14(written.strip(".,;:")), written
        except ValueError:
            continue
    return None, ""
