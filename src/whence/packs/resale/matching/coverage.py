"""How much of one text occurs in another, weighted by how distinctive each word is."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz.distance import JaroWinkler

from .profile import Profile

EXTENDED_CODE = 0.8
"""Value of a code that the other text writes longer or shorter (`DSC-WX350`, `DSCWX350B`)."""
ABBREVIATED = 0.7
"""Value of a word that is a prefix of the other's word, or the reverse (`sys`, `system`)."""
SQUEEZED = 0.5
"""Value of a short word whose letters occur in order in the other's word (`ptree`, `peachtree`)."""
_MISSPELT_FROM = 0.9
"""Jaro-Winkler similarity from which two words count as one misspelt word."""
_INSIDE_FROM = 6
"""Length from which a code inside another one is the same (`S27F350`, `LS27F350FHNXZA`)."""


@dataclass(frozen=True)
class Coverage:
    """One text looked for in another; all values 0 to 1."""

    soft: float
    """Share of the weight that matches; misspelt, abbreviated and extended words count in part."""
    energy: float
    """Share of the squared weight that matches, as in a cosine: rare words dominate."""
    missing: float
    """Weight of the most distinctive word that does not match."""
    matched: float
    """Weight of the most distinctive word that matches."""


def coverage(text: Profile, other: Profile) -> Coverage:
    """Look for each distinct word of `text` in `other`."""
    shared = words_found(text, other)
    total = soft = energy = energy_total = missing = best = 0.0
    rest: list[str] | None = None
    for word, weight in text.weight.items():
        total += weight
        energy_total += weight * weight
        if word in shared:
            soft += weight
            energy += weight * weight
            best = max(best, weight)
            continue
        if rest is None:
            rest = [
                w
                for w in (*other.weight, *other.codes, *other.stated)
                if len(w) >= 3 and w not in text.weight
            ]
        worth = _likeness(word, rest) if len(word) >= 3 else 0.0
        soft += weight * worth
        energy += weight * weight * worth
        missing = max(missing, weight * (1 - worth))
    if not total:
        return Coverage(0.0, 0.0, 0.0, 0.0)
    return Coverage(soft / total, energy / energy_total, missing, best)


def words_found(text: Profile, other: Profile) -> set[str]:
    """Words of `text` that occur in `other`, also if either joins neighbouring words."""
    matches: set[str] = set()
    words = text.words
    for at, word in enumerate(words):
        if word in other.joined:
            matches.add(word)
            continue
        pair = word + words[at + 1] if at + 1 < len(words) else ""
        if pair and (pair in other.weight or pair in other.codes or pair in other.stated):
            matches.update(words[at : at + 2])
        elif at + 2 < len(words):
            triple = pair + words[at + 2]
            if triple in other.weight or triple in other.codes or triple in other.stated:
                matches.update(words[at : at + 3])
    return matches


def _likeness(word: str, rest: list[str]) -> float:
    best = 0.0
    has_digit = any(c.isdigit() for c in word)
    for other in rest:
        if has_digit or any(c.isdigit() for c in other):
            if extends(word, other):
                best = max(best, EXTENDED_CODE)
        elif word[0] == other[0]:
            best = max(best, _spelling(word, other))
    return best


def extends(one: str, other: str) -> bool:
    """Whether one code is the other with letters added (a colour, region or maker)."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if len(short) < 4 or len(short) == len(long) or not any(c.isdigit() for c in short):
        return False
    if long.startswith(short):
        return not (long[len(short)].isdigit() and short[-1].isdigit())
    if long.endswith(short):
        return not (long[-len(short) - 1].isdigit() and short[0].isdigit())
    return len(short) >= _INSIDE_FROM and not short.isdigit() and short in long


def _spelling(word: str, other: str) -> float:
    if word.startswith(other) or other.startswith(word):
        return ABBREVIATED
    alike = JaroWinkler.similarity(word, other)
    if alike >= _MISSPELT_FROM:
        return 0.6 + 3 * (alike - _MISSPELT_FROM)
    if len(word) <= 5 and len(word) < len(other) and alike >= 0.75 and _runs_through(word, other):
        return SQUEEZED
    return 0.0


def _runs_through(word: str, other: str) -> bool:
    letters = iter(other)
    return all(letter in letters for letter in word)
