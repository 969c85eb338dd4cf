"""Explains a score in one sentence."""

from __future__ import annotations

from whence.packs.resale.thresholds import KEPT_RELEVANCE

from .coverage import words_found
from .features import DISTINCTIVE, Comparison
from .profile import Profile

_NAMED_CODE = 0.2
"""Strength from which a code is mentioned."""


def reason(comparison: Comparison, item: Profile, listing: Profile, score: float) -> str:
    """One sentence: the strongest reasons for (or against) the score."""
    grounds = _for if score >= KEPT_RELEVANCE else _against
    return "; ".join(grounds(comparison, item, listing))


def _for(comparison: Comparison, item: Profile, listing: Profile) -> list[str]:
    codes, measures = comparison.codes, comparison.measures
    grounds: list[str] = []
    if codes.agree >= _NAMED_CODE:
        grounds.append(f"model code {codes.agreed} matches")
    elif codes.extended >= _NAMED_CODE:
        grounds.append("model code matches but for letters added")
    grounds.append(_matching_words(item, listing))
    if comparison.colours < 0:
        grounds.append("colour differs")
    if measures.conflict:
        grounds.append(f"{measures.conflicting_unit} differs")
    if comparison.vague:
        grounds.append("the item names no model")
    return grounds


def _against(comparison: Comparison, item: Profile, listing: Profile) -> list[str]:
    codes, measures = comparison.codes, comparison.measures
    if comparison.only_number:
        return [f"only the number {comparison.only_number} is in both"]
    grounds: list[str] = []
    if codes.contradiction[0] and max(codes.contradict, codes.sibling) >= _NAMED_CODE:
        grounds.append(f"different model code: {' vs '.join(codes.contradiction)}")
    if measures.conflict:
        grounds.append(f"{measures.conflicting_unit} differs")
    grounds += comparison.specs
    if comparison.colours < 0:
        grounds.append("colour differs")
    if comparison.variants.conflict:
        grounds.append("different variant")
    shared, distinctive = _shared(item, listing)
    if shared < distinctive:
        grounds.append(f"matches only {shared} of {distinctive} distinctive words")
    elif not grounds:
        grounds.append(f"{_matching_words(item, listing)}, but too few of the others")
    return grounds


def _matching_words(item: Profile, listing: Profile) -> str:
    shared, distinctive = _shared(item, listing)
    return f"matches {shared} of {distinctive} distinctive words"


def _shared(item: Profile, listing: Profile) -> tuple[int, int]:
    """The number of the item's distinctive words in the listing, and their total."""
    weight = item.weight
    distinctive = [w for w, rarity in weight.items() if rarity >= DISTINCTIVE] or list(weight)
    matches = words_found(item, listing)
    return sum(word in matches for word in distinctive), len(distinctive)
