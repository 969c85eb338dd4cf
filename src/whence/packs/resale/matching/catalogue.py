"""How distinctive a word is in a catalogue: rare words decide, common ones do not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from .tokens import terms

LEAST_DOCUMENTS = 2_000
"""Minimum assumed size of a catalogue: thirty comps of one product must not make its name look
common."""


class Catalogue:
    """Document frequencies of the terms of all texts that are being compared.

    `documents` is the number of texts, `frequency` the number of texts with a term.  Terms that are
    missing from `frequency` count as never seen, so a database may return only the requested terms.
    """

    def __init__(self, documents: int, frequency: Mapping[str, int]) -> None:
        self.documents = max(documents, LEAST_DOCUMENTS)
        self._frequency = frequency
        self._log = math.log(self.documents + 1)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Catalogue:
        """Count the terms of these texts."""
        counts: Counter[str] = Counter()
        documents = 0
        for text in texts:
            counts.update(terms(text))
            documents += 1
        return cls(documents, counts)

    def rarity(self, token: str) -> float:
        """0 (in every text) to 1 (in at most one text): inverse document frequency over its
        maximum.

        log((N + 1) / max(df, 1)) / log(N + 1), so that catalogues of different sizes are
        comparable.
        """
        seen = max(self._frequency.get(token, 0), 1)
        return max(0.0, min(1.0, math.log((self.documents + 1) / seen) / self._log))
