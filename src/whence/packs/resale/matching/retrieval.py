"""Retrieve candidates for an item from a catalogue in memory (evaluations, small sets)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from .catalogue import Catalogue
from .tokens import terms

COMMON = 0.12
"""Terms of lower rarity are not followed: they occur in a large part of the catalogue."""


class Candidates:
    """An inverted index over texts; TF-IDF cosine, like the search index of the database."""

    def __init__(self, texts: Sequence[str], catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for at, text in enumerate(texts):
            for term, weight in self._vector(text).items():
                self._postings[term].append((at, weight))

    def nearest(self, text: str, count: int, least: float = 0.0) -> list[int]:
        """Positions of the `count` most similar texts, nearest first.

        `least` drops those below this share (0 to 1) of the nearest one's similarity.
        """
        likeness: defaultdict[int, float] = defaultdict(float)
        for term, weight in self._vector(text).items():
            for at, other in self._postings.get(term, ()):
                likeness[at] += weight * other
        near = least * max(likeness.values(), default=0.0)
        indices = [at for at, value in likeness.items() if value >= near]
        return sorted(indices, key=lambda at: (-likeness[at], at))[:count]

    def _vector(self, text: str) -> dict[str, float]:
        rarity = {term: self._catalogue.rarity(term) for term in terms(text)}
        squares = {term: r * r for term, r in rarity.items() if r > COMMON}
        length = math.sqrt(sum(value * value for value in squares.values())) or 1.0
        return {term: value / length for term, value in squares.items()}
