"""Model codes that agree, nearly agree, or name another product of the family."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz import fuzz

from .coverage import extends
from .profile import Profile

_FULL_LENGTH = 8
"""Characters from which a code can no longer be a coincidence; shorter ones count in part."""


@dataclass(frozen=True)
class CodeMatch:
    """How the codes of two texts relate; strengths 0 to 1."""

    agree: float = 0.0
    """Strength of the best code that both write."""
    extended: float = 0.0
    """Strength of the best code that one writes longer."""
    missing: float = 0.0
    """Strength of the item's strongest code that the listing lacks."""
    surplus: float = 0.0
    """Strength of the listing's strongest code that the item lacks."""
    sibling: float = 0.0
    """How alike the nearest disagreeing codes are: high for models of one family."""
    agreed: str = ""
    contradiction: tuple[str, str] = ("", "")

    @property
    def contradict(self) -> float:
        """Both sides write a code and none of them agree."""
        return min(self.missing, self.surplus) if not self.agree and not self.extended else 0.0


def strength(code: str, weight: float) -> float:
    """Rarity of the code times how long it is, up to eight characters."""
    return weight * min(len(code), _FULL_LENGTH) / _FULL_LENGTH


def compare_codes(item: Profile, listing: Profile) -> CodeMatch:
    """Compare every code of one side with the words and codes of the other."""
    if not item.codes and not listing.codes:
        return CodeMatch()
    agree = extended = missing = surplus = sibling = 0.0
    agreed, contradiction = "", ("", "")
    lone: list[tuple[str, float]] = []
    for code, weight in item.codes.items():
        power = strength(code, weight)
        if code in listing.joined or code in listing.codes:
            if power > agree:
                agree, agreed = power, code
        else:
            lone.append((code, weight))
    others: list[tuple[str, float]] = []
    for code, weight in listing.codes.items():
        power = strength(code, weight)
        if code in item.joined or code in item.codes:
            if power > agree:
                agree, agreed = power, code
        else:
            others.append((code, weight))
    relatives: set[str] = set()
    for code, weight in lone:
        family = [(o, w) for o, w in others if extends(code, o)]
        if family:
            relatives.update(o for o, _ in family)
            extended = max(extended, *(strength(code, min(weight, w)) for _, w in family))
            continue
        missing = max(missing, strength(code, weight))
        for other, w in others:
            alike = fuzz.ratio(code, other) / 100 * min(weight, w)
            if alike > sibling:
                sibling, contradiction = alike, (code, other)
    for code, weight in others:
        if code not in relatives:
            surplus = max(surplus, strength(code, weight))
    return CodeMatch(agree, extended, missing, surplus, sibling, agreed, contradiction)
