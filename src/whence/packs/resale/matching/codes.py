"""Model codes that agree, nearly agree, or name another product of the family."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz import fuzz

from .coverage import extends
from .profile import Profile

_FULL_LENGTH = 8
"""Length from which a code cannot be a coincidence; shorter ones count in part."""


@dataclass(frozen=True)
class CodeMatch:
    """How the codes of two texts relate; strengths 0 to 1."""

    agree: float = 0.0
    """Strength of the best code that both texts have."""
    extended: float = 0.0
    """Strength of the best code that one text writes longer."""
    missing: float = 0.0
    """Strength of the item's strongest code that the listing lacks."""
    surplus: float = 0.0
    """Strength of the listing's strongest code that the item lacks."""
    sibling: float = 0.0
    """Similarity of the nearest disagreeing codes: high for models of one family."""
    agreed: str = ""
    contradiction: tuple[str, str] = ("", "")

    @property
    def contradict(self) -> float:
        """Strength of the contradiction: both sides have codes and none agree."""
        return min(self.missing, self.surplus) if not self.agree and not self.extended else 0.0


def strength(code: str, weight: float) -> float:
    """Rarity of the code times its length, up to eight characters, as a share of eight."""
    return weight * min(len(code), _FULL_LENGTH) / _FULL_LENGTH


def compare_codes(item: Profile, listing: Profile) -> CodeMatch:
    """Compare every code of one side with the words and codes of the other."""
    if not item.codes and not listing.codes:
        return CodeMatch()
    mine, theirs = _Agreement(item, listing), _Agreement(listing, item)
    agreed = max(mine.best, theirs.best)
    relatives: set[str] = set()
    extended = missing = sibling = 0.0
    contradiction = ("", "")
    for code, weight in mine.lone:
        family = [(other, w) for other, w in theirs.lone if extends(code, other)]
        if family:
            relatives.update(other for other, _ in family)
            extended = max(extended, *(strength(code, min(weight, w)) for _, w in family))
            continue
        missing = max(missing, strength(code, weight))
        for other, w in theirs.lone:
            alike = fuzz.ratio(code, other) / 100 * min(weight, w)
            if alike > sibling:
                sibling, contradiction = alike, (code, other)
    surplus = max(
        (strength(code, weight) for code, weight in theirs.lone if code not in relatives),
        default=0.0,
    )
    return CodeMatch(agreed[0], extended, missing, surplus, sibling, agreed[1], contradiction)


class _Agreement:
    """The codes of one text, split by whether the other text writes them too."""

    def __init__(self, text: Profile, other: Profile) -> None:
        self.best: tuple[float, str] = (0.0, "")
        self.lone: list[tuple[str, float]] = []
        for code, weight in text.codes.items():
            if code in other.joined or code in other.codes or code in other.described:
                self.best = max(self.best, (strength(code, weight), code))
            else:
                self.lone.append((code, weight))
