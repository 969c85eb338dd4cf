"""Which fee of a marketplace holds for an item's category, in the owner's or a shop's words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .fee_table import CategoryFee, Marketplace

_STEPS = re.compile(r"\s*(?:>|›|»|\||/|:)\s*")
_WORD = re.compile(r"[a-z]+")


def category_fee(place: Marketplace, category: str | None) -> CategoryFee | None:
    """The fee of the last part of a category path that has one; None for the general fee.

    `Music > Vinyl Records` is judged by its last part first, and what a fee excludes counts
    wherever it stands.
    """
    whole = _words(category or "")
    parts = _STEPS.split(category or "")
    for words in [*(_words(part) for part in reversed(parts)), whole]:
        for fee in place.category.values():
            if _has(words, fee.words) and not _has(whole, fee.unless):
                return fee
    return None


def suits(place: Marketplace, category: str | None) -> bool:
    """Whether the marketplace is for this kind of item."""
    return not place.suits or _has(_words(category or ""), place.suits)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _has(words: set[str], entries: Iterable[str]) -> bool:
    """Whether all words of one of the entries occur."""
    return any(_words(entry) <= words for entry in entries)
