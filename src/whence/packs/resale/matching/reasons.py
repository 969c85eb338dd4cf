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
    grounds.append(f"only {_telling(item, listing)}")
    return "; ".join(grounds)


def _telling(item: Profile, listing: Profile) -> str:
    telling = [w for w, rarity in item.weight.items() if rarity >= _TELLING] or list(item.weight)
    found = words_found(item, listing)
    shared = sum(word in found for word in telling)
    return f"{shared} of {len(telling)} telling words agree"
