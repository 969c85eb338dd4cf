"""Model codes that agree, nearly agree, or name another product of the family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from .coverage import extends
from .profile import Profile

_FULL_LENGTH = 8
"""Length from which a code cannot be a coincidence; shorter ones count in part."""
_FULL_NUMBER = 12
"""The same for a code of digits only: `52104` is a wall file, a brake pad and a toy."""


_ALIKE = 4
"""Most characters by which the lengths of two codes of one family differ."""

Lone = tuple[str, float, bool]
"""A code that the other text lacks, its weight, and whether it is in the title."""


@dataclass(frozen=True)
class CodeMatch:
    """How the codes of two texts relate; strengths 0 to 1."""

    agree: float = 0.0
    """Strength of the best code that both texts have."""
    extended: float = 0.0
    """Strength of the best code that one text writes longer."""
    missing: float = 0.0
    """Strength of the item's strongest code in its title that the listing lacks."""
    surplus: float = 0.0
    """Strength of the listing's strongest code in its title that the item lacks."""
    sibling: float = 0.0
    """Similarity of the nearest disagreeing codes: high for models of one family."""
    agreed: str = ""
    contradiction: tuple[str, str] = ("", "")

    @property
    def contradict(self) -> float:
        """Strength of the contradiction: both sides have codes and none agree."""
        return min(self.missing, self.surplus) if not self.agree and not self.extended else 0.0


def strength(code: str, weight: float) -> float:
    """Rarity of the code times its length, as a share of the length that proves a product."""
    full = _FULL_NUMBER if code.isdigit() else _FULL_LENGTH
    return weight * min(len(code), full) / full


def compare_codes(item: Profile, listing: Profile) -> CodeMatch:
    """Compare every code of one side with the words and codes of the other."""
    mine, theirs = _Agreement(item, listing), _Agreement(listing, item)
    best = max(mine.best, theirs.best)
    relatives: set[str] = set()
    extended = 0.0
    for code, weight, _ in mine.lone:
        for other, w, _ in theirs.lone:
            if extends(code, other):
                relatives |= {code, other}
                extended = max(extended, strength(code, min(weight, w)))
    lacking = [lone for lone in mine.lone if not _part_of(lone[0], relatives)]
    added = [lone for lone in theirs.lone if not _part_of(lone[0], relatives)]
    sibling, contradiction = _nearest(lacking, added)
    return CodeMatch(
        agree=best[0],
        extended=extended,
        missing=max((strength(code, w) for code, w, titled in lacking if titled), default=0.0),
        surplus=max((strength(code, w) for code, w, titled in added if titled), default=0.0),
        sibling=sibling,
        agreed=best[1],
        contradiction=contradiction,
    )


def _nearest(mine: Sequence[Lone], theirs: Sequence[Lone]) -> tuple[float, tuple[str, str]]:
    """The most alike of the codes that disagree: two models of one family."""
    sibling, pair = 0.0, ("", "")
    for code, weight, _ in mine:
        for other, w, _ in theirs:
            if abs(len(code) - len(other)) <= _ALIKE and code.isdigit() == other.isdigit():
                alike = fuzz.ratio(code, other) / 100 * min(weight, w)
                if alike > sibling:
                    sibling, pair = alike, (code, other)
    return sibling, pair


def _part_of(code: str, relatives: set[str]) -> bool:
    """Whether a code is one of these, or a part of one: `wx350` of `dscwx350`."""
    return any(code in relative for relative in relatives)


class _Agreement:
    """The codes of one text, split by whether the other text writes them too."""

    def __init__(self, text: Profile, other: Profile) -> None:
        self.best: tuple[float, str] = (0.0, "")
        self.lone: list[Lone] = []
        for codes, in_title in ((text.codes, True), (text.stated, False)):
            for code, weight in codes.items():
                if (
                    code in other.joined
                    or code in other.codes
                    or code in other.stated
                    or code in other.described
                ):
                    self.best = max(self.best, (strength(code, weight), code))
                else:
                    self.lone.append((code, weight, in_title))
