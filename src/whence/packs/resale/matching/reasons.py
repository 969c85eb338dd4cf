"""What decided a score, in plain words."""

from __future__ import annotations

from whence.packs.resale.thresholds import KEPT_RELEVANCE

from .coverage import words_found
from .features import Comparison
from .profile import Profile

_TELLING = 0.45
"""Rarity from which a word tells products apart (it stands in few texts of the catalogue)."""
_NAMED_CODE = 0.2
"""Strength from which a code is worth naming."""


def reason(comparison: Comparison, item: Profile, listing: Profile, score: float) -> str:
    """One sentence: the strongest ground for (or against) the score."""
    codes, measures = comparison.codes, comparison.measures
    grounds: list[str] = []
    if score >= KEPT_RELEVANCE:
        if codes.agree >= _NAMED_CODE:
            grounds.append(f"model code {codes.agreed} agrees")
        grounds.append(_telling(item, listing))
        if comparison.colours < 0:
            grounds.append("colour differs")
        if measures.conflict:
            grounds.append(f"{measures.conflicting_unit} differs")
        return "; ".join(grounds)
    if codes.contradiction[0] and max(codes.contradict, codes.sibling) >= _NAMED_CODE:
        grounds.append(f"model code contradicts: {' vs '.join(codes.contradiction)}")
    if measures.conflict:
        grounds.append(f"{measures.conflicting_unit} differs")
    if comparison.colours < 0:
        grounds.append("colour differs")
    if comparison.variants.conflict:
        grounds.append("another variant")
    shared, telling = _shared(item, listing)
    if shared < telling:
        grounds.append(f"only {shared} of {telling} telling words agree")
    elif not grounds:
        grounds.append(f"{_telling(item, listing)}, but too few of the others")
    return "; ".join(grounds)


def _telling(item: Profile, listing: Profile) -> str:
    shared, telling = _shared(item, listing)
    return f"{shared} of {telling} telling words agree"


def _shared(item: Profile, listing: Profile) -> tuple[int, int]:
    """How many of the item's telling words the listing has, and how many there are."""
    telling = [w for w, rarity in item.weight.items() if rarity >= _TELLING] or list(item.weight)
    found = words_found(item, listing)
    return sum(word in found for word in telling), len(telling)
